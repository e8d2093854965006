//! The structures beside crowds, with the feature `family`: docs/structures.md says what each is for. All take the same
//! agents and questions, and give the same answers, each in an order of its own.
//!
//! ```
//! use throng::family::{HitsRoom, Index, Structure};
//! use throng::{Ball, Edit};
//! let mut castles = Index::<2>::new(Structure::LooseTree)?;
//! castles.update(&[[1.0, 1.0], [2.0, 1.0], [9.0, 9.0]])?;
//! castles.edit(&Edit::move_to(2, [1.0, 2.0]))?;
//! let mut room = HitsRoom::new();
//! let hits = castles.query(&[Ball { centre: [1.0, 1.5], radius: 1.0 }], &mut room)?;
//! assert_eq!(hits.of(0).len(), 2);
//! # Ok::<(), throng::Error>(())
//! ```

use crate::answers::{Hits, Pairs};
use crate::cells::Cell;
use crate::crowd::{fill, Dimension, Space};
use crate::edits::Edit;
use crate::executor::Executor;
use crate::ffi;
use crate::questions::Questions;
use crate::shapes::{Aabb, CrowdShape};
use crate::{Agents, Result};
use std::ops::ControlFlow;
use throng_sys as sys;

/// Which structure an index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Structure {
    /// Goes over all agents: a few dozen, or the truth in tests.
    BruteForce = sys::THRONG_BRUTE_FORCE,
    /// Sizes that differ wildly, many single edits.
    DoubleGrid = sys::THRONG_DOUBLE_GRID,
    /// What stands still, sparse worlds.
    LooseTree = sys::THRONG_LOOSE_TREE,
    /// In the plane only.
    NestedQuadtree = sys::THRONG_NESTED_QUADTREE,
    /// In the plane only: uneven crowds that move little.
    TightQuadtree = sys::THRONG_TIGHT_QUADTREE,
}

/// How an index is made. Without bounds it lays itself out over the agents of the first update.
///
/// ```
/// use throng::family::{Index, IndexSettings, Structure};
/// use throng::Aabb;
/// let index = Index::with(&IndexSettings {
///     bounds: Some(Aabb { lo: [0.0, 0.0], hi: [100.0, 100.0] }),
///     cell: Some([2.0, 2.0]),
///     ..IndexSettings::of(Structure::DoubleGrid)
/// })?;
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndexSettings<const N: usize> {
    pub structure: Structure,
    /// Agents outside are kept and found.
    pub bounds: Option<Aabb<N>>,
    /// Of a double grid, always with bounds.
    pub cell: Option<[f32; N]>,
    /// Whether agents have half extents of their own, and masks; only with bounds.
    pub keeps_half_extents: bool,
    pub keeps_groups: bool,
    /// Of all agents, unless they have their own; only with bounds.
    pub common_half_extent: [f32; N],
    /// Where updates run. Without: the default.
    pub executor: Option<Executor>,
}

impl<const N: usize> IndexSettings<N> {
    pub fn of(structure: Structure) -> Self {
        IndexSettings {
            structure,
            bounds: None,
            cell: None,
            keeps_half_extents: false,
            keeps_groups: false,
            common_half_extent: [0.0; N],
            executor: None,
        }
    }
}

/// What an index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexCounts {
    pub agents: u64,
    /// Bytes needed to answer.
    pub index_bytes: u64,
    /// Bytes kept for the next update.
    pub staging_bytes: u64,
}

/// Memory for answers, to be used again.
#[derive(Clone, Debug, Default)]
pub struct HitsRoom {
    offsets: Vec<u64>,
    ids: Vec<u32>,
}

/// Memory for pairs, to be used again.
#[derive(Clone, Debug, Default)]
pub struct PairsRoom {
    first: Vec<u32>,
    second: Vec<u32>,
}

impl HitsRoom {
    pub fn new() -> Self {
        Self::default()
    }
}

impl PairsRoom {
    pub fn new() -> Self {
        Self::default()
    }
}

/// One of the structures. `&mut Index` changes it, `&Index` asks: any number of threads at once. An index knows no sets: those
/// of questions must be [`Sets::EVERYBODY`](crate::Sets::EVERYBODY), as they are unless something else is said.
#[derive(Debug)]
pub struct Index<const N: usize> {
    handle: ffi::IndexHandle,
    structure: Structure,
    executor: Option<Executor>,
}

impl<const N: usize> Index<N>
where
    Space<N>: Dimension,
{
    /// An empty one.
    pub fn new(structure: Structure) -> Result<Self> {
        Self::with(&IndexSettings::of(structure))
    }
    pub fn with(settings: &IndexSettings<N>) -> Result<Self> {
        let handle = ffi::index(settings)?;
        Ok(Index { handle, structure: settings.structure, executor: settings.executor.clone() })
    }
}

impl<const N: usize> Index<N> {
    // Changes.

    /// Replaces all agents: everything has moved. The id of agent i is i. Positions must be floats.
    pub fn update<'a>(&mut self, agents: impl Into<Agents<'a, N>>) -> Result<()> {
        self.handle.update(&agents.into(), self.executor.as_ref())
    }
    pub fn edit(&mut self, edit: &Edit<N>) -> Result<()> {
        self.handle.edit(edit)
    }
    /// Makes searches as fast again as they were before agents went away, where the structure has something to tidy.
    pub fn tidy(&mut self) -> Result<()> {
        self.handle.tidy()
    }
    /// Forgets all agents; keeps the layout and the memory.
    pub fn clear(&mut self) -> Result<()> {
        self.handle.clear()
    }

    // Facts.

    pub fn structure(&self) -> Structure {
        self.structure
    }
    pub fn counts(&self) -> Result<IndexCounts> {
        self.handle.counts()
    }
    pub fn contains(&self, id: u32) -> Result<bool> {
        self.handle.contains(id)
    }
    /// The nodes or cells that agents are in, from the outermost inward, to draw them. Their set is
    /// [`Sets::AGENTS`](crate::Sets::AGENTS).
    pub fn cells(&self) -> Result<Vec<Cell<N>>> {
        self.handle.cells()
    }

    // Questions, on the calling thread. None allocates, but where room must grow.

    /// The agents that each shape finds.
    pub fn query<'q, 'r, S: CrowdShape<N> + 'q>(
        &self,
        questions: impl Into<Questions<'q, S>>,
        room: &'r mut HitsRoom,
    ) -> Result<Hits<'r>> {
        let questions = questions.into();
        let HitsRoom { offsets, ids } = room;
        offsets.clear();
        offsets.resize(questions.len() + 1, 0);
        fill(ids, 0, |ids| self.handle.query(&questions, offsets, ids))?;
        Ok(Hits { offsets, ids })
    }
    /// The ids that a shape finds replace those in `ids`.
    pub fn query_one<'q, S: CrowdShape<N> + 'q>(
        &self,
        question: impl Into<Questions<'q, S>>,
        ids: &mut Vec<u32>,
    ) -> Result<()> {
        let question = question.into();
        fill(ids, 0, |ids| self.handle.query_one(&question, ids))
    }
    pub fn count_one<'q, S: CrowdShape<N> + 'q>(&self, question: impl Into<Questions<'q, S>>) -> Result<u64> {
        self.handle.count_one(&question.into())
    }
    pub fn any_one<'q, S: CrowdShape<N> + 'q>(&self, question: impl Into<Questions<'q, S>>) -> Result<bool> {
        self.handle.any_one(&question.into())
    }
    /// As [`Crowd::visit_one`](crate::Crowd::visit_one).
    pub fn visit_one<'q, S: CrowdShape<N> + 'q>(
        &self,
        question: impl Into<Questions<'q, S>>,
        see: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Result<u64> {
        self.handle.visit_one(&question.into(), see)
    }
    /// Each pair of agents whose boxes overlap, once, either way round. Agents outside `groups` take part in none.
    pub fn pairs<'r>(&self, groups: u32, room: &'r mut PairsRoom) -> Result<Pairs<'r>> {
        let PairsRoom { first, second } = room;
        fill(first, 0, |first| {
            second.resize(first.len(), 0);
            self.handle.pairs(groups, first, second)
        })?;
        Ok(Pairs { first, second: &second[..first.len()] })
    }
    /// The same pairs, handed to `see`, first and second, some at a time. Returns how many were handed over.
    pub fn visit_pairs(&self, groups: u32, see: impl FnMut(&[u32], &[u32]) -> ControlFlow<()>) -> Result<u64> {
        self.handle.visit_pairs(groups, see)
    }
}
