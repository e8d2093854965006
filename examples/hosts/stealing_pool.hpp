// A job system as a game might have it. It knows only the types of jobs and callbacks of the
// library.
#pragma once

#include <throng/parallel/executors/callback_executor.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace hosts {

/// Each worker has a deque of its own, takes the newest from it, and steals the oldest from others.
/// A thread that waits for a group of jobs helps with the jobs of that group, and with no others:
/// they might want a lock that it holds.
class StealingPool {
public:
    struct Group {
        throng::JobFunction job;
        void* context;
        std::size_t unfinished; // ranges
    };

    /// Starts `workers` threads. With none, threads that wait do all jobs.
    explicit StealingPool(std::size_t workers) : queues_(std::max<std::size_t>(1, workers)) {
        for (std::size_t i = 0; i < workers; ++i) {
            threads_.emplace_back([this, i] { work(i); });
        }
    }

    ~StealingPool() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    StealingPool(const StealingPool&) = delete;
    StealingPool& operator=(const StealingPool&) = delete;

    /// Hands over jobs 0 ... count - 1, in ranges.
    Group* enqueue(throng::JobFunction job, std::size_t count, void* context) {
        const std::size_t length = count / (4 * queues_.size()) + 1;
        auto* const group = new Group{job, context, (count + length - 1) / length};
        for (std::size_t begin = 0, to = 0; begin < count; begin += length, ++to) {
            Queue& queue = queues_[to % queues_.size()];
            const std::lock_guard lock(queue.mutex);
            queue.ranges.push_back({group, begin, std::min(begin + length, count)});
        }
        announce();
        return group;
    }

    /// Returns when all these jobs have returned.
    void finish(Group* group) {
        for (;;) {
            std::size_t seen = 0;
            {
                const std::lock_guard lock(mutex_);
                if (group->unfinished == 0) { break; }
                seen = version_;
            }
            if (const std::optional<Range> range = take_of(group)) {
                run(*range);
            } else {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return version_ != seen; });
            }
        }
        delete group;
    }

    /// These two functions for a CallbackExecutor.
    [[nodiscard]] throng::JobCallbacks callbacks() {
        return {&enqueue_for_throng, &finish_for_throng, this};
    }

private:
    struct Range {
        Group* group;
        std::size_t begin;
        std::size_t end;
    };
    struct Queue {
        std::mutex mutex;
        std::deque<Range> ranges;
    };

    static void* enqueue_for_throng(throng::JobFunction job, std::size_t count, void* context,
                                    void* user) {
        return static_cast<StealingPool*>(user)->enqueue(job, count, context);
    }
    static void finish_for_throng(void* task, void* user) {
        static_cast<StealingPool*>(user)->finish(static_cast<Group*>(task));
    }

    void work(std::size_t own) {
        for (;;) {
            std::size_t seen = 0;
            {
                const std::lock_guard lock(mutex_);
                if (stopping_) { return; }
                seen = version_;
            }
            if (const std::optional<Range> range = take(own)) {
                run(*range);
            } else {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return stopping_ || version_ != seen; });
            }
        }
    }

    void run(const Range& range) {
        range.group->job(range.begin, range.end, range.group->context);
        {
            const std::lock_guard lock(mutex_);
            if (--range.group->unfinished != 0) { return; }
            ++version_;
        }
        changed_.notify_all();
    }

    void announce() {
        {
            const std::lock_guard lock(mutex_);
            ++version_;
        }
        changed_.notify_all();
    }

    std::optional<Range> take(std::size_t own) {
        for (std::size_t i = 0; i < queues_.size(); ++i) {
            Queue& queue = queues_[(own + i) % queues_.size()];
            const std::lock_guard lock(queue.mutex);
            if (queue.ranges.empty()) { continue; }
            Range range{};
            if (i == 0) {
                range = queue.ranges.back();
                queue.ranges.pop_back();
            } else {
                range = queue.ranges.front();
                queue.ranges.pop_front();
            }
            return range;
        }
        return std::nullopt;
    }

    std::optional<Range> take_of(const Group* group) {
        for (Queue& queue : queues_) {
            const std::lock_guard lock(queue.mutex);
            const auto found = std::find_if(queue.ranges.begin(), queue.ranges.end(),
                                            [&](const Range& r) { return r.group == group; });
            if (found == queue.ranges.end()) { continue; }
            const Range range = *found;
            queue.ranges.erase(found);
            return range;
        }
        return std::nullopt;
    }

    std::vector<Queue> queues_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t version_ = 0; // guarded by mutex_, as are groups
    bool stopping_ = false;
};

} // namespace hosts
