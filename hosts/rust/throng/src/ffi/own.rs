//! Memory and executors.

use super::{check, Handle};
use crate::executor::{ExecutorFacts, ExecutorKind, JobSystem};
use crate::memory::MemoryCounts;
use crate::Result;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::panic::{catch_unwind, AssertUnwindSafe};
use throng_sys as sys;

pub(crate) type MemoryHandle = Handle<sys::throng_memory>;
pub(crate) type ExecutorHandle = Handle<sys::throng_executor>;

pub(crate) fn memory(cap: u64) -> Result<MemoryHandle> {
    let settings = sys::throng_memory_settings { cap, ..sys::THRONG_MEMORY_SETTINGS_INIT };
    // SAFETY: Borrowed.
    Handle::make(sys::throng_memory_destroy, |out| unsafe { sys::throng_memory_create(&settings, out) })
}

impl MemoryHandle {
    /// For settings: whatever takes from it keeps it alive, and memory serves any number of calls.
    pub(crate) fn shared(&self) -> *mut sys::throng_memory {
        self.raw
    }
    pub(crate) fn counts(&self) -> Result<MemoryCounts> {
        let mut counts = sys::THRONG_MEMORY_COUNTS_INIT;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_memory_count(self.get(), &mut counts) })?;
        Ok(MemoryCounts { used: counts.used, peak: counts.peak, refused: counts.refused })
    }
}

pub(crate) fn executor(kind: u32, threads: usize) -> Result<ExecutorHandle> {
    Handle::make(sys::throng_executor_destroy, |out| {
        // SAFETY: Borrowed.
        unsafe { sys::throng_executor_create_kind(kind, threads, out) }
    })
}

/// What an executor is, or, without one, what the default is.
pub(crate) fn describe(executor: Option<&ExecutorHandle>) -> Result<ExecutorFacts> {
    let mut facts = sys::THRONG_EXECUTOR_FACTS_INIT;
    let executor = executor.map_or(std::ptr::null(), Handle::get);
    // SAFETY: Borrowed, Named.
    check(unsafe { sys::throng_executor_describe(executor, &mut facts) })?;
    let kind = match facts.kind {
        sys::THRONG_SERIAL => ExecutorKind::Serial,
        sys::THRONG_TBB => ExecutorKind::Tbb,
        sys::THRONG_CALLBACKS => ExecutorKind::JobSystem,
        _ => ExecutorKind::Pool,
    };
    Ok(ExecutorFacts { kind, threads: (facts.threads != 0).then_some(facts.threads) })
}

impl ExecutorHandle {
    /// For any call: an executor runs any number of loops at once.
    pub(crate) fn shared(&self) -> *mut sys::throng_executor {
        self.raw
    }
}

/// An executor that runs on a job system of the host's, and that system, which must live as long as anything runs on the
/// executor: its address is told to C.
pub(crate) fn job_system(system: Box<dyn JobSystem>) -> Result<(ExecutorHandle, Box<Box<dyn JobSystem>>)> {
    let system = Box::new(system);
    let callbacks = sys::throng_executor_callbacks {
        enqueue: Some(enqueue),
        user: (&*system as *const Box<dyn JobSystem> as *mut Box<dyn JobSystem>).cast::<c_void>(),
        threads: system.threads(),
        ..sys::THRONG_EXECUTOR_CALLBACKS_INIT
    };
    let handle = Handle::make(sys::throng_executor_destroy, |out| {
        // SAFETY: Borrowed.
        unsafe { sys::throng_executor_create(&callbacks, out) }
    })?;
    Ok((handle, system))
}

/// # Safety
/// C calls it with what job_system() has told it.
unsafe extern "C" fn enqueue(
    job: sys::throng_job,
    count: usize,
    context: *mut c_void,
    user: *mut c_void,
) -> *mut c_void {
    let system = &*user.cast::<Box<dyn JobSystem>>();
    let jobs = Jobs { job, context, begin: 0, end: count, call: PhantomData };
    // A panic must not cross C. Jobs that were not run then make the call fail.
    let _ = catch_unwind(AssertUnwindSafe(|| system.run(jobs)));
    std::ptr::null_mut()
}

/// Jobs that are to be run, each once. Those that are dropped instead make the call fail with
/// [`ExecutorFailed`](crate::Cause::ExecutorFailed).
#[derive(Debug)]
#[must_use]
pub struct Jobs<'j> {
    job: sys::throng_job,
    context: *mut c_void,
    begin: usize,
    end: usize,
    /// Until then the context is there.
    call: PhantomData<&'j ()>,
}

// SAFETY: C lets jobs be run on any threads.
unsafe impl Send for Jobs<'_> {}

impl<'j> Jobs<'j> {
    pub fn len(&self) -> usize {
        self.end - self.begin
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The first `count` jobs, or all if there are fewer, and the others.
    pub fn split_at(self, count: usize) -> (Jobs<'j>, Jobs<'j>) {
        let middle = self.begin + count.min(self.len());
        (Jobs { end: middle, ..self }, Jobs { begin: middle, ..self })
    }
    /// Runs them, on the calling thread.
    pub fn run(self) {
        if let Some(job) = self.job {
            // SAFETY: C has handed out this job and its context for a call that has not returned, which 'j stands for; each
            // number is in one Jobs alone, and running takes it.
            unsafe { job(self.begin, self.end, self.context) };
        }
    }
}
