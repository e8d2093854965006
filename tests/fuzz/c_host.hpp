// A host of the C API that makes mistakes: its handles, and its calls that change crowds.
#pragma once

#include "../support/folder.hpp"
#include "c_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace throng::fuzz {

/// Handles are live, dead, null or invented; arguments mostly make sense. The model makes each
/// change that a call accepts.
class Host {
public:
    explicit Host(Input& input) : input_(input) {}

protected:
    // ---- Handles -----------------------------------------------------------------------------

    static constexpr Id kIds = 20;
    static constexpr std::size_t kNoSlot = 99;

    /// Any handle, mostly of the right kind. `slot` is its slot, or kNoSlot for an invalid handle.
    template <class Handle>
    Handle* any(const Handles<Handle>& handles, std::size_t& slot) {
        Handle* const handle = pick(handles);
        slot = kNoSlot;
        for (std::size_t i = 0; i < handles.kMost; ++i) {
            if (handles.live[i] && handles.at[i] == handle) { slot = i; }
        }
        return handle;
    }
    template <class Handle>
    Handle* pick(const Handles<Handle>& handles) {
        switch (input_.below(16)) {
        case 0:
            return nullptr;
        case 1: {
            const std::uintptr_t bits = input_.raw<std::uintptr_t>();
            Handle* made_up = nullptr;
            std::memcpy(&made_up, &bits, sizeof bits);
            return made_up;
        }
        case 2:
            return reinterpret_cast<Handle*>(crowds_.at[0]);
        case 3:
            return reinterpret_cast<Handle*>(batches_.at[0]);
        default:
            return handles.at[input_.below(handles.kMost)];
        }
    }
    template <class Handle>
    Handle* any(const Handles<Handle>& handles) {
        std::size_t slot;
        return any(handles, slot);
    }

    /// Calls create(out) for one of the slots, whose object it destroys first. `out` is sometimes
    /// null.
    template <class Handle, class Create>
    std::size_t create_in(Handles<Handle>& handles, const Create& create) {
        const std::size_t i = input_.below(handles.kMost);
        if (input_.below(32) == 0) {
            EXPECT_NE(create(static_cast<Handle**>(nullptr)).code, THRONG_OK);
            return kNoSlot;
        }
        Handle* made = nullptr;
        const throng_status status = create(&made);
        tell(status);
        EXPECT_EQ(status.code == THRONG_OK, made != nullptr);
        if (made == nullptr) { return kNoSlot; }
        if (handles.live[i]) { EXPECT_EQ(handles.destroy(handles.at[i]).code, THRONG_OK); }
        handles.at[i] = made;
        handles.live[i] = true;
        return i;
    }

    template <class Handle>
    void destroy_one(Handles<Handle>& handles) {
        std::size_t slot;
        Handle* const handle = any(handles, slot);
        const throng_status status = handles.destroy(handle);
        tell(status);
        ASSERT_EQ(status.code == THRONG_OK, slot != kNoSlot || handle == nullptr);
        if (slot != kNoSlot) { handles.live[slot] = false; }
    }
    void destroy() {
        switch (input_.below(6)) {
        case 0:
            return destroy_one(batches_);
        case 1:
            return destroy_one(executors_);
        case 2:
            return destroy_one(memories_);
        case 3:
            return destroy_one(published_);
        case 4:
            return destroy_one(snapshots_);
        default:
            return destroy_one(crowds_);
        }
    }

    /// Every status has a text.
    static void tell(const throng_status& status) {
        char text[32];
        ASSERT_NE(status.argument, nullptr);
        const std::size_t length = throng_status_text(status, text, sizeof text);
        ASSERT_EQ(std::string(text).size(), std::min(length, sizeof text - 1));
    }
    /// Returns `value`, or sometimes any other number.
    std::uint32_t odd(std::uint32_t value) {
        return input_.below(32) == 0 ? input_.raw<std::uint32_t>() : value;
    }
    std::uint32_t dimension() { return odd(input_.flip() ? 3 : 2); }

    // ---- Worlds ------------------------------------------------------------------------------

    void create_crowd() {
        Struct<throng_crowd_settings> settings(THRONG_CROWD_SETTINGS_INIT);
        throng_crowd_settings& given = *settings.value;
        given.dimension = dimension();
        given.given = odd(input_.below(4));
        given.kept = odd(input_.below(4));
        given.periodic = input_.below(4) == 0 ? input_.below(9) : 0;
        given.memory = input_.flip() ? nullptr : any(memories_);
        Model model;
        model.dimension = given.dimension;
        const bool odd_numbers = input_.below(8) == 0;
        for (std::size_t a = 0; a < 3 && a < given.dimension; ++a) {
            given.lo[a] = odd_numbers ? input_.any_float() : 0.0f;
            given.hi[a] = odd_numbers ? input_.any_float() : 16.0f;
            given.cell[a] = odd_numbers ? std::abs(input_.coordinate()) : 2.0f;
            given.origin[a] = odd_numbers ? static_cast<double>(input_.any_float()) : 0.0;
            if ((given.kept & THRONG_KEPT_HALF_EXTENTS) == 0) {
                given.common_half_extent[a] = model.common[a] = input_.length();
            }
        }
        // Periodic worlds and worlds with an origin are not compared with the model.
        model.known = given.periodic == 0 && !odd_numbers;
        const std::size_t i = create_in(
            crowds_, [&](auto** out) { return throng_crowd_create(settings.at(input_), out); });
        if (i != kNoSlot) { models_[i] = model; }
    }
    void create_batch() {
        create_in(batches_, [&](auto** out) { return throng_batch_create(executor(), out); });
    }
    void create_memory() {
        Struct<throng_memory_settings> settings(THRONG_MEMORY_SETTINGS_INIT);
        settings.value->cap = input_.flip() ? input_.below(0x1'0000) : 0;
        create_in(memories_,
                  [&](auto** out) { return throng_memory_create(settings.at(input_), out); });
        Struct<throng_memory_counts> counts(THRONG_MEMORY_COUNTS_INIT);
        tell(throng_memory_count(any(memories_), counts.at(input_)));
    }
    void create_executor() {
        if (input_.below(16) == 0) {
            create_in(executors_,
                      [](auto** out) { return throng_executor_create_kind(THRONG_POOL, 2, out); });
            return;
        }
        Struct<throng_executor_callbacks> callbacks(THRONG_EXECUTOR_CALLBACKS_INIT);
        callbacks.value->enqueue = [](throng_job job, std::size_t count, void* context,
                                      void*) -> void* {
            for (std::size_t i = count; i > 0; --i) {
                job(i - 1, i, context);
            }
            return nullptr;
        };
        create_in(executors_,
                  [&](auto** out) { return throng_executor_create(callbacks.at(input_), out); });
    }
    throng_executor* executor() { return input_.flip() ? nullptr : any(executors_); }

    // ---- Changes -----------------------------------------------------------------------------

    /// Agents in arrays that end with the last agent, and their model.
    struct Crowded {
        Struct<throng_agents> given{THRONG_AGENTS_INIT};
        std::vector<float> positions, extents;
        std::vector<double> doubles;
        std::vector<std::uint32_t> masks;
        std::vector<ModelAgent> who;
        Point<3> common{};
    };
    void crowd_together(Crowded& all, std::uint32_t dim) {
        throng_agents& given = *all.given.value;
        const bool own = input_.flip(), masks = input_.flip(), doubles = input_.below(4) == 0;
        const std::uint32_t count = input_.below(kIds);
        given.dimension = odd(dim);
        given.count = count;
        given.doubles = odd(doubles ? 1 : 0);
        given.reserved = odd(0);
        dim = dim == 3 ? 3 : 2;
        for (std::size_t a = 0; a < dim && !own; ++a) {
            given.common_half_extent[a] = all.common[a] = input_.length();
        }
        const bool odd_numbers = input_.below(16) == 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            ModelAgent& who = all.who.emplace_back();
            who.half = all.common;
            for (std::size_t a = 0; a < dim; ++a) {
                who.position[a] = odd_numbers ? input_.any_float() : input_.coordinate();
                if (own) { who.half[a] = input_.length(); }
            }
            if (masks) { who.groups = input_.below(16); }
        }
        // One array for each axis, one after the other; half of the crowds are read backwards.
        const bool backwards = input_.flip();
        for (std::size_t a = 0; a < dim; ++a) {
            for (std::uint32_t i = 0; i < count; ++i) {
                const ModelAgent& who = all.who[backwards ? count - 1 - i : i];
                all.positions.push_back(who.position[a]);
                all.doubles.push_back(static_cast<double>(who.position[a]));
                all.extents.push_back(who.half[a]);
                if (a == 0) { all.masks.push_back(who.groups); }
            }
        }
        if (count == 0) { return; }
        const std::size_t first = backwards ? count - 1 : 0;
        const auto stride = [&](std::size_t size) {
            return static_cast<std::ptrdiff_t>(size) * (backwards ? -1 : 1);
        };
        for (std::size_t a = 0; a < dim; ++a) {
            const std::size_t at = a * count + first;
            given.position[a] = doubles ? static_cast<const void*>(&all.doubles[at])
                                        : static_cast<const void*>(&all.positions[at]);
            given.position_stride[a] = stride(doubles ? sizeof(double) : sizeof(float));
            if (own) { given.half_extent[a] = &all.extents[at]; }
            given.half_extent_stride[a] = stride(sizeof(float));
        }
        // Floats must not be read as doubles, or doubles as floats.
        if (given.doubles <= 1) { given.doubles = doubles ? 1 : 0; }
        if (masks) { given.groups = &all.masks[first]; }
        given.groups_stride = stride(sizeof(std::uint32_t));
        if (input_.below(32) == 0) { given.position[input_.below(2)] = nullptr; }
    }

    void update() {
        std::size_t slot;
        throng_crowd* const crowd = any(crowds_, slot);
        Crowded all;
        crowd_together(all, slot == kNoSlot ? 2 : models_[slot].dimension);
        const throng_status status = throng_crowd_update(crowd, all.given.at(input_), executor());
        tell(status);
        if (status.code != THRONG_OK) { return; }
        ASSERT_NE(slot, kNoSlot);
        models_[slot].agents.assign(all.who.begin(), all.who.end());
        models_[slot].common = all.common;
    }
    void set_statics() {
        std::size_t slot;
        throng_crowd* const crowd = any(crowds_, slot);
        Crowded all;
        crowd_together(all, slot == kNoSlot ? 2 : models_[slot].dimension);
        const throng_status status =
            throng_crowd_set_statics(crowd, all.given.at(input_), executor());
        tell(status);
        if (status.code != THRONG_OK) { return; }
        ASSERT_NE(slot, kNoSlot);
        models_[slot].statics.assign(all.who.begin(), all.who.end());
    }
    void edit() {
        std::size_t slot;
        throng_crowd* const crowd = any(crowds_, slot);
        const std::size_t dim = slot == kNoSlot ? 2 : models_[slot].dimension;
        std::vector<throng_edit> edits(input_.below(6));
        const std::uint32_t kept = input_.below(4);
        for (throng_edit& edit : edits) {
            edit = {};
            edit.kind = odd(input_.below(3));
            edit.id = odd(input_.below(kIds));
            // A crowd allocates slots up to the largest id, and the model has an element for each
            // static, so ids stay small.
            const std::uint32_t first = edit.id < THRONG_FIRST_STATIC ? 0 : THRONG_FIRST_STATIC;
            if (edit.id - first < THRONG_FIRST_STATIC - 64) {
                edit.id = first + (edit.id - first) % 1000;
            }
            edit.kept = odd(edit.kind == THRONG_INSERT ? kept : 0);
            for (std::size_t a = 0; a < dim; ++a) {
                edit.position[a] = input_.coordinate();
                if ((kept & THRONG_KEPT_HALF_EXTENTS) != 0) {
                    edit.half_extent[a] = input_.length();
                }
            }
            if ((kept & THRONG_KEPT_GROUPS) != 0) { edit.groups = input_.below(16); }
        }
        const bool is_null = input_.below(32) == 0;
        const throng_status status =
            throng_crowd_edit(crowd, is_null ? nullptr : edits.data(), edits.size(), executor());
        tell(status);
        if (status.code != THRONG_OK) { return; }
        ASSERT_NE(slot, kNoSlot);
        for (const throng_edit& edit : edits) {
            apply(edit, models_[slot]);
        }
    }
    static void apply(const throng_edit& edit, Model& model) {
        const bool is_static = edit.id >= THRONG_FIRST_STATIC;
        auto& all = is_static ? model.statics : model.agents;
        const std::size_t number = is_static ? edit.id - THRONG_FIRST_STATIC : edit.id;
        if (number >= all.size()) { all.resize(number + 1); }
        std::optional<ModelAgent>& agent = all[number];
        if (edit.kind == THRONG_ERASE) { return agent.reset(); }
        if (edit.kind == THRONG_INSERT) {
            agent.emplace();
            agent->half = model.common;
        }
        for (std::size_t a = 0; a < model.dimension; ++a) {
            agent->position[a] = edit.position[a];
            if (edit.kind == THRONG_INSERT && (edit.kept & THRONG_KEPT_HALF_EXTENTS) != 0) {
                agent->half[a] = edit.half_extent[a];
            }
        }
        if (edit.kind == THRONG_INSERT && (edit.kept & THRONG_KEPT_GROUPS) != 0) {
            agent->groups = edit.groups;
        }
    }
    void clear() {
        std::size_t slot;
        throng_crowd* const crowd = any(crowds_, slot);
        const throng_status status = throng_crowd_clear(crowd);
        tell(status);
        ASSERT_EQ(status.code == THRONG_OK, slot != kNoSlot);
        if (slot != kNoSlot) { models_[slot].agents.clear(); }
    }
    /// Saves a crowd to a file, and loads the file into the same crowd or another.
    void save_and_load() {
        std::size_t from, to;
        const throng_crowd* const saved = any(crowds_, from);
        if (!folder_) { folder_.emplace(); }
        const std::string path = folder_->file("crowd");
        const bool is_null = input_.below(32) == 0;
        throng_status status = throng_crowd_save(saved, is_null ? nullptr : path.c_str());
        tell(status);
        ASSERT_EQ(status.code == THRONG_OK, from != kNoSlot && !is_null);
        if (status.code == THRONG_OK) { in_file_ = models_[from]; }

        throng_crowd* const loaded = any(crowds_, to);
        status = throng_crowd_load(loaded, path.c_str());
        tell(status);
        const bool fits = in_file_ && to != kNoSlot && in_file_->dimension == models_[to].dimension;
        if (status.code == THRONG_OK) {
            ASSERT_TRUE(fits);
            models_[to] = *in_file_;
        } else if (fits) {
            ASSERT_EQ(status.code, THRONG_OVER_MEMORY);
        }
    }

    Input& input_;
    Handles<throng_memory> memories_{throng_memory_destroy};
    Handles<throng_executor> executors_{throng_executor_destroy};
    Handles<throng_crowd> crowds_{throng_crowd_destroy};
    Handles<throng_batch> batches_{throng_batch_destroy};
    Handles<throng_published> published_{throng_published_destroy};
    Handles<throng_snapshot> snapshots_{throng_snapshot_release};
    std::array<Model, Handles<throng_crowd>::kMost> models_;
    std::optional<test::Folder> folder_; // created with the first file
    std::optional<Model> in_file_;
};

} // namespace throng::fuzz
