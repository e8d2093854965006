#include "block.hpp"

#include "../classes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace throng::python {

Block::Block(std::shared_ptr<const void> owner, void* data, const char* format, std::size_t size,
             std::span<const std::size_t> shape, std::span<const std::size_t> strides)
    : owner_(std::move(owner)), data_(data), format_(format), size_(size),
      dimensions_(shape.size()) {
    std::copy(shape.begin(), shape.end(), shape_.begin());
    std::copy(strides.begin(), strides.end(), strides_.begin());
}

py::buffer_info Block::info() const {
    std::vector<py::ssize_t> shape, strides;
    for (std::size_t d = 0; d < dimensions_; ++d) {
        shape.push_back(static_cast<py::ssize_t>(shape_[d]));
        strides.push_back(static_cast<py::ssize_t>(strides_[d]));
    }
    // An empty block has an address too, because some readers refuse null.
    static std::uint64_t nothing;
    return {data_ == nullptr ? &nothing : data_,
            static_cast<py::ssize_t>(size_),
            format_,
            static_cast<py::ssize_t>(dimensions_),
            std::move(shape),
            std::move(strides)};
}

void define_block(py::module_& module) {
    py::class_<Block>(module, "Block", py::buffer_protocol(),
                      "Memory of an answer, of which numpy.asarray() makes an array.")
        .def_buffer([](Block& block) { return block.info(); });
}

} // namespace throng::python
