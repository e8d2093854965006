// Lends objects and takes them back, so that their memory is reused.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace throng::python {

/// Lends the T that came back last, or a new one. The GIL must be held, because it guards the pool.
/// Lent objects may outlive the pool.
///
/// A result that NumPy arrays hold comes back when the last of these arrays is gone. The next
/// answer is then written to pages that the process already has; new pages would often cost more
/// than the answer.
template <class T>
class Pool {
public:
    [[nodiscard]] std::shared_ptr<T> lend() {
        std::unique_ptr<T> item;
        if (shelf_->items.empty()) {
            item = std::make_unique<T>();
        } else {
            item = std::move(shelf_->items.back());
            shelf_->items.pop_back();
        }
        return {item.release(), [shelf = shelf_](T* back) { shelf->take_back(back); }};
    }

    /// Destroys all objects that are not lent.
    void clear() noexcept { shelf_->items.clear(); }

    template <class Visit>
    void for_each(Visit&& visit) const {
        std::for_each(shelf_->items.begin(), shelf_->items.end(),
                      [&](const std::unique_ptr<T>& item) { visit(*item); });
    }

private:
    /// The pool keeps at most this many objects and destroys others that come back. A caller that
    /// holds more, and releases them in every frame, therefore allocates in every frame.
    static constexpr std::size_t kMost = 4;

    struct Shelf {
        Shelf() { items.reserve(kMost); }
        void take_back(T* back) noexcept {
            std::unique_ptr<T> item(back);
            if (items.size() < kMost) { items.push_back(std::move(item)); }
        }
        std::vector<std::unique_ptr<T>> items;
    };

    std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

} // namespace throng::python
