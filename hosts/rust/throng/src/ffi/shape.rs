//! Which structure of C each shape is.

use super::check;
use crate::shapes::*;
use crate::Result;
use std::mem::{align_of, size_of};
use throng_sys as sys;

/// A shape in the plane, `Shape<2>`, or in space, `Shape<3>`.
///
/// # Safety
/// A type must be, to the byte, the structure of C that `KIND` stands for.
pub unsafe trait Shape<const N: usize>: Copy {
    #[doc(hidden)]
    const KIND: u32;
}

/// Of the kind in the plane and that in space, the one of dimension N.
const fn kind(dimension: usize, plane: u32, space: u32) -> u32 {
    if dimension == 2 {
        plane
    } else {
        space
    }
}

/// Says of types that they are structures of C, in the plane and in space; sizes are compared by the compiler, fields by
/// the tests of this file.
macro_rules! shapes {
    ($($shape:ty, $plane:ty = $plane_c:ident $plane_kind:ident, $space:ty = $space_c:ident $space_kind:ident;)*) => {
        $(
            // SAFETY: #[repr(C)], with the fields of the structure in its order; crowds and obstacles of other dimensions
            // than 2 and 3 cannot be made.
            unsafe impl<const N: usize> Shape<N> for $shape {
                const KIND: u32 = kind(N, sys::$plane_kind, sys::$space_kind);
            }
            const _: () = assert!(
                size_of::<$plane>() == size_of::<sys::$plane_c>()
                    && align_of::<$plane>() == align_of::<sys::$plane_c>()
                    && size_of::<$space>() == size_of::<sys::$space_c>()
                    && align_of::<$space>() == align_of::<sys::$space_c>()
            );
        )*
    };
}

shapes! {
    Aabb<N>, Aabb<2> = throng_box2 THRONG_BOX2, Aabb<3> = throng_box3 THRONG_BOX3;
    Ball<N>, Ball<2> = throng_ball2 THRONG_BALL2, Ball<3> = throng_ball3 THRONG_BALL3;
    Segment<N>, Segment<2> = throng_segment2 THRONG_SEGMENT2, Segment<3> = throng_segment3 THRONG_SEGMENT3;
    Ray<N>, Ray<2> = throng_ray2 THRONG_RAY2, Ray<3> = throng_ray3 THRONG_RAY3;
    Capsule<N>, Capsule<2> = throng_capsule2 THRONG_CAPSULE2, Capsule<3> = throng_capsule3 THRONG_CAPSULE3;
    Sector<N>, Sector<2> = throng_sector2 THRONG_SECTOR2, Sector<3> = throng_sector3 THRONG_SECTOR3;
    Convex<N>, Convex<2> = throng_convex2 THRONG_CONVEX2, Convex<3> = throng_convex3 THRONG_CONVEX3;
    OrientedBox<N>, OrientedBox<2> = throng_oriented_box2 THRONG_ORIENTED_BOX2,
        OrientedBox<3> = throng_oriented_box3 THRONG_ORIENTED_BOX3;
    Cylinder<N>, Cylinder<2> = throng_cylinder2 THRONG_CYLINDER2, Cylinder<3> = throng_cylinder3 THRONG_CYLINDER3;
    BodyBall<N>, BodyBall<2> = throng_body_ball2 THRONG_BODY_BALL2, BodyBall<3> = throng_body_ball3 THRONG_BODY_BALL3;
    BodySector<N>, BodySector<2> = throng_body_sector2 THRONG_BODY_SECTOR2,
        BodySector<3> = throng_body_sector3 THRONG_BODY_SECTOR3;
    BodyCylinder<N>, BodyCylinder<2> = throng_body_cylinder2 THRONG_BODY_CYLINDER2,
        BodyCylinder<3> = throng_body_cylinder3 THRONG_BODY_CYLINDER3;
    Moving<Aabb<N>, N>, Moving<Aabb<2>, 2> = throng_moving_box2 THRONG_MOVING_BOX2,
        Moving<Aabb<3>, 3> = throng_moving_box3 THRONG_MOVING_BOX3;
    Moving<OrientedBox<N>, N>, Moving<OrientedBox<2>, 2> = throng_moving_oriented_box2 THRONG_MOVING_ORIENTED_BOX2,
        Moving<OrientedBox<3>, 3> = throng_moving_oriented_box3 THRONG_MOVING_ORIENTED_BOX3;
    Moving<Capsule<N>, N>, Moving<Capsule<2>, 2> = throng_moving_capsule2 THRONG_MOVING_CAPSULE2,
        Moving<Capsule<3>, 3> = throng_moving_capsule3 THRONG_MOVING_CAPSULE3;
}

// SAFETY: #[repr(C)], with the fields of throng_wall in its order.
unsafe impl Shape<2> for Wall {
    const KIND: u32 = sys::THRONG_WALL2;
}
const _: () = assert!(size_of::<Wall>() == size_of::<sys::throng_wall>());
// SAFETY: #[repr(C)], with the field of throng_triangle.
unsafe impl Shape<3> for Triangle {
    const KIND: u32 = sys::THRONG_TRIANGLE3;
}
const _: () = assert!(size_of::<Triangle>() == size_of::<sys::throng_triangle>());

pub(crate) fn polygon(corners: &[[f32; 2]]) -> Result<Convex<2>> {
    let mut convex = Convex::new(&[], Aabb { lo: [0.0; 2], hi: [0.0; 2] });
    let out = (&mut convex as *mut Convex<2>).cast::<sys::throng_convex2>();
    // SAFETY: Borrowed; a Convex<2> is a throng_convex2.
    check(unsafe { sys::throng_polygon(corners.as_ptr().cast::<f32>(), corners.len(), out) })?;
    Ok(convex)
}

pub(crate) fn frustum(corners: &[[f32; 3]; 8]) -> Result<Convex<3>> {
    let mut convex = Convex::new(&[], Aabb { lo: [0.0; 3], hi: [0.0; 3] });
    let out = (&mut convex as *mut Convex<3>).cast::<sys::throng_convex3>();
    // SAFETY: Borrowed; eight corners are 24 numbers, and a Convex<3> is a throng_convex3.
    check(unsafe { sys::throng_frustum(corners.as_ptr().cast::<f32>(), out) })?;
    Ok(convex)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares where fields lie in a type and in the structure of C that it is.
    macro_rules! same_places {
        ($($of:ty = $c:ident: $($field:ident)*;)*) => {
            $({
                let here = std::mem::MaybeUninit::<$of>::uninit();
                let there = std::mem::MaybeUninit::<sys::$c>::uninit();
                let (here, there) = (here.as_ptr(), there.as_ptr());
                $(
                    // SAFETY: addresses are taken, and nothing is read.
                    let (own, c) = unsafe { (std::ptr::addr_of!((*here).$field), std::ptr::addr_of!((*there).$field)) };
                    assert_eq!(own as usize - here as usize, c as usize - there as usize,
                               "{}.{}", stringify!($of), stringify!($field));
                )*
            })*
        };
    }

    #[test]
    fn fields_lie_where_they_do_in_c() {
        same_places! {
            Aabb<2> = throng_box2: lo hi;
            Aabb<3> = throng_box3: lo hi;
            Ball<2> = throng_ball2: centre radius;
            Ball<3> = throng_ball3: centre radius;
            Segment<2> = throng_segment2: from to;
            Segment<3> = throng_segment3: from to;
            Ray<2> = throng_ray2: origin direction length;
            Ray<3> = throng_ray3: origin direction length;
            Capsule<2> = throng_capsule2: from to radius;
            Capsule<3> = throng_capsule3: from to radius;
            Sector<2> = throng_sector2: centre radius direction cosine;
            Sector<3> = throng_sector3: centre radius direction cosine;
            Side<2> = throng_side2: normal offset;
            Side<3> = throng_side3: normal offset;
            Convex<2> = throng_convex2: sides count bounds;
            Convex<3> = throng_convex3: sides count bounds;
            OrientedBox<2> = throng_oriented_box2: centre half_edges;
            OrientedBox<3> = throng_oriented_box3: centre half_edges;
            Cylinder<2> = throng_cylinder2: centre radius low high up;
            Cylinder<3> = throng_cylinder3: centre radius low high up;
            BodyBall<2> = throng_body_ball2: centre radius body;
            BodyBall<3> = throng_body_ball3: centre radius body;
            BodySector<2> = throng_body_sector2: centre radius direction cosine body;
            BodySector<3> = throng_body_sector3: centre radius direction cosine body;
            BodyCylinder<2> = throng_body_cylinder2: centre radius low high up body;
            BodyCylinder<3> = throng_body_cylinder3: centre radius low high up body;
            Wall = throng_wall: from to thickness;
            Triangle = throng_triangle: corners;
            Moving<Aabb<2>, 2> = throng_moving_box2: shape way;
            Moving<Aabb<3>, 3> = throng_moving_box3: shape way;
            Moving<OrientedBox<2>, 2> = throng_moving_oriented_box2: shape way;
            Moving<OrientedBox<3>, 3> = throng_moving_oriented_box3: shape way;
            Moving<Capsule<2>, 2> = throng_moving_capsule2: shape way;
            Moving<Capsule<3>, 3> = throng_moving_capsule3: shape way;
            crate::Near = throng_near: distance2 id;
            crate::Meeting = throng_meeting: time id;
            crate::Filter = throng_filter: groups without;
            crate::Contact = throng_contact: first second;
            crate::AgentHandle = throng_agent_handle: slot generation owner;
            crate::ObstacleNear<2> = throng_obstacle_near2: id distance point normal;
            crate::ObstacleNear<3> = throng_obstacle_near3: id distance point normal;
            crate::ObstacleHit<2> = throng_obstacle_hit2: id time point normal;
            crate::ObstacleHit<3> = throng_obstacle_hit3: id time point normal;
        }
    }
}
