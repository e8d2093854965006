// Handles of throng.h, and the objects behind them.
#pragma once

#include "boundary.hpp"
#include "handles.hpp"

#include <memory>

namespace throng::c {

/// The object behind a handle of this type; specialised beside each of these objects.
template <class Handle>
struct Held; // Object, and kKind

/// The object behind a handle. Throws Refused, with the argument's name, if the handle has none.
template <class Handle>
[[nodiscard]] typename Held<Handle>::Object& look_up(const Handle* handle, const char* name) {
    const HandleTable::Found found = handles().find(handle, Held<Handle>::kKind);
    if (found.code != THRONG_OK) { refuse(found.code, name); }
    return *static_cast<typename Held<Handle>::Object*>(found.object);
}

/// Gives the object to the host, under a handle. If this throws there is no handle.
template <class Handle>
void hand_out(std::unique_ptr<typename Held<Handle>::Object> object, Handle*& out) {
    out = static_cast<Handle*>(handles().add(Held<Handle>::kKind, object.get()));
    (void)object.release();
}

/// Ends the handle, and the host's ownership of the object.
template <class Handle>
[[nodiscard]] throng_status end(const Handle* handle, const char* name) noexcept {
    return guarded([&] {
        if (handle == nullptr) { return kOk; }
        const HandleTable::Found found = handles().remove(handle, Held<Handle>::kKind);
        const std::unique_ptr<typename Held<Handle>::Object> object(
            static_cast<typename Held<Handle>::Object*>(found.object));
        return found.code == THRONG_OK ? kOk : status_with(found.code, name);
    });
}

} // namespace throng::c
