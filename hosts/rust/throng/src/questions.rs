//! What is asked, of which agents, and without which.

use crate::shapes::AnyShape;
use std::ops::BitOr;
use throng_sys as sys;

/// The id of none.
pub const NO_ID: u32 = sys::THRONG_NO_ID;
/// The mask of all groups.
pub const ALL_GROUPS: u32 = sys::THRONG_ALL_GROUPS;
/// The id of static i is `FIRST_STATIC` + i.
pub const FIRST_STATIC: u32 = sys::THRONG_FIRST_STATIC;

macro_rules! sums {
    ($(#[$doc:meta])* $name:ident: $($member:ident = $number:ident,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(u32);

        impl $name {
            $(pub const $member: Self = $name(sys::$number);)*

            pub(crate) fn number(self) -> u32 {
                self.0
            }
        }

        impl BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                $name(self.0 | other.0)
            }
        }
    };
}

sums! {
    /// Parts of a crowd. Sums are made with `|`.
    Sets:
    SMALL = THRONG_SMALL,
    GIANTS = THRONG_GIANTS,
    AGENTS = THRONG_AGENTS,
    STATICS = THRONG_STATICS,
    EVERYBODY = THRONG_EVERYBODY,
}

sums! {
    /// Which pairs are wanted, by the sets of the two. Sums are made with `|`.
    PairSets:
    SMALL_SMALL = THRONG_SMALL_SMALL,
    SMALL_GIANTS = THRONG_SMALL_GIANTS,
    GIANTS_GIANTS = THRONG_GIANTS_GIANTS,
    AGENTS = THRONG_AGENT_PAIRS,
    SMALL_STATICS = THRONG_SMALL_STATICS,
    GIANTS_STATICS = THRONG_GIANTS_STATICS,
    ALL = THRONG_ALL_PAIRS,
}

/// Leaves out agents whose mask has none of `groups`, and the one agent `without`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Filter {
    /// [`ALL_GROUPS`]: no test.
    pub groups: u32,
    /// [`NO_ID`]: no agent.
    pub without: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Filter { groups: ALL_GROUPS, without: NO_ID }
    }
}

/// Shapes of one kind, the sets to search, and the agents to leave out. A slice of shapes, or a single one, is
/// enough where no agent is left out.
#[derive(Clone, Copy, Debug)]
pub struct Questions<'q, S> {
    pub(crate) shapes: &'q [S],
    pub(crate) sets: Sets,
    pub(crate) filters: Filters<'q>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Filters<'q> {
    One(Option<Filter>),
    Each(&'q [Filter]),
}

impl<'q, S> Questions<'q, S> {
    pub fn new(shapes: &'q [S]) -> Self {
        Questions { shapes, sets: Sets::EVERYBODY, filters: Filters::One(None) }
    }
    #[must_use]
    pub fn sets(mut self, sets: Sets) -> Self {
        self.sets = sets;
        self
    }
    /// One filter for all shapes.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filters = Filters::One(Some(filter));
        self
    }
    /// A filter for each shape.
    #[must_use]
    pub fn filters(mut self, filters: &'q [Filter]) -> Self {
        self.filters = Filters::Each(filters);
        self
    }
    pub fn len(&self) -> usize {
        self.shapes.len()
    }
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }
}

impl<'q, S> From<&'q [S]> for Questions<'q, S> {
    fn from(shapes: &'q [S]) -> Self {
        Questions::new(shapes)
    }
}

impl<'q, S> From<&'q Vec<S>> for Questions<'q, S> {
    fn from(shapes: &'q Vec<S>) -> Self {
        Questions::new(shapes)
    }
}

impl<'q, S, const M: usize> From<&'q [S; M]> for Questions<'q, S> {
    fn from(shapes: &'q [S; M]) -> Self {
        Questions::new(shapes)
    }
}

impl<'q, S: AnyShape> From<&'q S> for Questions<'q, S> {
    fn from(shape: &'q S) -> Self {
        Questions::new(std::slice::from_ref(shape))
    }
}

/// The order of answers about all agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum Order {
    /// Answer k is that of the k-th id of [`crate::Crowd::order`]: the fastest.
    #[default]
    Storage = sys::THRONG_ORDER_STORAGE,
    /// Answer k is that of agent k.
    Ids = sys::THRONG_ORDER_IDS,
}
