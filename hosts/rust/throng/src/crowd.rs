//! The index of a crowd: how it is made, and what it has. Its calls are in ffi/calls.rs.

use crate::executor::Executor;
use crate::ffi;
use crate::memory::Memory;
use crate::shapes::Aabb;
use crate::{Error, Result};
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
    /// Updates never lay other cells, although these may no longer suit the agents.
    pub keeps_cells: bool,
    /// On which axes the world wraps around; only with bounds.
    pub periodic: [bool; N],
    /// Where local coordinates are zero, in world coordinates: for [`Agents::world`](crate::Agents::world).
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
            keeps_cells: false,
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

/// How well the cells of a crowd suit its agents: docs/fit.md.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellStats {
    /// Of the grid.
    pub rows: u64,
    pub cells: u64,
    /// Those that have agents.
    pub used_rows: u64,
    pub used_cells: u64,
    /// In the grid: all but giants.
    pub agents: u64,
    /// Agents of the grid beyond its cells: they are in border cells.
    pub outside: u64,
    /// How many others an agent has in its cell, on average.
    pub company: f64,
    /// The same in cells fitted to these agents now.
    pub company_afresh: f64,
}

/// One index for a whole crowd: small agents, giants and statics, in the plane or in space.
///
/// `&mut Crowd` changes it, `&Crowd` asks: any number of threads at once. Questions without a batch do not allocate, but where
/// a vector must grow, and where it is said.
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

/// Calls until there is room for the answer, which replaces what was in `values`. `call` returns its length, and a refusal
/// for want of room says it, too.
pub(crate) fn fill<T: Clone>(
    values: &mut Vec<T>,
    empty: T,
    mut call: impl FnMut(&mut [T]) -> Result<u64>,
) -> Result<()> {
    values.resize(values.capacity(), empty.clone());
    let mut total = call(values);
    if let Err(error) = total {
        if error.code() == sys::THRONG_NO_ROOM {
            values.resize(error.index() as usize, empty);
            total = call(values);
        }
    }
    values.truncate(total.map_or(0, |total| total as usize));
    total.map(drop)
}

pub(crate) fn c_path(path: &std::path::Path) -> Result<CString> {
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
    #[cfg(not(unix))]
    let bytes = path.to_str().unwrap_or("\0").as_bytes();
    // A zero would end the path early, in another file.
    CString::new(bytes).map_err(|_| Error::of(sys::THRONG_WRONG_VALUE, b"path\0"))
}
