//! Neighbour lists that last.

use crate::answers::Hits;
use crate::executor::Executor;
use crate::ffi;
use crate::questions::{Sets, ALL_GROUPS};
use crate::{Agents, Crowd, Result};
use std::marker::PhantomData;

/// Which lists are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastingSettings {
    pub radius: f32,
    /// Lists hold while no agent has moved farther than half of it. 0: new lists whenever an agent has moved at all.
    pub skin: f32,
    /// Of the agents to be found.
    pub groups: u32,
    /// Of the agents to be found.
    pub sets: Sets,
    pub with_self: bool,
    /// Each agent finds only those that come after it in the order of the lists, and statics.
    pub later_only: bool,
}

impl LastingSettings {
    pub fn within(radius: f32, skin: f32) -> Self {
        LastingSettings { radius, skin, groups: ALL_GROUPS, sets: Sets::EVERYBODY, with_self: false, later_only: false }
    }
}

/// Lists that are made with a skin around the radius, and kept while agents move little: docs/lasting-neighbours.md.
#[derive(Debug)]
pub struct Lasting<const N: usize> {
    pub(crate) handle: ffi::LastingHandle,
    /// What the handle runs on; it ends after it.
    _executor: Option<Executor>,
    /// As it was when the lists were made.
    order: Vec<u32>,
    dimension: PhantomData<[f32; N]>,
}

/// The lists of a frame.
#[derive(Clone, Copy, Debug)]
pub struct LastingFrame<'l> {
    /// List k is that of `order[k]`: [`Crowd::order`] when the lists were made.
    pub order: &'l [u32],
    /// All agents that are within the radius now, and some that are farther away.
    pub candidates: Hits<'l>,
    /// How often lists were made.
    pub made: u64,
    /// How many frames have kept these; 0 in the frame that made them.
    pub lasted: u64,
    /// The farthest that any agent has been from where it was then.
    pub moved: f32,
}

/// The candidates that are within the radius now.
#[derive(Clone, Copy, Debug)]
pub struct LastingHits<'l> {
    /// Answer k is that of `order[k]`.
    pub order: &'l [u32],
    pub hits: Hits<'l>,
}

impl<const N: usize> Lasting<N> {
    /// On the default executor.
    pub fn new(settings: &LastingSettings) -> Result<Self> {
        Self::make(settings, None)
    }
    pub fn on(settings: &LastingSettings, executor: &Executor) -> Result<Self> {
        Self::make(settings, Some(executor))
    }
    fn make(settings: &LastingSettings, executor: Option<&Executor>) -> Result<Self> {
        let handle = ffi::lasting(settings, executor)?;
        Ok(Lasting { handle, _executor: executor.cloned(), order: Vec::new(), dimension: PhantomData })
    }
    /// The next frame. Keeps the lists if they hold for these agents, else updates the crowd and makes new ones.
    pub fn update<'a>(&mut self, crowd: &mut Crowd<N>, agents: impl Into<Agents<'a, N>>) -> Result<LastingFrame<'_>> {
        let frame = self.handle.update(&mut crowd.handle, &agents.into())?;
        // Only new lists have another order, so this costs nothing while they last.
        if frame.lasted == 0 {
            self.order.clear();
            self.order.extend_from_slice(frame.order);
        }
        Ok(frame)
    }
    /// The candidates that are within the radius of each agent, at the positions of the last frame, or others for which
    /// the lists hold too.
    pub fn neighbours<'a>(&mut self, agents: impl Into<Agents<'a, N>>) -> Result<LastingHits<'_>> {
        let hits = self.handle.neighbours(&agents.into())?;
        Ok(LastingHits { order: &self.order, hits })
    }
    /// Bytes of lists, answers and scratch.
    pub fn memory(&mut self) -> Result<u64> {
        self.handle.memory()
    }
    /// Gives all of it back; the next frame makes new lists.
    pub fn release(&mut self) -> Result<()> {
        self.handle.release()
    }
}
