//! Arguments as C takes them. None of it is unsafe: only calls are.

use super::Shape;
use crate::asked::{Nearest, Neighbourhood, Pairing};
use crate::crowd::Settings;
use crate::lasting::LastingSettings;
use crate::questions::{Filters, Questions};
use crate::NO_ID;
use std::ffi::c_void;
use throng_sys as sys;

pub(crate) fn questions<S: Shape<N>, const N: usize>(asked: &Questions<'_, S>) -> sys::throng_questions {
    let (filters, filter_count) = match &asked.filters {
        Filters::One(None) => (std::ptr::null(), 0),
        Filters::One(Some(filter)) => (filter as *const crate::Filter, 1),
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

pub(crate) fn neighbourhood(wanted: &Neighbourhood) -> sys::throng_neighbourhood {
    sys::throng_neighbourhood {
        radius: wanted.radius,
        groups: wanted.groups,
        sets: wanted.sets.number(),
        order: wanted.order as u32,
        with_self: u32::from(wanted.with_self),
        later_only: u32::from(wanted.later_only),
        body: wanted.body as u32,
        ..sys::THRONG_NEIGHBOURHOOD_INIT
    }
}

pub(crate) fn pairing(wanted: &Pairing) -> sys::throng_pairing {
    sys::throng_pairing {
        sets: wanted.sets.number(),
        groups: wanted.groups,
        within: wanted.within.unwrap_or(sys::THRONG_PAIRING_INIT.within),
        body: wanted.body as u32,
        ..sys::THRONG_PAIRING_INIT
    }
}

pub(crate) fn nearest(wanted: &Nearest) -> sys::throng_nearest {
    let mut raw = sys::throng_nearest {
        k: wanted.k,
        radius: wanted.radius,
        sets: wanted.sets.number(),
        groups: wanted.groups,
        without: wanted.without.unwrap_or(NO_ID),
        order: wanted.order as u32,
        with_self: u32::from(wanted.with_self),
        least: wanted.least,
        body: wanted.body as u32,
        ..sys::THRONG_NEAREST_INIT
    };
    if let Some(band) = wanted.band {
        raw.band = sys::throng_height_band { up: band.up as u32, below: band.below, above: band.above };
    }
    if let Some(after) = wanted.after {
        raw.after = sys::throng_near { distance2: after.distance2, id: after.id };
    }
    raw
}

pub(crate) fn lasting_settings(wanted: &LastingSettings) -> sys::throng_lasting_settings {
    sys::throng_lasting_settings {
        radius: wanted.radius,
        skin: wanted.skin,
        groups: wanted.groups,
        sets: wanted.sets.number(),
        with_self: u32::from(wanted.with_self),
        later_only: u32::from(wanted.later_only),
        ..sys::THRONG_LASTING_SETTINGS_INIT
    }
}
