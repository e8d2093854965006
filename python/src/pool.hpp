// Things that are lent and come back, so that their memory is used again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace throng::python {

/// Lends a T to whoever asks, the one that came back last, or a new one. All with the GIL held,
/// which guards it. What is lent may outlive whoever lent it.
///
/// A result that NumPy arrays hold comes back when the last of them is gone, so the next answer is
/// written to pages that the process has already: new ones would cost more than many an answer.
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

    /// Destroys those that are not lent.
    void clear() noexcept { shelf_->items.clear(); }

    template <class Visit>
    void for_each(Visit&& visit) const {
        std::for_each(shelf_->items.begin(), shelf_->items.end(),
                      [&](const std::unique_ptr<T>& item) { visit(*item); });
    }

private:
    /// A caller that holds more of a kind, and lets them go again and again, allocates.
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
