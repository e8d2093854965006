//! Closures that C calls. A panic must not cross C: it waits until C has returned, and then goes on.

use super::*;
use crate::asked::Pairing;
use crate::questions::Questions;
use crate::Agents;
use std::any::Any;
use std::ffi::c_void;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

type Panic = Box<dyn Any + Send>;

/// A closure that the calling thread alone calls, and its panic.
pub(super) struct Visitor<F> {
    see: F,
    panic: Option<Panic>,
}

impl<F> Visitor<F> {
    pub(super) fn new(see: F) -> Self {
        Visitor { see, panic: None }
    }
    pub(super) fn user(&mut self) -> *mut c_void {
        (self as *mut Self).cast::<c_void>()
    }
    /// Whether it wants to see more.
    fn call(&mut self, call: impl FnOnce(&mut F) -> ControlFlow<()>) -> i32 {
        match catch_unwind(AssertUnwindSafe(|| call(&mut self.see))) {
            Ok(flow) => i32::from(flow.is_continue()),
            Err(panic) => {
                self.panic = Some(panic);
                0
            }
        }
    }
    /// What the call has come to.
    pub(super) fn end(self, status: sys::throng_status, visited: u64) -> Result<u64> {
        match self.panic {
            Some(panic) => resume_unwind(panic),
            None => check(status).map(|()| visited),
        }
    }
}

/// # Safety
/// C calls it with `count` ids, and with what `Visitor::user` was, of a visitor that is used for nothing else meanwhile.
pub(super) unsafe extern "C" fn see_ids<F: FnMut(&[u32]) -> ControlFlow<()>>(
    ids: *const u32,
    count: usize,
    user: *mut c_void,
) -> i32 {
    let ids = slice(ids, count as u64);
    (*user.cast::<Visitor<F>>()).call(|see| see(ids))
}

/// # Safety
/// The same, with `count` ids in each array.
pub(super) unsafe extern "C" fn see_pairs<F: FnMut(&[u32], &[u32]) -> ControlFlow<()>>(
    first: *const u32,
    second: *const u32,
    count: usize,
    user: *mut c_void,
) -> i32 {
    let (first, second) = (slice(first, count as u64), slice(second, count as u64));
    (*user.cast::<Visitor<F>>()).call(|see| see(first, second))
}

impl CrowdHandle {
    pub(crate) fn visit_one<S: Shape<N>, F: FnMut(&[u32]) -> ControlFlow<()>, const N: usize>(
        &self,
        asked: &Questions<'_, S>,
        see: F,
    ) -> Result<u64> {
        let (mut visitor, mut visited) = (Visitor::new(see), 0);
        let question = questions(asked);
        // SAFETY: Borrowed, Named; C calls see_ids() as it demands, until it returns.
        let status =
            unsafe { sys::throng_visit_one(self.get(), &question, Some(see_ids::<F>), visitor.user(), &mut visited) };
        visitor.end(status, visited)
    }
    pub(crate) fn visit_pairs<F: FnMut(&[u32], &[u32]) -> ControlFlow<()>>(
        &self,
        wanted: &Pairing,
        see: F,
    ) -> Result<u64> {
        let (mut visitor, mut visited) = (Visitor::new(see), 0);
        let wanted = pairing(wanted);
        // SAFETY: Borrowed, Named; C calls see_pairs() as it demands, until it returns.
        let status =
            unsafe { sys::throng_visit_pairs(self.get(), &wanted, Some(see_pairs::<F>), visitor.user(), &mut visited) };
        visitor.end(status, visited)
    }
}

/// A closure that any threads call, and the first panic.
struct SharedVisitor<F> {
    see: F,
    panicked: AtomicBool,
    panic: Mutex<Option<Panic>>,
}

/// # Safety
/// C calls it with `count` ids, and the address of a visitor that is only shared meanwhile.
unsafe extern "C" fn see_neighbours<F: Fn(u32, &[u32]) + Sync>(
    agent: u32,
    neighbours: *const u32,
    count: usize,
    user: *mut c_void,
) {
    let visitor = &*user.cast::<SharedVisitor<F>>();
    // C cannot be told to stop.
    if visitor.panicked.load(Ordering::Relaxed) {
        return;
    }
    let neighbours = slice(neighbours, count as u64);
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (visitor.see)(agent, neighbours))) {
        if !visitor.panicked.swap(true, Ordering::Relaxed) {
            *visitor.panic.lock().unwrap() = Some(panic);
        }
    }
}

impl LastingHandle {
    pub(crate) fn visit<F: Fn(u32, &[u32]) + Sync, const N: usize>(
        &mut self,
        agents: &Agents<'_, N>,
        see: F,
    ) -> Result<()> {
        let agents = agents.raw()?;
        let visitor = SharedVisitor { see, panicked: AtomicBool::new(false), panic: Mutex::new(None) };
        let user = (&visitor as *const SharedVisitor<F> as *mut SharedVisitor<F>).cast::<c_void>();
        // SAFETY: Borrowed, Named; C calls see_neighbours() as it demands, and no more when it has returned.
        let status = unsafe { sys::throng_lasting_visit(self.get_mut(), agents, Some(see_neighbours::<F>), user) };
        match visitor.panic.into_inner().unwrap() {
            Some(panic) => resume_unwind(panic),
            None => check(status),
        }
    }
}
