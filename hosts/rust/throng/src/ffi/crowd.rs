//! Crowds, and questions to them without a batch.

use super::{check, nearest, points, questions, settings, words, Handle, Shape};
use crate::answers::{Meeting, Near, QueryCosts};
use crate::asked::Nearest;
use crate::crowd::{Counts, Settings};
use crate::edits::Edit;
use crate::executor::{raw, Executor};
use crate::questions::Questions;
use crate::{Agents, Error, Result};
use std::ffi::{c_void, CStr};
use throng_sys as sys;

pub(crate) type CrowdHandle = Handle<sys::throng_crowd>;

pub(crate) fn crowd<const N: usize>(wanted: &Settings<N>) -> Result<CrowdHandle> {
    let raw = settings(wanted);
    // SAFETY: Borrowed, Named.
    Handle::make(sys::throng_crowd_destroy, |out| unsafe { sys::throng_crowd_create(&raw, out) })
}

impl CrowdHandle {
    pub(crate) fn update<const N: usize>(&mut self, agents: &Agents<'_, N>, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_update(self.get_mut(), agents.raw()?, raw(on)) })
    }
    pub(crate) fn set_statics<const N: usize>(&mut self, statics: &Agents<'_, N>, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_set_statics(self.get_mut(), statics.raw()?, raw(on)) })
    }
    pub(crate) fn reserve(&mut self, agents: usize, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_crowd_reserve(self.get_mut(), agents, raw(on)) })
    }
    pub(crate) fn edit<const N: usize>(&mut self, edits: &[Edit<N>], on: Option<&Executor>) -> Result<()> {
        let first = edits.as_ptr().cast::<sys::throng_edit>();
        // SAFETY: Borrowed, Named; an Edit is #[repr(transparent)] over a throng_edit.
        check(unsafe { sys::throng_crowd_edit(self.get_mut(), first, edits.len(), raw(on)) })
    }
    pub(crate) fn clear(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_crowd_clear(self.get_mut()) })
    }
    pub(crate) fn save(&self, path: &CStr) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_save(self.get(), path.as_ptr()) })
    }
    pub(crate) fn load(&mut self, path: &CStr) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_load(self.get_mut(), path.as_ptr()) })
    }
    pub(crate) fn counts<const N: usize>(&self) -> Result<Counts<N>> {
        let mut counts = sys::THRONG_CROWD_COUNTS_INIT;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_count(self.get(), &mut counts) })?;
        Ok(Counts {
            cells: std::array::from_fn(|axis| counts.cells[axis]),
            agents: counts.agents,
            giants: counts.giants,
            statics: counts.statics,
            id_bound: counts.id_bound,
            index_bytes: counts.index_bytes,
            staging_bytes: counts.staging_bytes,
            slot_bound: counts.slot_bound,
        })
    }
    pub(crate) fn order(&self, ids: &mut [u32]) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_order(self.get(), ids.as_mut_ptr(), ids.len()) })
    }
    pub(crate) fn bounds(&self) -> Bounds<'_> {
        Bounds(self)
    }

    /// The number of ids, and whether there was room for all.
    pub(crate) fn query_one<S: Shape<N>, const N: usize>(
        &self,
        asked: &Questions<'_, S>,
        ids: &mut [u32],
    ) -> (u64, Result<()>) {
        let mut total = 0;
        let question = questions(asked);
        // SAFETY: Borrowed, Named.
        let status = unsafe { sys::throng_query_one(self.get(), &question, ids.as_mut_ptr(), ids.len(), &mut total) };
        (total, check(status))
    }
    pub(crate) fn count_one<S: Shape<N>, const N: usize>(&self, asked: &Questions<'_, S>) -> Result<u64> {
        let mut total = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_count_one(self.get(), &questions(asked), &mut total) })?;
        Ok(total)
    }
    pub(crate) fn any_one<S: Shape<N>, const N: usize>(&self, asked: &Questions<'_, S>) -> Result<bool> {
        let mut found = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_any_one(self.get(), &questions(asked), &mut found) })?;
        Ok(found != 0)
    }
    pub(crate) fn first_one<S: Shape<N>, const N: usize>(&self, asked: &Questions<'_, S>) -> Result<Option<Meeting>> {
        let mut meeting = sys::throng_meeting { time: 0.0, id: sys::THRONG_NO_ID };
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_first_one(self.get(), &questions(asked), &mut meeting) })?;
        Ok(Meeting { time: meeting.time, id: meeting.id }.some())
    }
    pub(crate) fn first_after_one<S: Shape<N>, const N: usize>(
        &self,
        asked: &Questions<'_, S>,
        last: &Meeting,
    ) -> Result<Option<Meeting>> {
        let mut meeting = Meeting::NONE;
        let last = (last as *const Meeting).cast::<sys::throng_meeting>();
        let out = (&mut meeting as *mut Meeting).cast::<sys::throng_meeting>();
        // SAFETY: Borrowed, Named; a Meeting is a throng_meeting.
        check(unsafe { sys::throng_first_after_one(self.get(), &questions(asked), last, out) })?;
        Ok(meeting.some())
    }
    /// The number of hits, and whether there was room for all.
    pub(crate) fn meetings_one<S: Shape<N>, const N: usize>(
        &self,
        asked: &Questions<'_, S>,
        meetings: &mut [Meeting],
    ) -> (u64, Result<()>) {
        let mut total = 0;
        let (question, first) = (questions(asked), meetings.as_mut_ptr().cast::<sys::throng_meeting>());
        // SAFETY: Borrowed, Named; a Meeting is a throng_meeting.
        let status = unsafe { sys::throng_meetings_one(self.get(), &question, first, meetings.len(), &mut total) };
        (total, check(status))
    }
    pub(crate) fn nearest_one<const N: usize>(
        &self,
        point: &[f32; N],
        wanted: &Nearest,
        near: &mut [Near],
    ) -> Result<u64> {
        let mut total = 0;
        let (point, wanted) = (points(std::slice::from_ref(point)), nearest(wanted));
        let first = near.as_mut_ptr().cast::<sys::throng_near>();
        // SAFETY: Borrowed, Named; a Near is a throng_near.
        check(unsafe { sys::throng_find_nearest_one(self.get(), &point, &wanted, first, near.len(), &mut total) })?;
        Ok(total)
    }
    pub(crate) fn explain<S: Shape<N>, const N: usize>(&self, asked: &Questions<'_, S>) -> Result<QueryCosts> {
        let mut costs = sys::THRONG_QUERY_COSTS_INIT;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_explain(self.get(), &questions(asked), &mut costs) })?;
        // SAFETY: the library says of both that they are there for ever.
        let (path, reason) = unsafe { (words(costs.path), words(costs.reason)) };
        Ok(QueryCosts {
            path,
            reason,
            rows: costs.rows,
            tested: costs.tested,
            copied: costs.copied,
            hits: [costs.small_agents, costs.giants, costs.statics],
            predicted_nanoseconds: costs.predicted_nanoseconds,
            predicted: [costs.predicted_rows, costs.predicted_tiles, costs.predicted_all],
            large_first: costs.large_first != 0,
        })
    }
}

/// The most answers that there can be.
pub(crate) struct Bounds<'c>(&'c CrowdHandle);

impl Bounds<'_> {
    pub(crate) fn query(&self, questions: u64, sets: u32) -> u64 {
        // SAFETY: Named.
        unsafe { sys::throng_query_bound(self.0.get(), questions, sets) }
    }
    pub(crate) fn answers(&self, order: u32) -> u64 {
        // SAFETY: Named.
        unsafe { sys::throng_answers_bound(self.0.get(), order) }
    }
    pub(crate) fn neighbours(&self, sets: u32) -> u64 {
        // SAFETY: Named.
        unsafe { sys::throng_neighbours_bound(self.0.get(), sets) }
    }
    pub(crate) fn pairs(&self, pair_sets: u32) -> u64 {
        // SAFETY: Named.
        unsafe { sys::throng_pairs_bound(self.0.get(), pair_sets) }
    }
}

pub(crate) fn nearest_bound(questions: u64, k: u32) -> u64 {
    // SAFETY: takes numbers.
    unsafe { sys::throng_nearest_bound(questions, k) }
}

pub(crate) fn reorder<T: Copy>(order: &[u32], values: &mut [T], on: Option<&Executor>) -> Result<()> {
    let array = sys::throng_array { data: values.as_mut_ptr().cast::<c_void>(), bytes: std::mem::size_of::<T>() };
    if order.len() != values.len() {
        return Err(Error::of(sys::THRONG_COUNT_MISMATCH, b"arrays\0"));
    }
    // SAFETY: Borrowed; there are as many values as `order` has ids, and values that are Copy may be moved, or be left
    // in any order, byte by byte.
    check(unsafe { sys::throng_reorder(order.as_ptr(), order.len(), &array, 1, raw(on)) })
}
