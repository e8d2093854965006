//! Snapshots, and changes in steps.

use super::*;
use crate::crowd::Settings;
use crate::edits::Edit;
use crate::executor::{raw, Executor};
use crate::Agents;
use std::sync::Arc;

/// The one that changes what is published. It cannot be cloned, so its exclusive borrow is that of the writer.
#[derive(Debug)]
pub(crate) struct WriterHandle(Arc<Handle<sys::throng_published>>);
/// One that acquires snapshots, which may overlap with everything.
#[derive(Clone, Debug)]
pub(crate) struct ReaderHandle(Arc<Handle<sys::throng_published>>);
pub(crate) type SnapshotHandle = Handle<sys::throng_snapshot>;

pub(crate) fn published<const N: usize>(wanted: &Settings<N>) -> Result<WriterHandle> {
    let raw = settings(wanted);
    let handle = Handle::make(sys::throng_published_destroy, |out| {
        // SAFETY: Borrowed, Named.
        unsafe { sys::throng_published_create(&raw, out) }
    })?;
    Ok(WriterHandle(Arc::new(handle)))
}

impl WriterHandle {
    pub(crate) fn update<const N: usize>(&mut self, agents: &Agents<'_, N>, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Borrowed, Named; one writer.
        check(unsafe { sys::throng_published_update(self.0.raw, agents.raw()?, raw(on)) })
    }
    pub(crate) fn reserve(&mut self, agents: usize, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Named; one writer.
        check(unsafe { sys::throng_published_reserve(self.0.raw, agents, raw(on)) })
    }
    pub(crate) fn set_statics<const N: usize>(&mut self, statics: &Agents<'_, N>, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Borrowed, Named; one writer.
        check(unsafe { sys::throng_published_set_statics(self.0.raw, statics.raw()?, raw(on)) })
    }
    pub(crate) fn reader(&self) -> ReaderHandle {
        ReaderHandle(Arc::clone(&self.0))
    }
}

impl ReaderHandle {
    /// The last frame, if there is one: the snapshot, its number, and its crowd, which ends with it.
    pub(crate) fn acquire(&self) -> Result<Option<(SnapshotHandle, u64, CrowdHandle)>> {
        let snapshot = Handle::make(sys::throng_snapshot_release, |out| {
            // SAFETY: Borrowed, Named.
            unsafe { sys::throng_snapshot_acquire(self.0.get(), out) }
        })?;
        if snapshot.raw.is_null() {
            return Ok(None);
        }
        let (mut frame, mut crowd) = (0, std::ptr::null_mut());
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_snapshot_look(snapshot.get(), &mut frame, &mut crowd) })?;
        Ok(Some((snapshot, frame, Handle::lent(crowd))))
    }
}

pub(crate) type ChangeHandle = Handle<sys::throng_change>;

pub(crate) fn change() -> Result<ChangeHandle> {
    // SAFETY: Borrowed.
    Handle::make(sys::throng_change_destroy, |out| unsafe { sys::throng_change_create(out) })
}

impl ChangeHandle {
    pub(crate) fn update<const N: usize>(
        &mut self,
        of: &mut CrowdHandle,
        agents: &Agents<'_, N>,
        threads: usize,
        run: &mut dyn FnMut(&ChangeHandle, usize, usize),
    ) -> Result<()> {
        let agents = agents.raw()?;
        // SAFETY: Borrowed, Named: in_steps() returns when the change is over, so the arrays stay until then.
        self.in_steps(run, |change, out| unsafe {
            sys::throng_change_update(change, of.get_mut(), agents, threads, out)
        })
    }
    pub(crate) fn edit<const N: usize>(
        &mut self,
        of: &mut CrowdHandle,
        edits: &[Edit<N>],
        run: &mut dyn FnMut(&ChangeHandle, usize, usize),
    ) -> Result<()> {
        let first = edits.as_ptr().cast::<sys::throng_edit>();
        // SAFETY: the same; an Edit is #[repr(transparent)] over a throng_edit.
        self.in_steps(run, |change, out| unsafe {
            sys::throng_change_edit(change, of.get_mut(), first, edits.len(), out)
        })
    }
    /// Loop after loop, until there are no blocks any more, or the change is given up.
    fn in_steps(
        &mut self,
        run: &mut dyn FnMut(&ChangeHandle, usize, usize),
        begin: impl FnOnce(*mut sys::throng_change, *mut sys::throng_loop) -> sys::throng_status,
    ) -> Result<()> {
        let mut now = sys::THRONG_LOOP_INIT;
        let begun = GivenUp(self);
        check(begin(begun.0.raw, &mut now))?;
        while now.blocks != 0 {
            run(begun.0, now.blocks, now.threads_worth);
            // SAFETY: Borrowed, Named; what `run` was lent has come back, so no block runs any more.
            check(unsafe { sys::throng_change_next(begun.0.raw, &mut now) })?;
        }
        Ok(())
    }
    /// Runs blocks. C lets these calls overlap, so a shared borrow is enough.
    pub(crate) fn run(&self, begin: usize, end: usize) -> Result<()> {
        // SAFETY: Named; the arrays of the change are borrowed by update(), which has not returned.
        check(unsafe { sys::throng_change_run(self.raw, begin, end) })
    }
}

/// Gives up what has not ended, also where `run` panics: the arrays may go when update() has returned.
struct GivenUp<'c>(&'c mut ChangeHandle);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        // SAFETY: Named; no block runs any more.
        let _ = unsafe { sys::throng_change_cancel(self.0.raw) };
    }
}
