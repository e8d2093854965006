//! Pairs over time.

use crate::executor::Executor;
use crate::ffi;
use crate::Result;
use std::marker::PhantomData;
use throng_sys::THRONG_NO_CONTACT;

/// Two ids, of which `first` is the smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C)]
pub struct Contact {
    pub first: u32,
    pub second: u32,
}

/// Which pairs begin, which last and which end, from one frame to the next. Keeps the pairs of the last frame.
#[derive(Debug)]
pub struct Contacts<const N: usize> {
    pub(crate) handle: ffi::ContactsHandle,
    /// What the handle runs on; it ends after it.
    _executor: Option<Executor>,
    dimension: PhantomData<[f32; N]>,
}

/// The pairs of a frame.
#[derive(Clone, Copy, Debug)]
pub struct ContactFrame<'c> {
    pub(crate) pairs: &'c [Contact],
    pub(crate) previous: &'c [u32],
    pub(crate) began: &'c [u32],
    pub(crate) ended: &'c [Contact],
    pub(crate) ended_previous: &'c [u32],
}

impl<'c> ContactFrame<'c> {
    /// In ascending order of their first ids, then of their second.
    pub fn pairs(&self) -> &'c [Contact] {
        self.pairs
    }
    /// Where pair `i` was in the frame before; `None`: it begins.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn previous(&self, i: usize) -> Option<usize> {
        let index = self.previous[i];
        (index != THRONG_NO_CONTACT).then_some(index as usize)
    }
    /// The indices of the pairs that begin, ascending.
    pub fn began(&self) -> &'c [u32] {
        self.began
    }
    /// The pairs of the frame before that have ended.
    pub fn ended(&self) -> &'c [Contact] {
        self.ended
    }
    /// The index of each of these in the frame before.
    pub fn ended_previous(&self) -> &'c [u32] {
        self.ended_previous
    }
}

impl<const N: usize> Contacts<N> {
    /// On the default executor.
    pub fn new() -> Result<Self> {
        Self::make(None)
    }
    pub fn on(executor: &Executor) -> Result<Self> {
        Self::make(Some(executor))
    }
    fn make(executor: Option<&Executor>) -> Result<Self> {
        let handle = ffi::contacts(executor)?;
        Ok(Contacts { handle, _executor: executor.cloned(), dimension: PhantomData })
    }
}
