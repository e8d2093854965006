//! A crowd that is asked while it is updated.

use crate::crowd::{Dimension, Settings, Space};
use crate::executor::Executor;
use crate::ffi;
use crate::{Crowd, Result};
use std::marker::PhantomData;

/// The writer of a crowd of which readers keep finished frames: `&mut Published` builds the next, and any
/// number of [`Reader`]s, on any threads, take the last one at any time.
///
/// ```
/// use throng::{Ball, Published};
/// let mut published = Published::<2>::new()?;
/// let reader = published.reader();
/// published.update(&[[1.0, 1.0], [5.0, 5.0]])?;
/// let reading = std::thread::spawn(move || {
///     let snapshot = reader.acquire()?.expect("a frame");
///     snapshot.count_one(&Ball { centre: [0.0, 0.0], radius: 2.0 })
/// });
/// published.update(&[[9.0, 9.0]])?; // meanwhile
/// assert!(reading.join().unwrap()? <= 1);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Debug)]
pub struct Published<const N: usize> {
    pub(crate) handle: ffi::WriterHandle,
    pub(crate) executor: Option<Executor>,
}

impl<const N: usize> Published<N>
where
    Space<N>: Dimension,
{
    pub fn new() -> Result<Self> {
        Self::with(&Settings::default())
    }
    pub fn with(settings: &Settings<N>) -> Result<Self> {
        Ok(Published { handle: ffi::published(settings)?, executor: settings.executor.clone() })
    }
}

impl<const N: usize> Published<N> {
    pub fn reader(&self) -> Reader<N> {
        Reader { handle: self.handle.reader(), dimension: PhantomData }
    }
}

/// Acquires snapshots. Clones read the same crowd.
#[derive(Clone, Debug)]
pub struct Reader<const N: usize> {
    handle: ffi::ReaderHandle,
    dimension: PhantomData<[f32; N]>,
}

impl<const N: usize> Reader<N> {
    /// The last frame; `None` before the first. Never waits for an update.
    pub fn acquire(&self) -> Result<Option<Snapshot<N>>> {
        let acquired = self.handle.acquire()?;
        Ok(acquired.map(|(handle, frame, crowd)| Snapshot { crowd: Crowd::lent(crowd), frame, _handle: handle }))
    }
}

/// A finished frame, to be kept for as long as wanted. It is asked as a [`Crowd`] is, and cannot be changed.
///
/// ```compile_fail,E0596
/// # let mut published = throng::Published::<2>::new().unwrap();
/// # published.update(&[[1.0, 1.0]]).unwrap();
/// let mut snapshot = published.reader().acquire().unwrap().unwrap();
/// snapshot.update(&[[2.0, 2.0]]);
/// ```
#[derive(Debug)]
pub struct Snapshot<const N: usize> {
    crowd: Crowd<N>,
    frame: u64,
    _handle: ffi::SnapshotHandle,
}

impl<const N: usize> Snapshot<N> {
    /// The number of the frame, counted from 1.
    pub fn frame(&self) -> u64 {
        self.frame
    }
}

impl<const N: usize> std::ops::Deref for Snapshot<N> {
    type Target = Crowd<N>;
    fn deref(&self) -> &Crowd<N> {
        &self.crowd
    }
}
