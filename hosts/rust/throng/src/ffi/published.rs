//! Snapshots.

use super::*;
use crate::crowd::Settings;
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
    /// There is one writer.
    pub(super) fn get_mut(&mut self) -> *mut sys::throng_published {
        self.0.raw
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
