//! Agents that the crowd itself names.

/// The name of one agent, of which the crowd can tell that the agent is gone.
///
/// All agents of a crowd are named in the same way: by handles from the first [`Crowd::add`](crate::Crowd::add) to an empty crowd on, until
/// [`Crowd::clear`](crate::Crowd::clear); else by ids of yours. In answers an agent's id is [`AgentHandle::id`], which other agents have after it.
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
