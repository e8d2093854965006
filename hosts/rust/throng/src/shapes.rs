//! What is asked about. All are, to the byte, the structures of C, so arrays of them are handed over as they lie.

use crate::ffi;
use crate::Result;

/// What an agent is to a question about distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum Body {
    #[default]
    Centre = throng_sys::THRONG_BODY_CENTRE,
    Box = throng_sys::THRONG_BODY_BOX,
    /// A disc, in space a ball, whose radius is the half extent on x.
    Disc = throng_sys::THRONG_BODY_DISC,
}

/// Which axis is the height: in the plane y, in space y or z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Up {
    Y = 1,
    Z = 2,
}

/// How much lower and higher than the point that asks an agent's centre may be, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightBand {
    pub up: Up,
    pub below: f32,
    pub above: f32,
}

impl HeightBand {
    pub(crate) fn raw(self) -> throng_sys::throng_height_band {
        throng_sys::throng_height_band { up: self.up as u32, below: self.below, above: self.above }
    }
}

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $of:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq)]
            #[repr(C)]
            pub struct $name<const N: usize> { $($(#[$field_doc])* pub $field: $of,)* }
        )*
    };
}

shapes! {
    /// A box along the axes: agents whose boxes overlap it. (`Box` is a name of Rust's own.)
    Aabb { lo: [f32; N], hi: [f32; N], }
    /// Agents whose centres lie in it, rim included.
    Ball { centre: [f32; N], radius: f32, }
    /// Agents whose boxes it hits.
    Segment { from: [f32; N], to: [f32; N], }
    /// `origin` + t * `direction`, 0 <= t <= `length`: agents whose boxes it hits.
    Ray { origin: [f32; N], direction: [f32; N], length: f32, }
    /// Agents whose discs a moving disc of this radius hits.
    Capsule { from: [f32; N], to: [f32; N], radius: f32, }
    /// A field of view: agents whose centres lie in that part of a ball.
    Sector {
        centre: [f32; N],
        radius: f32,
        direction: [f32; N],
        /// Of the angle to either side of `direction`: 0 sees all that is in front, -1 everything.
        cosine: f32,
    }
    /// The points p with `normal` . p <= `offset`.
    Side { normal: [f32; N], offset: f32, }
    /// Agents whose boxes overlap the region inside the bounds and the first `count` sides.
    Convex {
        sides: [Side<N>; 8],
        count: usize,
        /// Which may be +-1e18.
        bounds: Aabb<N>,
    }
    /// `centre` + the sum of t * `half_edges[i]`, -1 <= t <= 1: agents whose boxes overlap it.
    OrientedBox { centre: [f32; N], half_edges: [[f32; N]; N], }
    /// `radius` on the ground, and `low` to `high` on the axis `up`: agents whose centres lie in it.
    Cylinder { centre: [f32; N], radius: f32, low: f32, high: f32, up: Up, }
    /// Agents whose bodies it touches.
    BodyBall { centre: [f32; N], radius: f32, body: Body, }
    /// Agents whose bodies it touches.
    BodySector { centre: [f32; N], radius: f32, direction: [f32; N], cosine: f32, body: Body, }
    /// Agents whose bodies it touches.
    BodyCylinder { centre: [f32; N], radius: f32, low: f32, high: f32, up: Up, body: Body, }
}

impl<const N: usize> Convex<N> {
    /// The region inside these sides and bounds. Questions refuse one with more than eight.
    pub fn new(sides: &[Side<N>], bounds: Aabb<N>) -> Self {
        let mut all = [Side { normal: [0.0; N], offset: 0.0 }; 8];
        for (place, side) in all.iter_mut().zip(sides) {
            *place = *side;
        }
        Convex { sides: all, count: sides.len(), bounds }
    }
}

impl Convex<2> {
    /// The polygon with these corners, at most eight, in order, either way round.
    pub fn polygon(corners: &[[f32; 2]]) -> Result<Self> {
        ffi::polygon(corners)
    }
}

impl Convex<3> {
    /// The frustum with these corners: four around the near side, and the four of the far side that belong to them.
    pub fn frustum(corners: &[[f32; 3]; 8]) -> Result<Self> {
        ffi::frustum(corners)
    }
}

/// All points of the plane within half the `thickness` of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Wall {
    pub from: [f32; 2],
    pub to: [f32; 2],
    pub thickness: f32,
}

/// A triangle in space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Triangle {
    pub corners: [[f32; 3]; 3],
}

/// An [`Aabb`], [`OrientedBox`] or [`Capsule`] that moves by `way` without turning, from time 0 to 1. A capsule here is
/// a shape, and not a path: all that is within its radius of its segment.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Moving<S, const N: usize> {
    pub shape: S,
    pub way: [f32; N],
}

pub use ffi::Shape;

/// All shapes, for `From`: with it a single shape is told from an array of them.
pub trait AnyShape {}
/// What a crowd can be asked about.
pub trait CrowdShape<const N: usize>: Shape<N> {}
/// What has a first hit among agents: [`Segment`], [`Ray`], [`Capsule`].
pub trait Path<const N: usize>: CrowdShape<N> {}
/// What obstacles cut: [`Ball`], [`Sector`].
pub trait SightShape<const N: usize>: CrowdShape<N> {}
/// What obstacles can be: [`Aabb`], [`OrientedBox`], in the plane [`Wall`], in space [`Triangle`].
pub trait Obstacle<const N: usize>: Shape<N> {}
/// What has a first hit among obstacles: the paths, and what is [`Moving`].
pub trait ObstaclePath<const N: usize>: Shape<N> {}
/// What obstacles can overlap: [`Aabb`], [`OrientedBox`], [`Sector`], [`Convex`], [`Cylinder`].
pub trait Region<const N: usize>: Shape<N> {}

macro_rules! are {
    ($kind:ident: $($name:ident)*) => { $(impl<const N: usize> $kind<N> for $name<N> {})* };
}
are!(CrowdShape: Aabb Ball Segment Ray Capsule Sector Convex OrientedBox Cylinder BodyBall BodySector BodyCylinder);
macro_rules! are_shapes {
    ($($name:ident)*) => { $(impl<const N: usize> AnyShape for $name<N> {})* };
}
are_shapes!(Aabb Ball Segment Ray Capsule Sector Convex OrientedBox Cylinder BodyBall BodySector BodyCylinder);
impl<S, const N: usize> AnyShape for Moving<S, N> {}
are!(Path: Segment Ray Capsule);
are!(SightShape: Ball Sector);
are!(Obstacle: Aabb OrientedBox);
are!(ObstaclePath: Segment Ray Capsule);
are!(Region: Aabb OrientedBox Sector Convex Cylinder);
impl Obstacle<2> for Wall {}
impl Obstacle<3> for Triangle {}
impl<const N: usize> ObstaclePath<N> for Moving<Aabb<N>, N> {}
impl<const N: usize> ObstaclePath<N> for Moving<OrientedBox<N>, N> {}
impl<const N: usize> ObstaclePath<N> for Moving<Capsule<N>, N> {}
