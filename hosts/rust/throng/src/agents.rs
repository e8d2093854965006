//! Agents in the caller's arrays.

use crate::{Error, Field, Result};
use std::ffi::c_void;
use std::marker::PhantomData;
use throng_sys as sys;

/// Agents in arrays of yours, of any stride, which are read during the call where they lie.
///
/// A slice of positions is enough: `crowd.update(&positions)`. Otherwise:
///
/// ```
/// use throng::{Agents, Crowd, Field};
/// struct Boid { position: [f32; 2], size: [f32; 2], team: u32 }
/// let boids = [Boid { position: [1.0, 2.0], size: [0.5, 0.5], team: 1 }];
/// let mut crowd = Crowd::<2>::new()?;
/// crowd.update(
///     Agents::new(Field::of(&boids, |boid| &boid.position))
///         .half_extents(Field::of(&boids, |boid| &boid.size))
///         .groups(Field::of(&boids, |boid| &boid.team)),
/// )?;
/// # Ok::<(), throng::Error>(())
/// ```
///
/// They borrow the arrays:
///
/// ```compile_fail,E0505
/// # use throng::{Agents, Crowd};
/// # let mut crowd = Crowd::<2>::new().unwrap();
/// let positions = vec![[1.0, 2.0]];
/// let agents = Agents::new(&positions);
/// drop(positions);
/// crowd.update(agents);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a, const N: usize> {
    /// Its pointers are those of fields that live for 'a.
    raw: sys::throng_agents,
    wrong: Option<Error>,
    fields: PhantomData<&'a f32>,
}

impl<'a, const N: usize> Agents<'a, N> {
    /// Agents at these positions, points unless they are told their sizes.
    pub fn new(positions: impl Into<Field<'a, [f32; N]>>) -> Self {
        let positions = positions.into();
        let axes = std::array::from_fn(|axis| positions.axis(axis));
        Self::axes(axes)
    }

    /// An array, or a field, for each coordinate. So a crowd in the plane takes x and z of positions in space:
    ///
    /// ```
    /// # use throng::{Agents, Crowd, Field};
    /// let positions = vec![[1.0, 0.0, 2.0], [3.0, 0.0, 4.0]];
    /// let field = Field::from(&positions);
    /// Crowd::<2>::new()?.update(Agents::axes([field.axis(0), field.axis(2)]))?;
    /// # Ok::<(), throng::Error>(())
    /// ```
    pub fn axes(positions: [Field<'a, f32>; N]) -> Self {
        Self::from_axes(positions)
    }

    /// Agents at positions in the world, which has the crowd's origin where its own coordinates are zero.
    pub fn world(positions: impl Into<Field<'a, [f64; N]>>) -> Self {
        let positions = positions.into();
        let axes: [Field<'a, f64>; N] = std::array::from_fn(|axis| positions.axis(axis));
        let mut agents = Self::from_axes(axes);
        agents.raw.doubles = 1;
        agents
    }

    fn from_axes<E>(positions: [Field<'a, E>; N]) -> Self {
        let mut raw = sys::THRONG_AGENTS_INIT;
        raw.dimension = N as u32;
        raw.count = positions.first().map_or(0, Field::len);
        let is_uneven = positions.iter().any(|axis| axis.len() != raw.count);
        for (axis, field) in positions.iter().enumerate() {
            raw.position[axis] = field.address().cast::<c_void>();
            raw.position_stride[axis] = field.stride() as isize;
        }
        let wrong = is_uneven.then(|| Error::of(sys::THRONG_COUNT_MISMATCH, b"axes\0"));
        Agents { raw, wrong, fields: PhantomData }
    }

    /// How far each agent's box reaches from its centre, on each axis.
    #[must_use]
    pub fn half_extents(self, half_extents: impl Into<Field<'a, [f32; N]>>) -> Self {
        let half_extents = half_extents.into();
        self.sized(std::array::from_fn(|axis| half_extents.axis(axis)))
    }

    /// The same number on each axis: boxes that are squares or cubes, discs of these radii.
    #[must_use]
    pub fn radii(self, radii: impl Into<Field<'a, f32>>) -> Self {
        self.sized([radii.into(); N])
    }

    fn sized(mut self, half_extents: [Field<'a, f32>; N]) -> Self {
        for (axis, field) in half_extents.iter().enumerate() {
            self.raw.half_extent[axis] = field.address();
            self.raw.half_extent_stride[axis] = field.stride() as isize;
        }
        self.belongs(half_extents.first().map_or(0, Field::len), b"half_extents\0")
    }

    /// One size for all, which is stored once.
    #[must_use]
    pub fn common_half_extent(mut self, half_extent: [f32; N]) -> Self {
        self.raw.common_half_extent[..N].copy_from_slice(&half_extent);
        self
    }

    /// A mask of 32 groups for each agent.
    #[must_use]
    pub fn groups(mut self, groups: impl Into<Field<'a, u32>>) -> Self {
        let groups = groups.into();
        self.raw.groups = groups.address();
        self.raw.groups_stride = groups.stride() as isize;
        self.belongs(groups.len(), b"groups\0")
    }

    /// C is told one count, so others would be read beyond their ends: they are refused here.
    fn belongs(mut self, count: usize, argument: &'static [u8]) -> Self {
        if count != self.raw.count && self.wrong.is_none() {
            self.wrong = Some(Error::of(sys::THRONG_COUNT_MISMATCH, argument));
        }
        self
    }

    pub fn len(&self) -> usize {
        self.raw.count
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// For C: with arrays that are all as long as it says.
    pub(crate) fn raw(&self) -> Result<&sys::throng_agents> {
        self.wrong.map_or(Ok(&self.raw), Err)
    }
}

impl<'a, const N: usize> From<Field<'a, [f32; N]>> for Agents<'a, N> {
    fn from(positions: Field<'a, [f32; N]>) -> Self {
        Agents::new(positions)
    }
}

impl<'a, const N: usize> From<&'a [[f32; N]]> for Agents<'a, N> {
    fn from(positions: &'a [[f32; N]]) -> Self {
        Agents::new(positions)
    }
}

impl<'a, const N: usize> From<&'a Vec<[f32; N]>> for Agents<'a, N> {
    fn from(positions: &'a Vec<[f32; N]>) -> Self {
        Agents::new(positions)
    }
}

impl<'a, const N: usize, const M: usize> From<&'a [[f32; N]; M]> for Agents<'a, N> {
    fn from(positions: &'a [[f32; N]; M]) -> Self {
        Agents::new(positions)
    }
}
