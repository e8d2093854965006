//! Neighbour lists that last.

use crate::answers::Hits;
use crate::asked::LastingSettings;
use crate::executor::Executor;
use crate::ffi;
use crate::Result;
use std::marker::PhantomData;

/// Lists that are made with a skin around the radius, and kept while agents move little: docs/lasting-neighbours.md.
#[derive(Debug)]
pub struct Lasting<const N: usize> {
    pub(crate) handle: ffi::LastingHandle,
    /// What the handle runs on; it ends after it.
    _executor: Option<Executor>,
    /// As it was when the lists were made.
    pub(crate) order: Vec<u32>,
    dimension: PhantomData<[f32; N]>,
}

/// The lists of a frame.
#[derive(Clone, Copy, Debug)]
pub struct LastingFrame<'l> {
    /// List k is that of `order[k]`: [`Crowd::order`](crate::Crowd::order) when the lists were made.
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
}
