//! Closures that C calls. A panic must not cross C: it waits until C has returned, and then goes on.

use super::*;
use crate::asked::Pairing;
use crate::questions::Questions;
use crate::shapes::CrowdShape;
use crate::{Agents, Crowd, Lasting};
use std::any::Any;
use std::ffi::c_void;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

type Panic = Box<dyn Any + Send>;

/// A closure that the calling thread alone calls, and its panic.
struct Visitor<F> {
    see: F,
    panic: Option<Panic>,
}

impl<F> Visitor<F> {
    fn new(see: F) -> Self {
        Visitor { see, panic: None }
    }
    fn user(&mut self) -> *mut c_void {
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
    fn end(self, status: sys::throng_status, visited: u64) -> Result<u64> {
        match self.panic {
            Some(panic) => resume_unwind(panic),
            None => check(status).map(|()| visited),
        }
    }
}

// By these the type of a closure becomes that of what calls it.

impl<F: FnMut(&[u32]) -> ControlFlow<()>> Visitor<F> {
    fn sees_ids(&self) -> sys::throng_visitor {
        Some(see_ids::<F>)
    }
}
impl<F: FnMut(&[u32], &[u32]) -> ControlFlow<()>> Visitor<F> {
    fn sees_pairs(&self) -> sys::throng_pair_visitor {
        Some(see_pairs::<F>)
    }
}
impl<F: Fn(u32, &[u32]) + Sync> SharedVisitor<F> {
    fn sees_neighbours(&self) -> sys::throng_neighbour_visitor {
        Some(see_neighbours::<F>)
    }
}

/// # Safety
/// C calls it with `count` ids, and with what `Visitor::user` was, of a visitor that is used for nothing else meanwhile.
unsafe extern "C" fn see_ids<F: FnMut(&[u32]) -> ControlFlow<()>>(
    ids: *const u32,
    count: usize,
    user: *mut c_void,
) -> i32 {
    let ids = slice(ids, count as u64);
    (*user.cast::<Visitor<F>>()).call(|see| see(ids))
}

/// # Safety
/// The same, with `count` ids in each array.
unsafe extern "C" fn see_pairs<F: FnMut(&[u32], &[u32]) -> ControlFlow<()>>(
    first: *const u32,
    second: *const u32,
    count: usize,
    user: *mut c_void,
) -> i32 {
    let (first, second) = (slice(first, count as u64), slice(second, count as u64));
    (*user.cast::<Visitor<F>>()).call(|see| see(first, second))
}

impl<const N: usize> Crowd<N> {
    /// Hands the ids that a shape finds to `see`, some at a time, on the calling thread: small agents first, then giants,
    /// then statics. Returns how many were handed over. A panic goes on in the caller.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// # use throng::{Ball, Crowd};
    /// # let mut crowd = Crowd::<2>::new()?;
    /// # crowd.update(&[[1.0, 1.0], [5.0, 5.0]])?;
    /// let mut first = None;
    /// crowd.visit_one(&Ball { centre: [0.0, 0.0], radius: 9.0 }, |ids| {
    ///     first = ids.first().copied();
    ///     ControlFlow::Break(())
    /// })?;
    /// assert!(first.is_some());
    /// # Ok::<(), throng::Error>(())
    /// ```
    ///
    /// The crowd may be asked meanwhile, and not changed:
    ///
    /// ```compile_fail,E0502
    /// # use throng::{Ball, Crowd};
    /// # let mut crowd = Crowd::<2>::new().unwrap();
    /// crowd.visit_one(&Ball { centre: [0.0, 0.0], radius: 9.0 }, |_| {
    ///     crowd.clear().unwrap();
    ///     std::ops::ControlFlow::Continue(())
    /// });
    /// ```
    pub fn visit_one<'q, S: CrowdShape<N> + 'q>(
        &self,
        question: impl Into<Questions<'q, S>>,
        see: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<u64> {
        let question = question.into();
        let (mut visitor, mut visited, asked) = (Visitor::new(see), 0, questions(&question));
        let (see, user) = (visitor.sees_ids(), visitor.user());
        // SAFETY: Borrowed, Named; C calls see_ids() as it demands, until it returns.
        let status = unsafe { sys::throng_visit_one(self.handle.get(), &asked, see, user, &mut visited) };
        visitor.end(status, visited)
    }
    /// Hands pairs that overlap to `see`, first and second, some at a time: each once, and the same way round as in
    /// [`crate::Batch::pairs`], which also finds those that are near each other. Returns how many were handed over.
    pub fn visit_pairs(&self, wanted: &Pairing, see: impl FnMut(&[u32], &[u32]) -> ControlFlow<()>) -> Result<u64> {
        let (mut visitor, mut visited, wanted) = (Visitor::new(see), 0, wanted.raw());
        let (see, user) = (visitor.sees_pairs(), visitor.user());
        // SAFETY: Borrowed, Named; C calls see_pairs() as it demands, until it returns.
        let status = unsafe { sys::throng_visit_pairs(self.handle.get(), &wanted, see, user, &mut visited) };
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

impl<const N: usize> Lasting<N> {
    /// What [`Lasting::neighbours`] lists, without a list: calls `see` once for every agent, with its neighbours, from
    /// several threads at once. If it panics, no more agents are looked at, and the panic goes on in the caller.
    pub fn visit<'a>(&mut self, agents: impl Into<Agents<'a, N>>, see: impl Fn(u32, &[u32]) + Sync) -> Result<()> {
        let agents = agents.into();
        let visitor = SharedVisitor { see, panicked: AtomicBool::new(false), panic: Mutex::new(None) };
        let (see, user) = (visitor.sees_neighbours(), &visitor as *const SharedVisitor<_> as *mut c_void);
        // SAFETY: Borrowed, Named; C calls see_neighbours() as it demands, and no more when it has returned.
        let status = unsafe { sys::throng_lasting_visit(self.handle.get_mut(), agents.raw()?, see, user) };
        match visitor.panic.into_inner().unwrap() {
            Some(panic) => resume_unwind(panic),
            None => check(status),
        }
    }
}
