#include "batch.hpp"

#include "arrays.hpp"
#include "structs.hpp"

#include <utility>

namespace throng::c {

namespace {

template <class T>
std::uint64_t bytes_of(const std::vector<T>& list) noexcept {
    return list.capacity() * sizeof(T);
}

} // namespace

template <std::size_t Dim>
std::uint64_t BatchObject::Slot<Dim>::memory() const noexcept {
    return (batch.has_value() ? batch->memory() : 0) + (sight.has_value() ? sight->memory() : 0);
}

template <std::size_t Dim>
void BatchObject::Slot<Dim>::release() noexcept {
    if (batch.has_value()) { batch->release(); }
    if (sight.has_value()) { sight->release(); }
}

std::uint64_t BatchObject::memory() const noexcept {
    return bytes_of(hits.offsets) + bytes_of(hits.ids) + bytes_of(near.nearest) +
           bytes_of(near.counts) + bytes_of(pairs.first) + bytes_of(pairs.second) +
           plane_.memory() + space_.memory();
}

void BatchObject::release() noexcept {
    hits = Hits();
    near = NearHits();
    pairs = Pairs();
    plane_.release();
    space_.release();
}

} // namespace throng::c

using namespace throng::c;

throng_status throng_batch_create(throng_executor* executor, throng_batch** out) {
    return guarded([&] {
        auto on = executor_for(executor);
        check_out(out, "out");
        hand_out(std::make_unique<BatchObject>(std::move(on)), *out);
        return kOk;
    });
}

throng_status throng_batch_destroy(throng_batch* batch) { return end(batch, "batch"); }

throng_status throng_batch_memory(const throng_batch* batch, uint64_t* bytes) {
    return guarded([&] {
        const BatchObject& object = look_up(batch, "batch");
        check_out(bytes, "bytes");
        *bytes = object.memory();
        return kOk;
    });
}

throng_status throng_batch_release(throng_batch* batch) {
    return guarded([&] {
        look_up(batch, "batch").release();
        return kOk;
    });
}
