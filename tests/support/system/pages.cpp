#include "pages.hpp"

#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace throng::test {

#if defined(_WIN32)

std::size_t page_size() noexcept {
    SYSTEM_INFO facts;
    GetSystemInfo(&facts);
    return facts.dwPageSize;
}

void* take_pages(std::size_t bytes) noexcept {
    return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
}

bool open_pages(void* pages, std::size_t bytes) noexcept {
    DWORD before = 0;
    return VirtualProtect(pages, bytes, PAGE_READWRITE, &before) != 0;
}

void drop_pages(void* pages, std::size_t) noexcept { VirtualFree(pages, 0, MEM_RELEASE); }

#else

std::size_t page_size() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

void* take_pages(std::size_t bytes) noexcept {
    void* const pages = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
}

bool open_pages(void* pages, std::size_t bytes) noexcept {
    return mprotect(pages, bytes, PROT_READ | PROT_WRITE) == 0;
}

void drop_pages(void* pages, std::size_t bytes) noexcept { munmap(pages, bytes); }

#endif

} // namespace throng::test
