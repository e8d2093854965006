#include "share.hpp"

#include "../arrays.hpp"
#include "../questions.hpp"
#include "structs.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

using namespace throng::c;

throng_status throng_share_create(uint32_t dimension, uint32_t own_half_extents, uint32_t groups,
                                  throng_share** out) {
    return guarded([&] {
        if (dimension != 2 && dimension != 3) { refuse(THRONG_WRONG_DIMENSION, "dimension"); }
        const bool half_extents = flag_of(own_half_extents, "own_half_extents");
        const bool masks = flag_of(groups, "groups");
        check_out(out, "out");
        hand_out(std::make_unique<ShareObject>(dimension, half_extents, masks), *out);
        return kOk;
    });
}

throng_status throng_share_destroy(throng_share* share) { return end(share, "share"); }

throng_status throng_share_add_column(throng_share* share, size_t bytes, uint32_t with_ghosts,
                                      uint32_t* column) {
    return guarded([&] {
        ShareObject& object = look_up(share, "share");
        constexpr std::size_t kMost = std::size_t{1} << 31;
        if (bytes == 0 || bytes > kMost) { refuse(THRONG_WRONG_VALUE, "bytes"); }
        const throng::Travels travels = flag_of(with_ghosts, "with_ghosts")
                                            ? throng::Travels::with_ghosts
                                            : throng::Travels::with_owner;
        check_wanted(column, "column");
        object.reserve_column();
        object.visit([&](auto& of) {
            // Zeros for all agents, named or not. All steps that may fail come before the column
            // exists.
            std::vector<std::byte> zeros(of.positions.size() * bytes);
            const throng::ByteColumn made = of.byte_column(bytes, travels);
            object.add_column(made, bytes);
            of[made].swap(zeros);
        });
        write_value(static_cast<std::uint32_t>(object.columns() - 1), column);
        return kOk;
    });
}

throng_status throng_share_resize(throng_share* share, uint64_t agents, uint64_t named) {
    return guarded([&] {
        ShareObject& object = look_up(share, "share");
        object.visit([&](auto& of) {
            if (agents < of.owned() + of.ghosts()) { refuse(THRONG_COUNT_MISMATCH, "agents"); }
            if (agents > std::numeric_limits<std::uint32_t>::max()) {
                refuse(THRONG_TOO_MANY, "agents");
            }
            if (named > agents || named < of.owned() + of.ghosts()) {
                refuse(THRONG_COUNT_MISMATCH, "named");
            }
            // Reserves all room first: then nothing can fail.
            const auto count = static_cast<std::size_t>(agents);
            of.ids.reserve(static_cast<std::size_t>(named));
            of.positions.reserve(count);
            if (object.has_half_extents()) { of.half_extents.reserve(count); }
            if (object.has_groups()) { of.groups.reserve(count); }
            for (std::size_t c = 0; c < object.columns(); ++c) {
                of[object.column(c)].reserve(count * object.bytes_of(c));
            }
            of.ids.resize(static_cast<std::size_t>(named));
            of.positions.resize(count);
            if (object.has_half_extents()) { of.half_extents.resize(count); }
            if (object.has_groups()) { of.groups.resize(count); }
            for (std::size_t c = 0; c < object.columns(); ++c) {
                of[object.column(c)].resize(count * object.bytes_of(c));
            }
        });
        return kOk;
    });
}

throng_status throng_share_keep_only(throng_share* share, const uint32_t* kept, size_t count) {
    return guarded([&] {
        ShareObject& object = look_up(share, "share");
        const auto ids = array_of<const std::uint32_t>(kept, count, "kept", "count");
        object.visit([&](auto& of) {
            if (of.ids.size() != of.positions.size()) { refuse(THRONG_COUNT_MISMATCH, "share"); }
            for (std::size_t i = 0; i < ids.size(); ++i) {
                if (ids[i] >= of.owned()) { refuse(THRONG_ID_UNKNOWN, "kept", i); }
                if (i != 0 && ids[i] <= ids[i - 1]) { refuse(THRONG_OUT_OF_RANGE, "kept", i); }
            }
            of.keep_only(ids);
        });
        return kOk;
    });
}

throng_status throng_share_get(const throng_share* share, throng_share_arrays* out) {
    return guarded([&] {
        ShareObject& object = look_up(share, "share");
        throng_share_arrays arrays = read(out, "out");
        object.visit([&](auto& of) {
            const auto floats = [](auto& points) {
                return points.empty() ? nullptr : points.front().axis.data();
            };
            arrays.ids = of.ids.data();
            arrays.positions = floats(of.positions);
            arrays.half_extents = floats(of.half_extents);
            arrays.groups = object.has_groups() ? of.groups.data() : nullptr;
            arrays.agents = of.positions.size();
            arrays.named = of.ids.size();
            arrays.owned = of.owned();
            arrays.ghosts = of.ghosts();
        });
        write(arrays, out);
        return kOk;
    });
}

throng_status throng_share_column(const throng_share* share, uint32_t column, void** data) {
    return guarded([&] {
        ShareObject& object = look_up(share, "share");
        if (column >= object.columns()) { refuse(THRONG_OUT_OF_RANGE, "column"); }
        check_out(data, "data");
        object.visit([&](auto& of) { *data = of[object.column(column)].data(); });
        return kOk;
    });
}

throng_status throng_share_memory(const throng_share* share, uint64_t* bytes) {
    return guarded([&] {
        ShareObject& object = look_up(share, "share");
        check_out(bytes, "bytes");
        object.visit([&](auto& of) { *bytes = of.memory(); });
        return kOk;
    });
}
