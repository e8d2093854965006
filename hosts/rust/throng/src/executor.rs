//! Where the work runs.

use crate::ffi;
use crate::Result;
use std::sync::Arc;
use throng_sys as sys;

/// Runs the blocks of updates and batches. Clones are the same executor. Without one, calls run on the default: oneTBB if
/// the library was built with it, else threads that all calls share. Results are the same to the bit on each.
///
/// A job system of yours is one, too:
///
/// ```
/// use throng::{Crowd, Executor, JobSystem, Jobs, Settings};
/// struct TwoThreads;
/// impl JobSystem for TwoThreads {
///     fn run(&self, jobs: Jobs<'_>) {
///         let half = jobs.len() / 2;
///         let (some, others) = jobs.split_at(half);
///         std::thread::scope(|scope| {
///             scope.spawn(|| some.run());
///             others.run();
///         });
///     }
/// }
/// let executor = Executor::job_system(TwoThreads)?;
/// let mut crowd = Crowd::<2>::with(&Settings { executor: Some(executor), ..Settings::default() })?;
/// crowd.update(&vec![[1.0, 2.0]; 100_000])?;
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Executor(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    handle: ffi::ExecutorHandle,
    /// Whatever runs on the executor keeps a clone of it, so this outlives all of its calls.
    _system: Option<System>,
}

struct System(#[allow(dead_code)] Box<Box<dyn JobSystem>>);

impl std::fmt::Debug for System {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("JobSystem")
    }
}

pub use ffi::Jobs;

/// Threads of the host's that run jobs. It is called from any thread, for several loops at once.
pub trait JobSystem: Send + Sync {
    /// Runs all of these jobs, on any threads, and returns when they have been run. Those that were not run, as after a
    /// panic, make the call that needed them fail.
    fn run(&self, jobs: Jobs<'_>);
    /// How many threads work on a loop at most, the calling one included; 0: not known.
    fn threads(&self) -> usize {
        0
    }
}

/// How an executor runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExecutorKind {
    /// The calling thread alone.
    Serial,
    /// oneTBB, in the arena of whoever calls.
    Tbb,
    /// Threads of the library's own.
    Pool,
    /// A [`JobSystem`].
    JobSystem,
}

/// What an executor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutorFacts {
    pub kind: ExecutorKind,
    /// That may work on a call from this thread, it included, where that is known.
    pub threads: Option<usize>,
}

impl Executor {
    /// The calling thread.
    pub fn serial() -> Result<Self> {
        Self::make(sys::THRONG_SERIAL, 1)
    }
    /// Threads of the library's own, that many with the calling one, which end with the executor; 0: one for each
    /// processor.
    pub fn pool(threads: usize) -> Result<Self> {
        Self::make(sys::THRONG_POOL, threads)
    }
    /// At most that many threads of oneTBB; 0: all of the arena that a call comes from. Refused if the library was built
    /// without it.
    pub fn tbb(threads: usize) -> Result<Self> {
        Self::make(sys::THRONG_TBB, threads)
    }
    fn make(kind: u32, threads: usize) -> Result<Self> {
        Ok(Executor(Arc::new(Inner { handle: ffi::executor(kind, threads)?, _system: None })))
    }
    /// The threads of a job system.
    pub fn job_system(system: impl JobSystem + 'static) -> Result<Self> {
        let (handle, system) = ffi::job_system(Box::new(system))?;
        Ok(Executor(Arc::new(Inner { handle, _system: Some(System(system)) })))
    }
    pub fn describe(&self) -> Result<ExecutorFacts> {
        ffi::describe(Some(&self.0.handle))
    }
    /// What calls without an executor run on.
    pub fn describe_default() -> Result<ExecutorFacts> {
        ffi::describe(None)
    }
}

/// For C: NULL is the default.
pub(crate) fn raw(executor: Option<&Executor>) -> *mut sys::throng_executor {
    executor.map_or(std::ptr::null_mut(), |executor| executor.0.handle.shared())
}
