//! What C has written, as answers. Types that are made of numbers alone are the structures of C: tests of shape.rs compare them.

use super::*;
use crate::answers::{Hits, NearHits, Pairs, QueryCosts};
use crate::contacts::ContactFrame;
use crate::crowd::{CellStats, Counts};

// # Safety
// Of all: `out` was written by C, and what it names stays for 'a.

pub(super) unsafe fn hits<'a>(out: &sys::throng_hits) -> Hits<'a> {
    let offsets = slice(out.offsets, if out.offsets.is_null() { 0 } else { out.count + 1 });
    Hits { offsets, ids: slice(out.ids, out.total) }
}

pub(super) unsafe fn pairs<'a>(out: &sys::throng_pairs) -> Pairs<'a> {
    Pairs { first: slice(out.first, out.total), second: slice(out.second, out.total) }
}

pub(super) unsafe fn near_hits<'a>(out: &sys::throng_near_hits) -> NearHits<'a> {
    let nearest = slice(out.nearest.cast(), out.count * u64::from(out.k));
    NearHits { nearest, counts: slice(out.counts, out.count), k: out.k as usize }
}

pub(super) unsafe fn contact_frame<'a>(out: &sys::throng_contact_frame) -> ContactFrame<'a> {
    ContactFrame {
        pairs: slice(out.pairs.cast(), out.pair_count),
        previous: slice(out.previous, out.pair_count),
        began: slice(out.began, out.began_count),
        ended: slice(out.ended.cast(), out.ended_count),
        ended_previous: slice(out.ended_previous, out.ended_count),
    }
}

pub(super) unsafe fn crowd_counts<const N: usize>(out: &sys::throng_crowd_counts) -> Counts<N> {
    Counts {
        cells: std::array::from_fn(|axis| out.cells[axis]),
        agents: out.agents,
        giants: out.giants,
        statics: out.statics,
        id_bound: out.id_bound,
        index_bytes: out.index_bytes,
        staging_bytes: out.staging_bytes,
        slot_bound: out.slot_bound,
    }
}

pub(super) unsafe fn cell_stats(out: &sys::throng_cell_stats) -> CellStats {
    CellStats {
        rows: out.rows,
        cells: out.cells,
        used_rows: out.used_rows,
        used_cells: out.used_cells,
        agents: out.agents,
        outside: out.outside,
        company: out.company,
        company_afresh: out.company_afresh,
    }
}

pub(super) unsafe fn query_costs(out: &sys::throng_query_costs) -> QueryCosts {
    QueryCosts {
        path: words(out.path),
        reason: words(out.reason),
        rows: out.rows,
        tested: out.tested,
        copied: out.copied,
        hits: [out.small_agents, out.giants, out.statics],
        predicted_nanoseconds: out.predicted_nanoseconds,
        predicted: [out.predicted_rows, out.predicted_tiles, out.predicted_all],
        large_first: out.large_first != 0,
    }
}
