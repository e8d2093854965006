// Batches that serve crowds of either dimension, and what they answered last.
#pragma once

#include "../parallel/batch/batch.hpp"
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
        auto& batch = slot<Dim>();
        if (!batch.has_value()) { batch.emplace(*executor_); }
        return *batch;
    }

    /// Bytes of scratch and answers.
    [[nodiscard]] std::uint64_t memory() const noexcept;
    /// Frees those bytes.
    void release() noexcept;

    // Answers stay here until the next ones.
    Hits hits;
    NearHits near;
    Pairs pairs;

private:
    template <std::size_t Dim>
    [[nodiscard]] auto& slot() noexcept {
        if constexpr (Dim == 2) {
            return plane_;
        } else {
            return space_;
        }
    }

    std::shared_ptr<Executor> executor_; // outlives what borrows it
    std::optional<Batch<2>> plane_;
    std::optional<Batch<3>> space_;
};

template <>
struct Held<throng_batch> {
    using Object = BatchObject;
    static constexpr Kind kKind = Kind::batch;
};

} // namespace throng::c
