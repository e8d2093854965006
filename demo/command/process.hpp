// What the system hands to the program, and what it is told meanwhile.
#pragma once

namespace throng::demo {

/// The program that started this one may have closed standard input, output or error: the first
/// files opened would take their place, and be written into. First of all in main().
void open_standard_streams();

/// Ctrl-C, SIGTERM, and a terminal that is closed end a run as it ends by itself. A closed
/// pipe and a file that may not grow are errors of the writer, not the end of the program.
/// Before any file is opened, so that none is left half written.
void catch_signals();

/// Whether the run is to end.
[[nodiscard]] bool interrupted() noexcept;

} // namespace throng::demo
