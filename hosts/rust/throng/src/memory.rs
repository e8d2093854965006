//! How much memory crowds may take.

use crate::ffi;
use crate::Result;
use std::sync::Arc;
use throng_sys as sys;

/// A cap on the memory of crowds: a call that would exceed it is refused with [`crate::Cause::OverMemory`], and has
/// changed nothing. Clones are the same memory.
#[derive(Clone, Debug)]
pub struct Memory(Arc<ffi::MemoryHandle>);

/// Bytes in use, the most so far, and the number of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryCounts {
    pub used: u64,
    pub peak: u64,
    pub refused: u64,
}

impl Memory {
    /// At most this many bytes in use at a time; 0: no cap.
    pub fn capped(bytes: u64) -> Result<Self> {
        Ok(Memory(Arc::new(ffi::memory(bytes)?)))
    }
    pub fn counts(&self) -> Result<MemoryCounts> {
        self.0.counts()
    }
    pub(crate) fn raw(&self) -> *mut sys::throng_memory {
        self.0.shared()
    }
}
