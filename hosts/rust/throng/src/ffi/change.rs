//! Changes for job systems that cut the work themselves.

use super::*;
use crate::edits::Edit;
use crate::{Agents, Crowd};
use std::ops::Range;

/// Gives out the blocks of an update, or of a list of edits, loop by loop, to be run on any threads. The crowd then has
/// what [`Crowd::update`] or [`Crowd::edit`] would have given it, to the bit.
///
/// ```
/// # let positions = [[1.0, 1.0], [5.0, 5.0]];
/// # let mut crowd = throng::Crowd::<2>::new()?;
/// let mut change = throng::Change::new()?;
/// change.update(&mut crowd, &positions, 2, |step| {
///     let half = step.blocks() / 2;
///     std::thread::scope(|scope| {
///         scope.spawn(|| step.run(0..half));
///         step.run(half..step.blocks()).unwrap();
///     });
/// })?;
/// assert_eq!(crowd.counts()?.agents, 2);
/// # Ok::<(), throng::Error>(())
/// ```
///
/// A step ends with its call:
///
/// ```compile_fail,E0521
/// # let mut crowd = throng::Crowd::<2>::new().unwrap();
/// let mut kept = None;
/// throng::Change::new().unwrap().update(&mut crowd, &[[1.0, 1.0]], 1, |step| kept = Some(step));
/// ```
#[derive(Debug)]
pub struct Change {
    handle: Handle<sys::throng_change>,
}

/// A loop whose blocks are to be run now.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    handle: &'s Handle<sys::throng_change>,
    blocks: usize,
    threads_worth: usize,
}

impl Step<'_> {
    pub fn blocks(&self) -> usize {
        self.blocks
    }
    /// More threads than that gain nothing.
    pub fn threads_worth(&self) -> usize {
        self.threads_worth
    }
    /// Runs some blocks. Calls may overlap, on any threads. A block that was run before is not run again.
    pub fn run(&self, blocks: Range<usize>) -> Result<()> {
        // SAFETY: Named; the arrays of the change are borrowed by update(), which has not returned. C lets these calls
        // overlap, so a shared borrow is enough.
        check(unsafe { sys::throng_change_run(self.handle.raw, blocks.start, blocks.end) })
    }
}

impl Change {
    pub fn new() -> Result<Self> {
        // SAFETY: Borrowed.
        let handle = Handle::make(sys::throng_change_destroy, |out| unsafe { sys::throng_change_create(out) })?;
        Ok(Change { handle })
    }
    /// Replaces all agents. `run` is called for each loop, and runs each of its blocks before it returns; if it leaves
    /// some out, the change fails with [`ExecutorFailed`](crate::Cause::ExecutorFailed), unless the crowd has begun to
    /// change: then they are run here. At most `threads` are let work on a loop; 0: not known.
    pub fn update<'a, const N: usize>(
        &mut self,
        crowd: &mut Crowd<N>,
        agents: impl Into<Agents<'a, N>>,
        threads: usize,
        run: impl FnMut(Step<'_>),
    ) -> Result<()> {
        let agents = agents.into();
        let agents = agents.raw()?;
        // SAFETY: Borrowed, Named: in_steps() returns when the change is over, so the arrays stay until then.
        self.in_steps(run, |change, out| unsafe {
            sys::throng_change_update(change, crowd.handle.get_mut(), agents, threads, out)
        })
    }
    /// Makes all of these edits, or none.
    pub fn edit<const N: usize>(
        &mut self,
        crowd: &mut Crowd<N>,
        edits: &[Edit<N>],
        run: impl FnMut(Step<'_>),
    ) -> Result<()> {
        let first = edits.as_ptr().cast::<sys::throng_edit>();
        // SAFETY: the same; an Edit is #[repr(transparent)] over a throng_edit.
        self.in_steps(run, |change, out| unsafe {
            sys::throng_change_edit(change, crowd.handle.get_mut(), first, edits.len(), out)
        })
    }
    /// Loop after loop, until there are no blocks any more, or the change is given up.
    fn in_steps(
        &mut self,
        mut run: impl FnMut(Step<'_>),
        begin: impl FnOnce(*mut sys::throng_change, *mut sys::throng_loop) -> sys::throng_status,
    ) -> Result<()> {
        let mut now = sys::THRONG_LOOP_INIT;
        let begun = GivenUp(&mut self.handle);
        check(begin(begun.0.raw, &mut now))?;
        while now.blocks != 0 {
            run(Step { handle: begun.0, blocks: now.blocks, threads_worth: now.threads_worth });
            // SAFETY: Borrowed, Named; what `run` was lent has come back, so no block runs any more.
            check(unsafe { sys::throng_change_next(begun.0.raw, &mut now) })?;
        }
        Ok(())
    }
}

/// Gives up what has not ended, also where `run` panics: the arrays may go when update() has returned.
struct GivenUp<'c>(&'c mut Handle<sys::throng_change>);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        // SAFETY: Named; no block runs any more.
        let _ = unsafe { sys::throng_change_cancel(self.0.raw) };
    }
}
