//! Answers that are handed to closures, and so need no room, and end where enough was seen.

use crate::asked::Pairing;
use crate::questions::Questions;
use crate::shapes::CrowdShape;
use crate::{Agents, Crowd, Lasting, Result};
use std::ops::ControlFlow;

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
        self.handle.visit_one(&question.into(), see)
    }
    /// Hands pairs that overlap to `see`, first and second, some at a time: each once, and the same way round as in
    /// [`crate::Batch::pairs`], which also finds those that are near each other. Returns how many were handed over.
    pub fn visit_pairs(&self, wanted: &Pairing, see: impl FnMut(&[u32], &[u32]) -> ControlFlow<()>) -> Result<u64> {
        self.handle.visit_pairs(wanted, see)
    }
}

impl<const N: usize> Lasting<N> {
    /// What [`Lasting::neighbours`] lists, without a list: calls `see` once for every agent, with its neighbours, from
    /// several threads at once. If it panics, no more agents are looked at, and the panic goes on in the caller.
    pub fn visit<'a>(&mut self, agents: impl Into<Agents<'a, N>>, see: impl Fn(u32, &[u32]) + Sync) -> Result<()> {
        self.handle.visit(&agents.into(), see)
    }
}
