//! Obstacles, what is asked of them, and sight past them.

use crate::yard::*;
use throng::*;

const BOXES: [Aabb<2>; 2] = [Aabb { lo: [3.0; 2], hi: [4.0; 2] }, Aabb { lo: [6.0; 2], hi: [7.0; 2] }];

/// Two boxes, with ids 0 and 1.
fn boxes() -> Result<Obstacles<2>> {
    let mut obstacles = Obstacles::new()?;
    obstacles.set(&ObstacleArrays::new().boxes(&BOXES))?;
    Ok(obstacles)
}

fn set_box(lo: [f32; 2], hi: [f32; 2]) -> Result<()> {
    boxes()?.set(&ObstacleArrays::new().boxes(&[BOXES[0], Aabb { lo, hi }]))
}

/// A world from 0 up to this on x, and up to 16 on y.
fn periodic(wide: f32) -> Settings<2> {
    let bounds = Some(Aabb { lo: [0.0; 2], hi: [wide, 16.0] });
    Settings { bounds, periodic: [true, false], ..Settings::default() }
}

fn nearest(points: &[[f32; 2]], within: f32) -> Result<()> {
    let search = ObstacleSearch { within, ..ObstacleSearch::default() };
    boxes()?.nearest(points, &search, &mut Vec::new()).map(drop)
}

fn in_sight(settings: &Settings<2>, radius: f32) -> Result<()> {
    let (crowd, obstacles, wanted) = (Crowd::with(settings)?, boxes()?, Neighbourhood::within(radius));
    Batch::new()?.neighbours_in_sight(&crowd, &obstacles, None, &wanted).map(drop)
}

pub(crate) const CASES: &[Case] = &[
    ("obstacle box inverted", || set_box([1.0, 5.0], [2.0, 4.0])),
    ("obstacle box not finite", || set_box([1.0, NAN], [2.0, 4.0])),
    ("obstacle box turned and bent", || {
        let bent = OrientedBox { centre: [0.0; 2], half_edges: [[1.0, 0.0], [1.0, 1.0]] };
        boxes()?.set(&ObstacleArrays::new().turned_boxes(&[bent]))
    }),
    ("obstacle wall thickness negative", || {
        let good = Wall { from: [0.0; 2], to: [1.0, 0.0], thickness: 1.0 };
        boxes()?.set(&ObstacleArrays::new().walls(&[good, Wall { thickness: -1.0, ..good }]))
    }),
    ("obstacle triangle not finite", || {
        let triangle = Triangle { corners: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, NAN, 0.0]] };
        Obstacles::<3>::new()?.set(&ObstacleArrays::new().triangles(&[triangle]))
    }),
    ("obstacle groups too few", || boxes()?.set(&ObstacleArrays::new().boxes(&BOXES).groups(&[1]))),
    ("obstacle wider than its world", || {
        let mut round = boxes()?;
        round.configure(&periodic(16.0))?;
        round.insert(0, &Aabb { lo: [0.0; 2], hi: [17.0, 1.0] }, ALL_GROUPS)
    }),
    ("obstacles period zero", || boxes()?.configure(&periodic(0.0))),
    ("obstacle id taken", || boxes()?.insert(1, &BOXES[0], ALL_GROUPS)),
    ("obstacle id too large", || boxes()?.insert(NO_ID, &BOXES[0], ALL_GROUPS)),
    ("obstacle wall not finite", || {
        boxes()?.insert(5, &Wall { from: [NAN, 0.0], to: [1.0, 0.0], thickness: 1.0 }, ALL_GROUPS)
    }),
    ("obstacle replaces nothing", || boxes()?.replace(5, &BOXES[0], ALL_GROUPS)),
    ("obstacle erases nothing", || boxes()?.erase(5)),
    ("obstacle file missing", || boxes()?.load("refusals_rust.no_such_file")),
    ("obstacles nearest within negative", || nearest(&STANDING, -1.0)),
    ("obstacles nearest not finite", || nearest(&[[0.0; 2], [0.0, NAN]], 1.0)),
    ("obstacles first without direction", || {
        let good = Ray { origin: [0.0; 2], direction: [1.0, 0.0], length: 1.0 };
        boxes()?.first(&[good, Ray { direction: [0.0; 2], ..good }], &mut Vec::new()).map(drop)
    }),
    ("obstacles moving box inverted", || {
        let moving = Moving { shape: Aabb { lo: [1.0, 0.0], hi: [0.0, 1.0] }, way: [1.0; 2] };
        boxes()?.first(&[moving], &mut Vec::new()).map(drop)
    }),
    ("obstacles sight not finite", || {
        let good = Segment { from: [0.0; 2], to: [1.0; 2] };
        boxes()?.sight(&[good, Segment { to: [NAN, 1.0], ..good }], &mut Vec::new()).map(drop)
    }),
    ("obstacles within negative", || boxes()?.within(&Ball { centre: [0.0; 2], radius: -1.0 }, &mut Vec::new())),
    ("obstacles within each negative", || {
        let balls = [1.0, -1.0].map(|radius| Ball { centre: [0.0; 2], radius });
        boxes()?.within_each(&balls, &mut Vec::new(), &mut Vec::new())
    }),
    ("obstacles overlaps not finite", || boxes()?.overlaps(&Aabb { lo: [0.0; 2], hi: [NAN, 1.0] }, &mut Vec::new())),
    ("sight in a periodic world", || in_sight(&Settings { periodic: [true; 2], ..laid_out() }, 1.0)),
    ("sight radius negative", || in_sight(&laid_out(), -1.0)),
    ("sight ball negative", || {
        let good = Ball { centre: [0.0; 2], radius: 1.0 };
        let balls = [good, Ball { radius: -1.0, ..good }];
        Batch::new()?.query_in_sight(&yard()?, &boxes()?, None, &balls).map(drop)
    }),
];
