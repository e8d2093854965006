// The program's standard streams and signals.
#pragma once

namespace throng::demo {

/// Opens standard input, output and error if the parent process closed them: otherwise the first
/// files opened would take their place, and be written into. Must come first in main().
void open_standard_streams();

/// Makes Ctrl-C, SIGTERM and a closed terminal end a run in the normal way. A closed pipe and a
/// file that must not grow become errors of the writer, not the end of the program. Call it before
/// any file is opened, so that none is left half written.
void catch_signals();

/// Whether a signal has asked the run to end.
[[nodiscard]] bool interrupted() noexcept;

} // namespace throng::demo
