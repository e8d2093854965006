//! What each shape should find, by its definition, in doubles, which round nowhere here.

use super::{world, Draw, Member};
use std::fmt::Debug;
use throng::*;

/// A shape that can be drawn by lot, and tested by its definition.
pub trait Case<const N: usize>: CrowdShape<N> + AnyShape + Debug {
    fn draw(draw: &mut Draw) -> Self;
    fn finds(&self, member: &Member<N>) -> bool;
}

/// The time at which a path first touches a member that it finds.
pub trait TimedCase<const N: usize>: Case<N> + Path<N> {
    fn time(&self, member: &Member<N>) -> f64;
}

fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    (0..N).map(|i| a[i] * b[i]).sum()
}

fn minus<const N: usize>(a: [f32; N], b: [f32; N]) -> [f64; N] {
    std::array::from_fn(|i| f64::from(a[i]) - f64::from(b[i]))
}

fn doubles<const N: usize>(a: [f32; N]) -> [f64; N] {
    a.map(f64::from)
}

/// At most two units on each axis, and not zero.
fn direction<const N: usize>(draw: &mut Draw) -> [f32; N] {
    let mut way = std::array::from_fn(|_| draw.below(5) as f32 - 2.0);
    if way[0] == 0.0 {
        way[0] = 1.0;
    }
    way
}

/// From a point to the nearest point of a member's box, or to its centre.
fn way_to<const N: usize>(from: [f32; N], body: Body, member: &Member<N>) -> [f64; N] {
    let offset = minus(member.at, from);
    std::array::from_fn(|a| {
        let half = if body == Body::Box { f64::from(member.half[a]) } else { 0.0 };
        (offset[a] - half).max(0.0) + (offset[a] + half).min(0.0)
    })
}

fn disc<const N: usize>(body: Body, member: &Member<N>) -> f64 {
    if body == Body::Disc {
        f64::from(member.half[0])
    } else {
        0.0
    }
}

impl<const N: usize> Case<N> for Aabb<N> {
    fn draw(draw: &mut Draw) -> Self {
        let lo = draw.place();
        // Some are inverted on an axis, and find nothing.
        let hi = lo.map(|lo| lo + draw.halves(12) - if draw.below(16) == 0 { 1.0 } else { 0.0 });
        Aabb { lo, hi }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        (0..N).all(|a| {
            let (at, half) = (f64::from(member.at[a]), f64::from(member.half[a]));
            let (lo, hi) = (f64::from(self.lo[a]), f64::from(self.hi[a]));
            lo <= hi && at - half <= hi && lo <= at + half
        })
    }
}

impl<const N: usize> Case<N> for Ball<N> {
    fn draw(draw: &mut Draw) -> Self {
        Ball { centre: draw.place(), radius: draw.halves(12) }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        BodyBall { centre: self.centre, radius: self.radius, body: Body::Centre }.finds(member)
    }
}

impl<const N: usize> Case<N> for BodyBall<N> {
    fn draw(draw: &mut Draw) -> Self {
        let ball = <Ball<N> as Case<N>>::draw(draw);
        BodyBall { centre: ball.centre, radius: ball.radius, body: body(draw) }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        let way = way_to(self.centre, self.body, member);
        let reach = f64::from(self.radius) + disc(self.body, member);
        dot(way, way) <= reach * reach
    }
}

fn body(draw: &mut Draw) -> Body {
    [Body::Centre, Body::Box, Body::Disc][draw.below(3) as usize]
}

/// Whether `from` + t * `way`, 0 <= t <= `end`, hits a box: no side, end or line may separate them.
fn hits_box<const N: usize>(from: [f32; N], way: [f64; N], end: f64, member: &Member<N>) -> bool {
    let (offset, half) = (minus(member.at, from), doubles(member.half));
    (0..N).all(|a| {
        let last = way[a] * end;
        offset[a] - half[a] <= last.max(0.0)
            && last.min(0.0) <= offset[a] + half[a]
            && (a + 1..N).all(|b| {
                let off = way[a] * offset[b] - way[b] * offset[a];
                off.abs() <= half[a] * way[b].abs() + half[b] * way[a].abs()
            })
    })
}

fn time_to_box<const N: usize>(from: [f32; N], way: [f64; N], end: f64, member: &Member<N>) -> f64 {
    let offset = minus(member.at, from);
    let entries = (0..N).filter(|&a| way[a] != 0.0).map(|a| {
        let half = f64::from(member.half[a]);
        (offset[a] - half * way[a].signum()) / way[a]
    });
    entries.fold(0.0, f64::max).min(end)
}

impl<const N: usize> Case<N> for Segment<N> {
    fn draw(draw: &mut Draw) -> Self {
        Segment { from: draw.place(), to: draw.place() }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        hits_box(self.from, minus(self.to, self.from), 1.0, member)
    }
}

impl<const N: usize> TimedCase<N> for Segment<N> {
    fn time(&self, member: &Member<N>) -> f64 {
        time_to_box(self.from, minus(self.to, self.from), 1.0, member)
    }
}

impl<const N: usize> Case<N> for Ray<N> {
    fn draw(draw: &mut Draw) -> Self {
        Ray { origin: draw.place(), direction: direction(draw), length: draw.below(9) as f32 }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        hits_box(self.origin, doubles(self.direction), f64::from(self.length), member)
    }
}

impl<const N: usize> TimedCase<N> for Ray<N> {
    fn time(&self, member: &Member<N>) -> f64 {
        time_to_box(self.origin, doubles(self.direction), f64::from(self.length), member)
    }
}

impl<const N: usize> Case<N> for Capsule<N> {
    /// Along an axis or a diagonal of two, whose lengths have squares that are powers of two, or nowhere.
    fn draw(draw: &mut Draw) -> Self {
        let from = draw.place();
        let (a, b) = (draw.below(N as u32) as usize, draw.below(N as u32) as usize);
        let length = (4 * draw.below(3)) as f32;
        let mut to = from;
        to[a] += length;
        if a != b && draw.below(2) == 0 {
            to[b] -= length;
        }
        Capsule { from, to, radius: 0.25 * draw.below(6) as f32 }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        let (way, offset) = (minus(self.to, self.from), minus(member.at, self.from));
        let length2 = dot(way, way);
        let time = if length2 > 0.0 { (dot(way, offset) / length2).clamp(0.0, 1.0) } else { 0.0 };
        let away: [f64; N] = std::array::from_fn(|a| offset[a] - time * way[a]);
        let reach = f64::from(self.radius) + f64::from(member.half[0]);
        dot(away, away) <= reach * reach
    }
}

impl<const N: usize> TimedCase<N> for Capsule<N> {
    fn time(&self, member: &Member<N>) -> f64 {
        let (way, offset) = (minus(self.to, self.from), minus(member.at, self.from));
        let length2 = dot(way, way);
        if length2 == 0.0 {
            return 0.0;
        }
        let passing = dot(way, offset) / length2;
        let away: [f64; N] = std::array::from_fn(|a| offset[a] - passing * way[a]);
        let reach = f64::from(self.radius) + f64::from(member.half[0]);
        let below_the_rim = (reach * reach - dot(away, away)).max(0.0);
        (passing - (below_the_rim / length2).sqrt()).clamp(0.0, 1.0)
    }
}

impl<const N: usize> Case<N> for Sector<N> {
    fn draw(draw: &mut Draw) -> Self {
        let cosine = [-1.0, -0.5, 0.0, 0.5, 1.0][draw.below(5) as usize];
        Sector { centre: draw.place(), radius: draw.below(8) as f32, direction: direction(draw), cosine }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        let Sector { centre, radius, direction, cosine } = *self;
        BodySector { centre, radius, direction, cosine, body: Body::Centre }.finds(member)
    }
}

impl<const N: usize> Case<N> for BodySector<N> {
    fn draw(draw: &mut Draw) -> Self {
        let Sector { centre, radius, direction, cosine } = <Sector<N> as Case<N>>::draw(draw);
        BodySector { centre, radius, direction, cosine, body: body(draw) }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        let way = way_to(self.centre, self.body, member);
        let (own, forward) = (disc(self.body, member), doubles(self.direction));
        let (distance2, ahead) = (dot(way, way), dot(way, forward));
        let (reach, cosine) = (f64::from(self.radius) + own, f64::from(self.cosine));
        if distance2 > reach * reach {
            return false;
        }
        // The centre itself, or within a disc.
        if distance2 <= own * own {
            return true;
        }
        let edge = cosine * cosine * dot(forward, forward) * distance2;
        if cosine < 0.0 {
            ahead >= 0.0 || ahead * ahead <= edge
        } else {
            ahead >= 0.0 && ahead * ahead >= edge
        }
    }
}

/// Whether a box lies wholly beyond the line or plane.
fn is_beyond<const N: usize>(normal: [f64; N], offset: f64, member: &Member<N>) -> bool {
    let reach: f64 = (0..N).map(|a| normal[a].abs() * f64::from(member.half[a])).sum();
    dot(normal, doubles(member.at)) - reach > offset
}

fn in_convex<const N: usize>(convex: &Convex<N>, member: &Member<N>) -> bool {
    let sides = &convex.sides[..convex.count];
    convex.bounds.finds(member)
        && !sides.iter().any(|side| is_beyond(doubles(side.normal), f64::from(side.offset), member))
}

impl Case<2> for Convex<2> {
    /// A house, seen from either side.
    fn draw(draw: &mut Draw) -> Self {
        let at: [f32; 2] = draw.place();
        let mut corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 5.0], [0.0, 3.0]];
        if draw.below(2) == 0 {
            corners.reverse();
        }
        Convex::polygon(&corners.map(|[x, y]| [at[0] + x, at[1] + y])).unwrap()
    }
    fn finds(&self, member: &Member<2>) -> bool {
        in_convex(self, member)
    }
}

impl Case<3> for Convex<3> {
    /// Looking along x, twice as wide at its far side.
    fn draw(draw: &mut Draw) -> Self {
        let at: [f32; 3] = draw.place();
        let around = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corners = std::array::from_fn(|i| {
            let (wide, far) = if i < 4 { (2.0, 0.0) } else { (4.0, 4.0) };
            [at[0] + far, at[1] + wide * around[i % 4][0], at[2] + wide * around[i % 4][1]]
        });
        Convex::frustum(&corners).unwrap()
    }
    fn finds(&self, member: &Member<3>) -> bool {
        in_convex(self, member)
    }
}

/// On either side of each pair of edges, in the plane of each edge, the line or plane of the others.
fn normals<const N: usize>(edges: &[[f32; N]; N]) -> [[f64; N]; N] {
    std::array::from_fn(|e| {
        let (u, v) = (doubles(edges[(e + 1) % N]), doubles(edges[(e + 2) % N]));
        std::array::from_fn(|a| match N {
            2 if a == 0 => u[1],
            2 => -u[0],
            _ => u[(a + 1) % N] * v[(a + 2) % N] - u[(a + 2) % N] * v[(a + 1) % N],
        })
    })
}

impl<const N: usize> Case<N> for OrientedBox<N> {
    /// With edges that are independent, and not at right angles.
    fn draw(draw: &mut Draw) -> Self {
        let half_edges = std::array::from_fn(|e| {
            let mut edge: [f32; N] = direction(draw);
            edge[e] = 3.0 + e as f32;
            edge
        });
        OrientedBox { centre: draw.place(), half_edges }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        let reach: [f32; N] = std::array::from_fn(|a| self.half_edges.iter().map(|edge| edge[a].abs()).sum());
        let bounds = Aabb {
            lo: std::array::from_fn(|a| self.centre[a] - reach[a]),
            hi: std::array::from_fn(|a| self.centre[a] + reach[a]),
        };
        bounds.finds(member)
            && normals(&self.half_edges).iter().zip(&self.half_edges).all(|(&normal, &edge)| {
                let middle = dot(normal, doubles(self.centre));
                let reach = dot(normal, doubles(edge)).abs();
                !is_beyond(normal, middle + reach, member) && !is_beyond(normal.map(|x| -x), reach - middle, member)
            })
    }
}

impl<const N: usize> Case<N> for Cylinder<N> {
    fn draw(draw: &mut Draw) -> Self {
        let low = draw.halves(2 * world(N) + 1);
        let up = if N == 3 && draw.below(2) == 0 { Up::Z } else { Up::Y };
        let high = low + draw.halves(12) - if draw.below(16) == 0 { 1.0 } else { 0.0 };
        Cylinder { centre: draw.place(), radius: draw.halves(12), low, high, up }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        let Cylinder { centre, radius, low, high, up } = *self;
        BodyCylinder { centre, radius, low, high, up, body: Body::Centre }.finds(member)
    }
}

impl<const N: usize> Case<N> for BodyCylinder<N> {
    fn draw(draw: &mut Draw) -> Self {
        let Cylinder { centre, radius, low, high, up } = <Cylinder<N> as Case<N>>::draw(draw);
        BodyCylinder { centre, radius, low, high, up, body: body(draw) }
    }
    fn finds(&self, member: &Member<N>) -> bool {
        let up = self.up as usize;
        let mut way = way_to(self.centre, self.body, member);
        way[up] = 0.0;
        let (low, high, radius) = (f64::from(self.low), f64::from(self.high), f64::from(self.radius));
        let (height, own) = (f64::from(member.at[up]), disc(self.body, member));
        if low > high {
            return false;
        }
        if self.body == Body::Disc {
            let aside = (dot(way, way).sqrt() - radius).max(0.0);
            let above = (low - height).max(height - high).max(0.0);
            return aside * aside + above * above <= own * own;
        }
        let half = if self.body == Body::Box { f64::from(member.half[up]) } else { 0.0 };
        dot(way, way) <= radius * radius && low <= height + half && height - half <= high
    }
}

/// The squared distance from a point, or between two bodies where `own` is the half extent of one that asks, as the
/// library computes it: in floats, so that order at equal distances can be compared.
pub fn distance2<const N: usize>(point: &[f32; N], own: &[f32; N], body: Body, member: &Member<N>) -> f32 {
    let mut distance2 = 0.0f32;
    for a in 0..N {
        let offset = member.at[a] - point[a];
        let gap = if body == Body::Box { (offset.abs() - member.half[a] - own[a]).max(0.0) } else { offset };
        distance2 += gap * gap;
    }
    if body != Body::Disc {
        return distance2;
    }
    let gap = (distance2.sqrt() - (member.half[0] + own[0])).max(0.0);
    gap * gap
}
