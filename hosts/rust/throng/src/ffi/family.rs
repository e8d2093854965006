//! The structures beside crowds.

use super::batch::{hits_room, pairs_room};
use super::{places, visits, *};
use crate::cells::Cell;
use crate::edits::Edit;
use crate::executor::{raw, Executor};
use crate::family::{IndexCounts, IndexSettings};
use crate::questions::Questions;
use crate::Agents;
use std::ops::ControlFlow;

pub(crate) type IndexHandle = Handle<sys::throng_index>;

fn index_settings<const N: usize>(settings: &IndexSettings<N>) -> sys::throng_index_settings {
    let mut raw = sys::throng_index_settings {
        structure: settings.structure as u32,
        dimension: N as u32,
        ..sys::THRONG_INDEX_SETTINGS_INIT
    };
    if let Some(bounds) = &settings.bounds {
        raw.given |= sys::THRONG_GIVEN_BOUNDS;
        raw.lo[..N].copy_from_slice(&bounds.lo);
        raw.hi[..N].copy_from_slice(&bounds.hi);
    }
    if let Some(cell) = &settings.cell {
        raw.given |= sys::THRONG_GIVEN_CELL;
        raw.cell[..N].copy_from_slice(cell);
    }
    raw.kept = kept(settings.keeps_half_extents, settings.keeps_groups);
    raw.common_half_extent[..N].copy_from_slice(&settings.common_half_extent);
    raw
}

pub(crate) fn index<const N: usize>(wanted: &IndexSettings<N>) -> Result<IndexHandle> {
    let raw = index_settings(wanted);
    // SAFETY: Borrowed, Named.
    Handle::make(sys::throng_index_destroy, |out| unsafe { sys::throng_index_create(&raw, out) })
}

impl IndexHandle {
    pub(crate) fn update<const N: usize>(&mut self, agents: &Agents<'_, N>, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_index_update(self.get_mut(), agents.raw()?, raw(on)) })
    }
    pub(crate) fn edit<const N: usize>(&mut self, edit: &Edit<N>) -> Result<()> {
        let edit = (edit as *const Edit<N>).cast::<sys::throng_edit>();
        // SAFETY: Borrowed, Named; an Edit is #[repr(transparent)] over a throng_edit.
        check(unsafe { sys::throng_index_edit(self.get_mut(), edit) })
    }
    pub(crate) fn tidy(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_index_tidy(self.get_mut()) })
    }
    pub(crate) fn clear(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_index_clear(self.get_mut()) })
    }
    pub(crate) fn counts(&self) -> Result<IndexCounts> {
        let mut counts = sys::THRONG_INDEX_COUNTS_INIT;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_index_count(self.get(), &mut counts) })?;
        Ok(IndexCounts { agents: counts.agents, index_bytes: counts.index_bytes, staging_bytes: counts.staging_bytes })
    }
    pub(crate) fn contains(&self, id: u32) -> Result<bool> {
        let mut found = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_index_contains(self.get(), id, &mut found) })?;
        Ok(found != 0)
    }
    pub(crate) fn cells<const N: usize>(&self) -> Result<Vec<Cell<N>>> {
        // SAFETY: Borrowed, Named.
        places::cells(|first, room, total| unsafe { sys::throng_index_cells(self.get(), first, room, total) })
    }

    /// The number of ids, and whether there was room for all.
    pub(crate) fn query<S: Shape<N>, const N: usize>(
        &self,
        asked: &Questions<'_, S>,
        offsets: &mut [u64],
        ids: &mut [u32],
    ) -> (u64, Result<()>) {
        let mut out = hits_room(offsets, ids);
        // SAFETY: Borrowed, Named.
        let status = unsafe { sys::throng_index_query(self.get(), &questions(asked), &mut out) };
        (out.total, check(status))
    }
    pub(crate) fn query_one<S: Shape<N>, const N: usize>(
        &self,
        asked: &Questions<'_, S>,
        ids: &mut [u32],
    ) -> (u64, Result<()>) {
        let (question, mut total) = (questions(asked), 0);
        // SAFETY: Borrowed, Named.
        let status =
            unsafe { sys::throng_index_query_one(self.get(), &question, ids.as_mut_ptr(), ids.len(), &mut total) };
        (total, check(status))
    }
    pub(crate) fn count_one<S: Shape<N>, const N: usize>(&self, asked: &Questions<'_, S>) -> Result<u64> {
        let mut total = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_index_count_one(self.get(), &questions(asked), &mut total) })?;
        Ok(total)
    }
    pub(crate) fn any_one<S: Shape<N>, const N: usize>(&self, asked: &Questions<'_, S>) -> Result<bool> {
        let mut found = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_index_any_one(self.get(), &questions(asked), &mut found) })?;
        Ok(found != 0)
    }
    pub(crate) fn visit_one<S: Shape<N>, const N: usize>(
        &self,
        asked: &Questions<'_, S>,
        see: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<u64> {
        let question = questions(asked);
        // SAFETY: Borrowed, Named.
        visits::visit_ids(see, |visitor, user, out| unsafe {
            sys::throng_index_visit_one(self.get(), &question, visitor, user, out)
        })
    }
    pub(crate) fn visit_pairs(&self, groups: u32, see: impl FnMut(&[u32], &[u32]) -> ControlFlow<()>) -> Result<u64> {
        // SAFETY: Named.
        visits::visit_pairs(see, |visitor, user, out| unsafe {
            sys::throng_index_visit_pairs(self.get(), groups, visitor, user, out)
        })
    }
    /// The number of pairs, and whether there was room for all.
    pub(crate) fn pairs(&self, groups: u32, first: &mut [u32], second: &mut [u32]) -> (u64, Result<()>) {
        let mut out = pairs_room(first, second);
        // SAFETY: Borrowed, Named.
        let status = unsafe { sys::throng_index_find_pairs(self.get(), groups, &mut out) };
        (out.total, check(status))
    }
}
