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

/// Says of types that they are structures of C: sizes are compared by the compiler, places of fields by a test.
macro_rules! structures {
    ($test:ident: $($of:ty = $c:ident, $($field:ident)*;)*) => {
        $(const _: () = assert!(size_of::<$of>() == size_of::<sys::$c>() && align_of::<$of>() == align_of::<sys::$c>());)*

        #[cfg(test)]
        #[test]
        fn $test() {
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
        }
    };
}

/// The same of shapes, in the plane and in space.
macro_rules! shapes {
    ($test:ident: $($shape:ident: $plane:ident $plane_kind:ident, $space:ident $space_kind:ident, $($field:ident)*;)*) => {
        $(
            // SAFETY: #[repr(C)], with the fields of the structure in its order; crowds and obstacles of other dimensions
            // than 2 and 3 cannot be made.
            unsafe impl<const N: usize> Shape<N> for $shape<N> {
                const KIND: u32 = kind(N, sys::$plane_kind, sys::$space_kind);
            }
        )*
        structures! { $test: $($shape<2> = $plane, $($field)*; $shape<3> = $space, $($field)*;)* }
    };
}

// Shapes that move, by names without parameters of their own.
type MovingBox<const N: usize> = Moving<Aabb<N>, N>;
type MovingOrientedBox<const N: usize> = Moving<OrientedBox<N>, N>;
type MovingCapsule<const N: usize> = Moving<Capsule<N>, N>;

shapes! {
    shapes_lie_as_in_c:
    Aabb: throng_box2 THRONG_BOX2, throng_box3 THRONG_BOX3, lo hi;
    Ball: throng_ball2 THRONG_BALL2, throng_ball3 THRONG_BALL3, centre radius;
    Segment: throng_segment2 THRONG_SEGMENT2, throng_segment3 THRONG_SEGMENT3, from to;
    Ray: throng_ray2 THRONG_RAY2, throng_ray3 THRONG_RAY3, origin direction length;
    Capsule: throng_capsule2 THRONG_CAPSULE2, throng_capsule3 THRONG_CAPSULE3, from to radius;
    Sector: throng_sector2 THRONG_SECTOR2, throng_sector3 THRONG_SECTOR3, centre radius direction cosine;
    Convex: throng_convex2 THRONG_CONVEX2, throng_convex3 THRONG_CONVEX3, sides count bounds;
    OrientedBox: throng_oriented_box2 THRONG_ORIENTED_BOX2, throng_oriented_box3 THRONG_ORIENTED_BOX3, centre half_edges;
    Cylinder: throng_cylinder2 THRONG_CYLINDER2, throng_cylinder3 THRONG_CYLINDER3, centre radius low high up;
    BodyBall: throng_body_ball2 THRONG_BODY_BALL2, throng_body_ball3 THRONG_BODY_BALL3, centre radius body;
    BodySector: throng_body_sector2 THRONG_BODY_SECTOR2, throng_body_sector3 THRONG_BODY_SECTOR3, centre radius direction cosine body;
    BodyCylinder: throng_body_cylinder2 THRONG_BODY_CYLINDER2, throng_body_cylinder3 THRONG_BODY_CYLINDER3, centre radius low high up body;
    MovingBox: throng_moving_box2 THRONG_MOVING_BOX2, throng_moving_box3 THRONG_MOVING_BOX3, shape way;
    MovingOrientedBox: throng_moving_oriented_box2 THRONG_MOVING_ORIENTED_BOX2, throng_moving_oriented_box3 THRONG_MOVING_ORIENTED_BOX3, shape way;
    MovingCapsule: throng_moving_capsule2 THRONG_MOVING_CAPSULE2, throng_moving_capsule3 THRONG_MOVING_CAPSULE3, shape way;
}

// SAFETY: #[repr(C)], with the fields of throng_wall in its order.
unsafe impl Shape<2> for Wall {
    const KIND: u32 = sys::THRONG_WALL2;
}
// SAFETY: #[repr(C)], with the field of throng_triangle.
unsafe impl Shape<3> for Triangle {
    const KIND: u32 = sys::THRONG_TRIANGLE3;
}

structures! {
    others_lie_as_in_c:
    Wall = throng_wall, from to thickness;
    Triangle = throng_triangle, corners;
    Side<2> = throng_side2, normal offset;
    Side<3> = throng_side3, normal offset;
    crate::Near = throng_near, distance2 id;
    crate::Meeting = throng_meeting, time id;
    crate::Filter = throng_filter, groups without;
    crate::Contact = throng_contact, first second;
    crate::AgentHandle = throng_agent_handle, slot generation owner;
    crate::ObstacleNear<2> = throng_obstacle_near2, id distance point normal;
    crate::ObstacleNear<3> = throng_obstacle_near3, id distance point normal;
    crate::ObstacleHit<2> = throng_obstacle_hit2, id time point normal;
    crate::ObstacleHit<3> = throng_obstacle_hit3, id time point normal;
}

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
