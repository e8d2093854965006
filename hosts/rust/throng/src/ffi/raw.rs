//! Arguments as C takes them. None of it is unsafe: only calls are.

use super::Shape;
use crate::answers::Near;
use crate::crowd::Settings;
use crate::questions::{Filter, Filters, Questions};
use std::ffi::c_void;
use throng_sys as sys;

pub(crate) fn questions<S: Shape<N>, const N: usize>(asked: &Questions<'_, S>) -> sys::throng_questions {
    let (filters, filter_count) = match &asked.filters {
        Filters::One(None) => (std::ptr::null(), 0),
        Filters::One(Some(filter)) => (filter as *const Filter, 1),
        Filters::Each(filters) => (filters.as_ptr(), filters.len()),
    };
    sys::throng_questions {
        shape: S::KIND,
        sets: asked.sets.number(),
        shapes: asked.shapes.as_ptr().cast::<c_void>(),
        count: asked.shapes.len(),
        filters: filters.cast::<sys::throng_filter>(),
        filter_count,
        ..sys::THRONG_QUESTIONS_INIT
    }
}

pub(crate) fn points<const N: usize>(points: &[[f32; N]]) -> sys::throng_points {
    sys::throng_points {
        dimension: N as u32,
        coordinates: points.as_ptr().cast::<f32>(),
        count: points.len(),
        ..sys::THRONG_POINTS_INIT
    }
}

pub(super) fn hits_room(offsets: &mut [u64], ids: &mut [u32]) -> sys::throng_hits_room {
    sys::throng_hits_room {
        offsets: offsets.as_mut_ptr(),
        offset_room: offsets.len(),
        ids: ids.as_mut_ptr(),
        id_room: ids.len(),
        ..sys::THRONG_HITS_ROOM_INIT
    }
}

pub(super) fn pairs_room(first: &mut [u32], second: &mut [u32]) -> sys::throng_pairs_room {
    sys::throng_pairs_room {
        first: first.as_mut_ptr(),
        second: second.as_mut_ptr(),
        room: first.len().min(second.len()),
        ..sys::THRONG_PAIRS_ROOM_INIT
    }
}

pub(super) fn near_room(near: &mut [Near], counts: &mut [u32]) -> sys::throng_near_room {
    sys::throng_near_room {
        nearest: near.as_mut_ptr().cast::<sys::throng_near>(),
        near_room: near.len(),
        counts: counts.as_mut_ptr(),
        count_room: counts.len(),
        ..sys::THRONG_NEAR_ROOM_INIT
    }
}

/// Which obstacles hide anything: none given, all do.
pub(super) fn filter(looks: Option<&Filter>) -> *const sys::throng_filter {
    looks.map_or(std::ptr::null(), |looks| (looks as *const Filter).cast::<sys::throng_filter>())
}

pub(crate) fn settings<const N: usize>(settings: &Settings<N>) -> sys::throng_crowd_settings {
    let mut raw = sys::THRONG_CROWD_SETTINGS_INIT;
    raw.dimension = N as u32;
    if let Some(bounds) = &settings.bounds {
        raw.given |= sys::THRONG_GIVEN_BOUNDS;
        raw.lo[..N].copy_from_slice(&bounds.lo);
        raw.hi[..N].copy_from_slice(&bounds.hi);
    }
    if let Some(cell) = &settings.cell {
        raw.given |= sys::THRONG_GIVEN_CELL;
        raw.cell[..N].copy_from_slice(cell);
    }
    if settings.keeps_cells {
        raw.given |= sys::THRONG_KEEPS_CELLS;
    }
    for (axis, &wraps) in settings.periodic.iter().enumerate() {
        raw.periodic |= u32::from(wraps) << axis;
    }
    raw.origin[..N].copy_from_slice(&settings.origin);
    raw.memory = settings.memory.as_ref().map_or(std::ptr::null_mut(), crate::Memory::raw);
    if settings.keeps_half_extents {
        raw.kept |= sys::THRONG_KEPT_HALF_EXTENTS;
    }
    if settings.keeps_groups {
        raw.kept |= sys::THRONG_KEPT_GROUPS;
    }
    raw.common_half_extent[..N].copy_from_slice(&settings.common_half_extent);
    raw
}
