// Batches for crowds of either dimension, and their latest answers.
#pragma once

#include "../parallel/batch/batch.hpp"
#include "../parallel/sight/in_sight.hpp"
#include "executor.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace throng::c {

class BatchObject {
public:
    explicit BatchObject(std::shared_ptr<Executor> executor) noexcept
        : executor_(std::move(executor)) {}

    /// The batch for crowds of this dimension, made at first use.
    template <std::size_t Dim>
    [[nodiscard]] Batch<Dim>& of() {
        return made(slot<Dim>().batch);
    }
    /// The InSight for crowds of this dimension, made at first use.
    template <std::size_t Dim>
    [[nodiscard]] InSight<Dim>& sight_of() {
        return made(slot<Dim>().sight);
    }

    /// Bytes of scratch and answers.
    [[nodiscard]] std::uint64_t memory() const noexcept;
    /// Frees those bytes.
    void release() noexcept;

    // Answers stay here until the next call.
    Hits hits;
    NearHits near;
    Pairs pairs;

private:
    template <std::size_t Dim>
    struct Slot {
        std::optional<Batch<Dim>> batch;
        std::optional<InSight<Dim>> sight;

        [[nodiscard]] std::uint64_t memory() const noexcept;
        void release() noexcept;
    };

    template <class Asked>
    [[nodiscard]] Asked& made(std::optional<Asked>& asked) {
        if (!asked.has_value()) { asked.emplace(*executor_); }
        return *asked;
    }
    template <std::size_t Dim>
    [[nodiscard]] auto& slot() noexcept {
        if constexpr (Dim == 2) {
            return plane_;
        } else {
            return space_;
        }
    }

    std::shared_ptr<Executor> executor_; // declared before the objects that borrow it
    Slot<2> plane_;
    Slot<3> space_;
};

template <>
struct Held<throng_batch> {
    using Object = BatchObject;
    static constexpr Kind kKind = Kind::batch;
};

} // namespace throng::c
