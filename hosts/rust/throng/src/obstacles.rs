//! What stands in the agents' world, by its true shape.

use crate::crowd::{Dimension, Settings, Space};
use crate::executor::Executor;
use crate::ffi;
use crate::questions::NO_ID;
use crate::shapes::*;
use crate::{Error, Field, Result};
use std::ffi::c_void;
use std::marker::PhantomData;
use throng_sys as sys;

/// Boxes, turned boxes, walls in the plane and triangles in space: docs/obstacles.md. `&mut Obstacles` changes them,
/// `&Obstacles` asks: any number of threads at once. Answers go into vectors of yours, whose memory is used again.
///
/// Of the filters of questions one may be given, for all of them.
#[derive(Debug)]
pub struct Obstacles<const N: usize> {
    pub(crate) handle: ffi::ObstaclesHandle,
    pub(crate) executor: Option<Executor>,
}

/// Obstacles in arrays of yours, which are read during the call where they lie.
///
/// ```
/// use throng::{ObstacleArrays, Obstacles, Wall};
/// let walls = [Wall { from: [0.0, 0.0], to: [4.0, 0.0], thickness: 0.5 }];
/// let mut obstacles = Obstacles::<2>::new()?;
/// obstacles.set(&ObstacleArrays::new().walls(&walls))?;
/// # Ok::<(), throng::Error>(())
/// ```
///
/// There are no walls in space:
///
/// ```compile_fail,E0599
/// throng::ObstacleArrays::<3>::new().walls(&[]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ObstacleArrays<'a, const N: usize> {
    /// Its pointers are those of fields that live for 'a.
    raw: sys::throng_obstacle_arrays,
    /// Of groups, where they were given.
    groups: Option<usize>,
    fields: PhantomData<&'a f32>,
}

impl<const N: usize> Default for ObstacleArrays<'_, N> {
    fn default() -> Self {
        let raw = sys::throng_obstacle_arrays { dimension: N as u32, ..sys::THRONG_OBSTACLE_ARRAYS_INIT };
        ObstacleArrays { raw, groups: None, fields: PhantomData }
    }
}

/// Of a refusal there are no answers.
pub(crate) fn answered<T>(sum: Result<u64>, answers: &mut Vec<T>) -> Result<u64> {
    if sum.is_err() {
        answers.clear();
    }
    sum
}

/// Where a field begins, its stride and its length.
fn parts<T>(field: &Field<'_, T>) -> (*const c_void, isize, usize) {
    (field.address().cast::<c_void>(), field.stride() as isize, field.len())
}

impl<'a, const N: usize> ObstacleArrays<'a, N> {
    pub fn new() -> Self {
        Self::default()
    }
    /// They get the first ids.
    #[must_use]
    pub fn boxes(mut self, boxes: impl Into<Field<'a, Aabb<N>>>) -> Self {
        (self.raw.boxes, self.raw.box_stride, self.raw.box_count) = parts(&boxes.into());
        self
    }
    /// With edges at right angles. They get the next ids.
    #[must_use]
    pub fn turned_boxes(mut self, boxes: impl Into<Field<'a, OrientedBox<N>>>) -> Self {
        (self.raw.turned_boxes, self.raw.turned_box_stride, self.raw.turned_box_count) = parts(&boxes.into());
        self
    }
    /// A mask for each obstacle, by id. Without, all are in every group.
    #[must_use]
    pub fn groups(mut self, groups: impl Into<Field<'a, u32>>) -> Self {
        let groups = groups.into();
        (self.raw.groups, self.raw.groups_stride) = (groups.address(), groups.stride() as isize);
        self.groups = Some(groups.len());
        self
    }
    /// For C, which is told no number of groups.
    pub(crate) fn raw(&self) -> Result<&sys::throng_obstacle_arrays> {
        let counts = [self.raw.box_count, self.raw.turned_box_count, self.raw.wall_count, self.raw.triangle_count];
        match self.groups {
            Some(groups) if groups != counts.iter().sum::<usize>() => {
                Err(Error::of(sys::THRONG_COUNT_MISMATCH, b"arrays.groups\0"))
            }
            _ => Ok(&self.raw),
        }
    }
}

impl<'a> ObstacleArrays<'a, 2> {
    /// They get the last ids.
    #[must_use]
    pub fn walls(mut self, walls: impl Into<Field<'a, Wall>>) -> Self {
        (self.raw.walls, self.raw.wall_stride, self.raw.wall_count) = parts(&walls.into());
        self
    }
}

impl<'a> ObstacleArrays<'a, 3> {
    /// They get the last ids.
    #[must_use]
    pub fn triangles(mut self, triangles: impl Into<Field<'a, Triangle>>) -> Self {
        (self.raw.triangles, self.raw.triangle_stride, self.raw.triangle_count) = parts(&triangles.into());
        self
    }
}

/// An obstacle, and the place on its surface that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ObstacleNear<const N: usize> {
    /// [`NO_ID`]: none, and then the distance is infinite.
    pub id: u32,
    /// Inside of an obstacle minus the way out.
    pub distance: f32,
    pub point: [f32; N],
    /// Of unit length, out of the obstacle.
    pub normal: [f32; N],
}

/// An obstacle that a path hits: where, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ObstacleHit<const N: usize> {
    /// [`NO_ID`]: none, and then the time is infinite.
    pub id: u32,
    /// From 0 to 1 along a segment or capsule, along a ray up to its length.
    pub time: f32,
    /// On the surface, where a moving disc touches it.
    pub point: [f32; N],
    /// Of unit length, out of the obstacle.
    pub normal: [f32; N],
}

impl<const N: usize> Default for ObstacleNear<N> {
    fn default() -> Self {
        ObstacleNear { id: NO_ID, distance: f32::INFINITY, point: [0.0; N], normal: [0.0; N] }
    }
}

impl<const N: usize> Default for ObstacleHit<N> {
    fn default() -> Self {
        ObstacleHit { id: NO_ID, time: f32::INFINITY, point: [0.0; N], normal: [0.0; N] }
    }
}

impl<const N: usize> ObstacleNear<N> {
    pub fn is_none(&self) -> bool {
        self.id == NO_ID
    }
}

impl<const N: usize> ObstacleHit<N> {
    pub fn is_none(&self) -> bool {
        self.id == NO_ID
    }
}

/// What obstacles there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObstacleCounts {
    pub obstacles: u64,
    /// Bytes needed to answer.
    pub index_bytes: u64,
    /// Bytes kept for the next [`Obstacles::set`].
    pub staging_bytes: u64,
}

impl<const N: usize> Obstacles<N>
where
    Space<N>: Dimension,
{
    /// No obstacles yet. Calls with many run on the default executor.
    pub fn new() -> Result<Self> {
        Ok(Obstacles { handle: ffi::obstacles(N)?, executor: None })
    }
    pub fn on(executor: &Executor) -> Result<Self> {
        Ok(Obstacles { handle: ffi::obstacles(N)?, executor: Some(executor.clone()) })
    }
}

impl<const N: usize> Obstacles<N> {
    /// Puts the obstacles in the world of a crowd with these settings, of which bounds and periodic axes count: where that
    /// wraps around, they are there at all whole periods. Forgets all obstacles.
    ///
    /// ```
    /// use throng::{Aabb, ObstacleArrays, Obstacles, Segment, Settings};
    /// let bounds = Some(Aabb { lo: [0.0, 0.0], hi: [8.0, 8.0] });
    /// let mut obstacles = Obstacles::<2>::new()?;
    /// obstacles.configure(&Settings { bounds, periodic: [true, false], ..Settings::default() })?;
    /// obstacles.set(&ObstacleArrays::new().boxes(&[Aabb { lo: [0.0, 3.0], hi: [1.0, 5.0] }]))?;
    /// assert!(!obstacles.sight_one(&Segment { from: [7.0, 4.0], to: [10.0, 4.0] })?);
    /// # Ok::<(), throng::Error>(())
    /// ```
    pub fn configure(&mut self, world: &Settings<N>) -> Result<()> {
        self.handle.configure(world)
    }
    /// Replaces all obstacles.
    pub fn set(&mut self, arrays: &ObstacleArrays<'_, N>) -> Result<()> {
        self.handle.set(arrays, self.executor.as_ref())
    }
    pub fn counts(&self) -> Result<ObstacleCounts> {
        let sys::throng_obstacle_counts { obstacles, index_bytes, staging_bytes, .. } = self.handle.counts()?;
        Ok(ObstacleCounts { obstacles, index_bytes, staging_bytes })
    }
}
