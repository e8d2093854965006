//! Agents that the crowd itself names.

use crate::{Agents, Crowd, Result};

/// The name of one agent, of which the crowd can tell that the agent is gone.
///
/// All agents of a crowd are named in the same way: by handles from the first [`Crowd::add`] to an empty crowd on, until
/// [`Crowd::clear`]; else by ids of yours. In answers an agent's id is [`AgentHandle::id`], which other agents have after it.
///
/// ```
/// use throng::{Aabb, Ball, Cause, Crowd, Settings};
/// let bounds = Some(Aabb { lo: [0.0, 0.0], hi: [16.0, 16.0] });
/// let mut crowd = Crowd::with(&Settings { bounds, cell: Some([2.0, 2.0]), ..Settings::default() })?;
/// let handles = crowd.add(&[[1.0, 1.0], [2.0, 1.0], [9.0, 9.0]])?;
/// crowd.remove(&handles[..1])?;
/// assert_eq!(crowd.resolve(&handles).unwrap_err().cause(), Cause::HandleStale);
/// let mut ids = Vec::new();
/// crowd.query_one(&Ball { centre: [1.0, 1.0], radius: 2.0 }, &mut ids)?;
/// assert_eq!(crowd.handles(&ids)?, [Some(handles[1])]);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C)]
pub struct AgentHandle {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
    pub(crate) owner: u32,
}

impl AgentHandle {
    /// No agent's.
    pub(crate) const NONE: AgentHandle = AgentHandle { slot: 0, generation: 0, owner: 0 };

    pub(crate) fn some(self) -> Option<Self> {
        (self.owner != 0).then_some(self)
    }
    /// That of the agent in answers, as long as it is there.
    pub fn id(self) -> u32 {
        self.slot
    }
}

impl<const N: usize> Crowd<N> {
    /// Adds agents, all of them or none, with exactly what the crowd keeps of each. There must be cells, from settings or an update.
    pub fn add<'a>(&mut self, agents: impl Into<Agents<'a, N>>) -> Result<Vec<AgentHandle>> {
        let agents = agents.into();
        let mut handles = vec![AgentHandle::NONE; agents.len()];
        self.handle.add(&agents, &mut handles, self.executor.as_ref())?;
        Ok(handles)
    }
    /// Removes agents, all of them or none.
    pub fn remove(&mut self, handles: &[AgentHandle]) -> Result<()> {
        self.handle.remove(handles, self.executor.as_ref())
    }
    /// Moves agents, all of them or none, to as many positions, those of `to`; nothing else of it is used.
    pub fn move_to<'a>(&mut self, handles: &[AgentHandle], to: impl Into<Agents<'a, N>>) -> Result<()> {
        self.handle.move_to(handles, &to.into(), self.executor.as_ref())
    }
    /// The ids of these agents, all of which must be there.
    pub fn resolve(&self, handles: &[AgentHandle]) -> Result<Vec<u32>> {
        let mut ids = vec![0; handles.len()];
        self.handle.resolve(handles, &mut ids)?;
        Ok(ids)
    }
    /// The way back: the handles of the agents with these ids.
    pub fn handles(&self, ids: &[u32]) -> Result<Vec<Option<AgentHandle>>> {
        let mut handles = vec![AgentHandle::NONE; ids.len()];
        self.handle.handles(ids, &mut handles)?;
        Ok(handles.into_iter().map(AgentHandle::some).collect())
    }
}
