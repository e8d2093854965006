//! The index of a crowd.

use crate::answers::{Meeting, Near, QueryCosts};
use crate::asked::Nearest;
use crate::edits::Edit;
use crate::executor::Executor;
use crate::ffi;
use crate::memory::Memory;
use crate::questions::{Order, PairSets, Questions, Sets};
use crate::shapes::{Aabb, CrowdShape, Path};
use crate::{Agents, Error, Result};
use std::ffi::CString;
use throng_sys as sys;

/// The plane, `Space<2>`, or space, `Space<3>`.
#[derive(Debug)]
pub struct Space<const N: usize>;

/// Implemented by [`Space<2>`] and [`Space<3>`]: there are no crowds of other dimensions.
///
/// ```compile_fail,E0599
/// let crowd = throng::Crowd::<4>::new();
/// ```
pub trait Dimension {}
impl Dimension for Space<2> {}
impl Dimension for Space<3> {}

/// How a crowd is made. The default is an empty one, whose cells follow from the agents of the first update.
///
/// ```
/// use throng::{Aabb, Crowd, Settings};
/// let crowd = Crowd::with(&Settings {
///     bounds: Some(Aabb { lo: [0.0, 0.0], hi: [100.0, 100.0] }),
///     cell: Some([2.0, 2.0]),
///     periodic: [true, false],
///     ..Settings::default()
/// })?;
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings<const N: usize> {
    /// Agents outside are kept and found.
    pub bounds: Option<Aabb<N>>,
    /// The size of a cell; only with bounds.
    pub cell: Option<[f32; N]>,
    /// On which axes the world wraps around; only with bounds.
    pub periodic: [bool; N],
    /// Where local coordinates are zero, in world coordinates: for [`Agents::world`].
    pub origin: [f64; N],
    /// Without: the heap.
    pub memory: Option<Memory>,
    /// Where updates and edits of the crowd run. Without: the default.
    pub executor: Option<Executor>,
    /// Whether agents have half extents of their own, and masks. Needed only to insert before the first update.
    pub keeps_half_extents: bool,
    pub keeps_groups: bool,
    /// Of all agents, unless they have their own.
    pub common_half_extent: [f32; N],
}

impl<const N: usize> Default for Settings<N> {
    fn default() -> Self {
        Settings {
            bounds: None,
            cell: None,
            periodic: [false; N],
            origin: [0.0; N],
            memory: None,
            executor: None,
            keeps_half_extents: false,
            keeps_groups: false,
            common_half_extent: [0.0; N],
        }
    }
}

/// What a crowd holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize> {
    /// Of the grid, on each axis.
    pub cells: [u32; N],
    /// Giants included.
    pub agents: u64,
    pub giants: u64,
    pub statics: u64,
    /// Greater than the ids of all agents.
    pub id_bound: u64,
    /// Bytes needed to answer.
    pub index_bytes: u64,
    /// Bytes kept for the next update.
    pub staging_bytes: u64,
    /// All handles of agents have smaller ids, and updates then take that many; 0 where agents have no handles.
    pub slot_bound: u64,
}

/// One index for a whole crowd: small agents, giants and statics, in the plane or in space.
///
/// `&mut Crowd` changes it, `&Crowd` asks: any number of threads at once.
///
/// ```compile_fail,E0502
/// # let mut crowd = throng::Crowd::<2>::new().unwrap();
/// std::thread::scope(|scope| {
///     scope.spawn(|| crowd.count_one(&throng::Ball { centre: [0.0, 0.0], radius: 1.0 }));
///     crowd.update(&[[0.0, 0.0]]).unwrap(); // while the other thread asks
/// });
/// ```
#[derive(Debug)]
pub struct Crowd<const N: usize> {
    pub(crate) handle: ffi::CrowdHandle,
    pub(crate) executor: Option<Executor>,
}

impl<const N: usize> Crowd<N>
where
    Space<N>: Dimension,
{
    /// An empty crowd.
    pub fn new() -> Result<Self> {
        Self::with(&Settings::default())
    }
    pub fn with(settings: &Settings<N>) -> Result<Self> {
        Ok(Crowd { handle: ffi::crowd(settings)?, executor: settings.executor.clone() })
    }
}

impl<const N: usize> Crowd<N> {
    /// That of a snapshot, which keeps it.
    pub(crate) fn lent(handle: ffi::CrowdHandle) -> Self {
        Crowd { handle, executor: None }
    }

    // Changes.

    /// Replaces all agents: everything has moved. The id of agent i is i. Where agents have handles everything moves to
    /// an element for each id, [`Counts::slot_bound`] of them; those of ids without an agent are not read.
    pub fn update<'a>(&mut self, agents: impl Into<Agents<'a, N>>) -> Result<()> {
        self.handle.update(&agents.into(), self.executor.as_ref())
    }
    /// Replaces all statics, which never move; updates leave them as they are. The id of static i is
    /// [`FIRST_STATIC`](crate::FIRST_STATIC) + i.
    pub fn set_statics<'a>(&mut self, statics: impl Into<Agents<'a, N>>) -> Result<()> {
        self.handle.set_statics(&statics.into(), self.executor.as_ref())
    }
    /// Takes the memory now that updates of up to this many agents need. The crowd must have its cells.
    pub fn reserve(&mut self, agents: usize) -> Result<()> {
        self.handle.reserve(agents, self.executor.as_ref())
    }
    /// Makes all of these edits, or none.
    pub fn edit(&mut self, edits: &[Edit<N>]) -> Result<()> {
        self.handle.edit(edits, self.executor.as_ref())
    }
    /// Forgets all agents; keeps statics, cells and memory.
    pub fn clear(&mut self) -> Result<()> {
        self.handle.clear()
    }
    /// Replaces the content by that of a file; damaged files, and files of another dimension, are refused.
    pub fn load(&mut self, path: impl AsRef<std::path::Path>) -> Result<()> {
        self.handle.load(&c_path(path.as_ref())?)
    }
    /// Writes a file from which [`Crowd::load`], C, C++ and Python make the same crowd.
    pub fn save(&self, path: impl AsRef<std::path::Path>) -> Result<()> {
        self.handle.save(&c_path(path.as_ref())?)
    }

    // Facts.

    pub fn counts(&self) -> Result<Counts<N>> {
        self.handle.counts()
    }
    /// The ids of all agents in the order of their answers with [`Order::Storage`].
    pub fn order(&self) -> Result<Vec<u32>> {
        let mut ids = vec![0; self.counts()?.agents as usize];
        self.handle.order(&mut ids)?;
        Ok(ids)
    }
    /// The most ids that this many questions can find.
    pub fn query_bound(&self, questions: u64, sets: Sets) -> u64 {
        self.handle.bounds().query(questions, sets.number())
    }
    /// The number of answers about all agents, without the one more offset.
    pub fn answers_bound(&self, order: Order) -> u64 {
        self.handle.bounds().answers(order as u32)
    }
    /// The most ids that neighbours of all agents can be.
    pub fn neighbours_bound(&self, sets: Sets) -> u64 {
        self.handle.bounds().neighbours(sets.number())
    }
    /// The most pairs that there can be.
    pub fn pairs_bound(&self, sets: PairSets) -> u64 {
        self.handle.bounds().pairs(sets.number())
    }

    // One question without a batch. None allocates, but where a vector must grow, and where it is said.

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
    /// The first hit of a path; of several at that time the smallest id.
    pub fn first_one<'q, S: Path<N> + 'q>(&self, path: impl Into<Questions<'q, S>>) -> Result<Option<Meeting>> {
        self.handle.first_one(&path.into())
    }
    /// The same among the hits that come after one, as the last that was looked at: by time, then by id. All come after
    /// [`Meeting::BEFORE_ALL`].
    pub fn first_after_one<'q, S: Path<N> + 'q>(
        &self,
        path: impl Into<Questions<'q, S>>,
        last: &Meeting,
    ) -> Result<Option<Meeting>> {
        self.handle.first_after_one(&path.into(), last)
    }
    /// All hits of a path, by time, then by id, replace those in `meetings`. Allocates what the answer takes.
    pub fn meetings_one<'q, S: Path<N> + 'q>(
        &self,
        path: impl Into<Questions<'q, S>>,
        meetings: &mut Vec<Meeting>,
    ) -> Result<()> {
        let path = path.into();
        fill(meetings, Meeting::NONE, |meetings| self.handle.meetings_one(&path, meetings))
    }
    /// The nearest to a point replace those in `near`.
    pub fn nearest_one(&self, point: &[f32; N], wanted: &Nearest, near: &mut Vec<Near>) -> Result<()> {
        near.clear();
        // A number beyond the limit is refused before any room is looked at.
        near.resize(wanted.k.min(1024) as usize, Near::default());
        let total = self.handle.nearest_one(point, wanted, near);
        near.truncate(*total.as_ref().unwrap_or(&0) as usize);
        total.map(drop)
    }
    /// What one question costs, and by which way it is answered.
    pub fn explain<'q, S: CrowdShape<N> + 'q>(&self, question: impl Into<Questions<'q, S>>) -> Result<QueryCosts> {
        self.handle.explain(&question.into())
    }
}

/// The most nearest that this many questions for `k` can find.
pub fn nearest_bound(questions: u64, k: u32) -> u64 {
    ffi::nearest_bound(questions, k)
}

/// Puts `values` in another order, such as that of [`Crowd::order`]: the value that was at `order[i]` comes to i. The order
/// must name each value once. On the executor, or the default.
pub fn reorder<T: Copy>(order: &[u32], values: &mut [T], executor: Option<&Executor>) -> Result<()> {
    ffi::reorder(order, values, executor)
}

/// Calls until there is room for the answer, which replaces what was in `values`.
pub(crate) fn fill<T: Clone>(
    values: &mut Vec<T>,
    empty: T,
    mut call: impl FnMut(&mut [T]) -> (u64, Result<()>),
) -> Result<()> {
    values.resize(values.capacity(), empty.clone());
    let (mut total, mut result) = call(values);
    if let Err(error) = result {
        if error.code() == sys::THRONG_NO_ROOM {
            values.resize(total as usize, empty);
            (total, result) = call(values);
        }
    }
    values.truncate(if result.is_ok() { total as usize } else { 0 });
    result
}

fn c_path(path: &std::path::Path) -> Result<CString> {
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
    #[cfg(not(unix))]
    let bytes = path.to_str().unwrap_or("\0").as_bytes();
    // A zero would end the path early, in another file.
    CString::new(bytes).map_err(|_| Error::of(sys::THRONG_WRONG_VALUE, b"path\0"))
}
