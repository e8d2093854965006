//! What all agents are asked at once: neighbours, pairs, the nearest.

use crate::answers::Near;
use crate::questions::{Order, PairSets, Sets, ALL_GROUPS};
use crate::shapes::{Body, Up};

/// Which agents are within `radius` of me?
///
/// ```
/// use throng::{Neighbourhood, Order};
/// let wanted = Neighbourhood { order: Order::Ids, ..Neighbourhood::within(2.0) };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbourhood {
    pub radius: f32,
    /// Of the agents to be found.
    pub groups: u32,
    /// Of the agents to be found.
    pub sets: Sets,
    pub order: Order,
    pub with_self: bool,
    /// Each agent finds only those that come after it in [`crate::Crowd::order`], and statics: of each two agents only
    /// one finds the other.
    pub later_only: bool,
    /// What both are: the distance is that between the two bodies.
    pub body: Body,
}

impl Neighbourhood {
    pub fn within(radius: f32) -> Self {
        Neighbourhood {
            radius,
            groups: ALL_GROUPS,
            sets: Sets::EVERYBODY,
            order: Order::Storage,
            with_self: false,
            later_only: false,
            body: Body::Centre,
        }
    }
}

/// Which pairs? By default all agents whose boxes overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    pub sets: PairSets,
    /// Agents outside these are left out.
    pub groups: u32,
    /// Pairs that are at most that far apart; `None`, or a negative distance: pairs that overlap.
    pub within: Option<f32>,
    /// Of pairs that overlap, [`Body::Disc`] is about their discs, and anything else about their boxes.
    pub body: Body,
}

impl Default for Pairing {
    fn default() -> Self {
        Pairing { sets: PairSets::AGENTS, groups: ALL_GROUPS, within: None, body: Body::Centre }
    }
}

/// How much lower and higher than the point that asks an agent's centre may be, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightBand {
    pub up: Up,
    pub below: f32,
    pub above: f32,
}

/// The k nearest within `radius`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// At most 1024.
    pub k: u32,
    pub radius: f32,
    pub sets: Sets,
    /// Of the agents to be found.
    pub groups: u32,
    /// For points only: an id that is left out.
    pub without: Option<u32>,
    /// For all agents only.
    pub order: Order,
    /// For all agents only.
    pub with_self: bool,
    /// Agents nearer than that are left out.
    pub least: f32,
    pub band: Option<HeightBand>,
    /// For points only: only agents that come after this one, as the last of the page before.
    pub after: Option<Near>,
    /// What agents are, those that ask too.
    pub body: Body,
}

impl Nearest {
    /// The `k` nearest, however far.
    pub fn of(k: u32) -> Self {
        Nearest {
            k,
            radius: 1e18,
            sets: Sets::EVERYBODY,
            groups: ALL_GROUPS,
            without: None,
            order: Order::Storage,
            with_self: false,
            least: 0.0,
            band: None,
            after: None,
            body: Body::Centre,
        }
    }
}
