//! Changes for job systems that cut the work themselves.

use crate::edits::Edit;
use crate::ffi;
use crate::{Agents, Crowd, Result};
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
    handle: ffi::ChangeHandle,
}

/// A loop whose blocks are to be run now.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    handle: &'s ffi::ChangeHandle,
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
        self.handle.run(blocks.start, blocks.end)
    }
}

impl Change {
    pub fn new() -> Result<Self> {
        Ok(Change { handle: ffi::change()? })
    }
    /// Replaces all agents. `run` is called for each loop, and runs each of its blocks before it returns; if it leaves
    /// some out, the change fails with [`ExecutorFailed`](crate::Cause::ExecutorFailed), unless the crowd has begun to
    /// change: then they are run here. At most `threads` are let work on a loop; 0: not known.
    pub fn update<'a, const N: usize>(
        &mut self,
        crowd: &mut Crowd<N>,
        agents: impl Into<Agents<'a, N>>,
        threads: usize,
        mut run: impl FnMut(Step<'_>),
    ) -> Result<()> {
        self.handle.update(&mut crowd.handle, &agents.into(), threads, &mut |handle, blocks, threads_worth| {
            run(Step { handle, blocks, threads_worth });
        })
    }
    /// Makes all of these edits, or none.
    pub fn edit<const N: usize>(
        &mut self,
        crowd: &mut Crowd<N>,
        edits: &[Edit<N>],
        mut run: impl FnMut(Step<'_>),
    ) -> Result<()> {
        self.handle.edit(&mut crowd.handle, edits, &mut |handle, blocks, threads_worth| {
            run(Step { handle, blocks, threads_worth });
        })
    }
}
