//! Agents that the crowd itself names.

use super::{check, CrowdHandle};
use crate::executor::{raw, Executor};
use crate::{AgentHandle, Agents, Result};
use throng_sys as sys;

type Raw = sys::throng_agent_handle;

/// An AgentHandle is a throng_agent_handle.
const _: () = assert!(std::mem::size_of::<AgentHandle>() == std::mem::size_of::<Raw>());

impl CrowdHandle {
    pub(crate) fn add<const N: usize>(
        &mut self,
        agents: &Agents<'_, N>,
        handles: &mut [AgentHandle],
        on: Option<&Executor>,
    ) -> Result<()> {
        let first = handles.as_mut_ptr().cast::<Raw>();
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_add(self.get_mut(), agents.raw()?, first, handles.len(), raw(on)) })
    }
    pub(crate) fn remove(&mut self, handles: &[AgentHandle], on: Option<&Executor>) -> Result<()> {
        let first = handles.as_ptr().cast::<Raw>();
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_remove(self.get_mut(), first, handles.len(), raw(on)) })
    }
    pub(crate) fn move_to<const N: usize>(
        &mut self,
        handles: &[AgentHandle],
        to: &Agents<'_, N>,
        on: Option<&Executor>,
    ) -> Result<()> {
        let first = handles.as_ptr().cast::<Raw>();
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_move(self.get_mut(), first, handles.len(), to.raw()?, raw(on)) })
    }
    pub(crate) fn resolve(&self, handles: &[AgentHandle], ids: &mut [u32]) -> Result<()> {
        let first = handles.as_ptr().cast::<Raw>();
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_resolve(self.get(), first, handles.len(), ids.as_mut_ptr(), ids.len()) })
    }
    pub(crate) fn handles(&self, ids: &[u32], handles: &mut [AgentHandle]) -> Result<()> {
        let first = handles.as_mut_ptr().cast::<Raw>();
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_crowd_handles(self.get(), ids.as_ptr(), ids.len(), first, handles.len()) })
    }
}
