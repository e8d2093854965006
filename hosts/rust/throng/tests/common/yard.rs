//! Obstacles that lie along the axes, so that plain loops know all about them.

use super::*;

pub const EACH: usize = 20;

/// An obstacle that lies along the axes: a box, with rounded corners if it has a reach.
#[derive(Clone, Debug)]
pub struct Lying<const N: usize> {
    pub lo: [f32; N],
    pub hi: [f32; N],
    pub reach: f32,
    pub is_box: bool,
    pub groups: u32,
}

impl<const N: usize> Lying<N> {
    /// From a point to its surface; inside of a box minus the way out.
    pub fn distance(&self, point: &[f32; N]) -> f64 {
        let (mut square, mut depth) = (0.0, f64::INFINITY);
        for ((lo, hi), x) in self.lo.iter().zip(&self.hi).zip(point) {
            let (below, above) = (f64::from(lo - x), f64::from(x - hi));
            square += below.max(above).max(0.0).powi(2);
            depth = depth.min(-below).min(-above);
        }
        if square == 0.0 && self.is_box {
            return -depth;
        }
        square.sqrt() - f64::from(self.reach)
    }
    /// As a member of a crowd with this half extent more, for paths that have one.
    pub fn as_member(&self, more: [f32; N]) -> Member<N> {
        Member {
            groups: self.groups,
            half: std::array::from_fn(|a| 0.5 * (self.hi[a] - self.lo[a]) + more[a]),
            id: 0,
            at: std::array::from_fn(|a| 0.5 * (self.lo[a] + self.hi[a])),
            is_giant: false,
        }
    }
    /// How far apart this and a box are on each axis.
    pub fn gaps(&self, lo: &[f32; N], hi: &[f32; N]) -> [f32; N] {
        std::array::from_fn(|a| (self.lo[a] - hi[a]).max(lo[a] - self.hi[a]).max(0.0))
    }
}

/// The dimension's own obstacles: walls or triangles.
pub trait Yard<const N: usize> {
    type Thin: Obstacle<N>;
    fn thin(lo: [f32; N], hi: [f32; N], thickness: f32) -> Self::Thin;
    fn add<'a>(arrays: ObstacleArrays<'a, N>, thin: &'a [Self::Thin]) -> ObstacleArrays<'a, N>;
}

impl Yard<2> for Space<2> {
    type Thin = Wall;
    fn thin(from: [f32; 2], to: [f32; 2], thickness: f32) -> Wall {
        Wall { from, to, thickness }
    }
    fn add<'a>(arrays: ObstacleArrays<'a, 2>, thin: &'a [Wall]) -> ObstacleArrays<'a, 2> {
        arrays.walls(thin)
    }
}

impl Yard<3> for Space<3> {
    type Thin = Triangle;
    /// As flat as a segment.
    fn thin(from: [f32; 3], to: [f32; 3], _: f32) -> Triangle {
        Triangle { corners: [from, to, to] }
    }
    fn add<'a>(arrays: ObstacleArrays<'a, 3>, thin: &'a [Triangle]) -> ObstacleArrays<'a, 3> {
        arrays.triangles(thin)
    }
}

/// Edge e lies along the next axis.
pub fn turned<const N: usize>(lo: [f32; N], hi: [f32; N]) -> OrientedBox<N> {
    let mut half_edges = [[0.0; N]; N];
    for (e, edge) in half_edges.iter_mut().enumerate() {
        let along = (e + 1) % N;
        edge[along] = 0.5 * (hi[along] - lo[along]);
    }
    OrientedBox { centre: std::array::from_fn(|a| 0.5 * (lo[a] + hi[a])), half_edges }
}

pub fn place<const N: usize>(draw: &mut Draw) -> ([f32; N], [f32; N]) {
    let lo: [f32; N] = draw.place();
    (lo, lo.map(|x| x + draw.halves(7)))
}

/// Boxes, then turned boxes, then thin ones along an axis; if `thick`, walls have a thickness.
pub fn yard<const N: usize>(draw: &mut Draw, thick: bool) -> (Obstacles<N>, Vec<Lying<N>>)
where
    Space<N>: Dimension + Yard<N>,
{
    let mut bodies = Vec::new();
    let (mut boxes, mut turned_boxes, mut thin) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..3 * EACH {
        let (lo, mut hi) = place(draw);
        let mut reach = 0.0;
        if i < EACH {
            boxes.push(Aabb { lo, hi });
        } else if i < 2 * EACH {
            turned_boxes.push(turned(lo, hi));
        } else {
            let along = draw.below(N as u32) as usize;
            for a in 0..N {
                if a != along {
                    hi[a] = lo[a];
                }
            }
            let thickness = if thick && N == 2 { draw.halves(3) } else { 0.0 };
            reach = 0.5 * thickness;
            thin.push(<Space<N> as Yard<N>>::thin(lo, hi, thickness));
        }
        bodies.push(Lying { lo, hi, reach, is_box: i < 2 * EACH, groups: 1 << draw.below(3) });
    }
    let mut obstacles = Obstacles::new().unwrap();
    let arrays = ObstacleArrays::new().boxes(&boxes).turned_boxes(&turned_boxes);
    let arrays = arrays.groups(Field::of(&bodies, |body| &body.groups));
    obstacles.set(&<Space<N> as Yard<N>>::add(arrays, &thin)).unwrap();
    assert_eq!(obstacles.counts().unwrap().obstacles, 3 * EACH as u64);
    (obstacles, bodies)
}
