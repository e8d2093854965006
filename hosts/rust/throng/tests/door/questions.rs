//! Shapes, their filters, room for answers, and questions about all agents.

use crate::yard::*;
use throng::*;

/// Two shapes, of which the second is refused.
fn asked<S: CrowdShape<2> + AnyShape>(good: S, bad: S) -> Result<()> {
    Batch::new()?.query(&yard()?, &[good, bad]).map(drop)
}

fn balls(centre: [f32; 2], radius: f32) -> Result<()> {
    asked(Ball { centre: [0.0; 2], radius: 1.0 }, Ball { centre, radius })
}
fn boxes(lo: [f32; 2], hi: [f32; 2]) -> Result<()> {
    asked(Aabb { lo: [0.0; 2], hi: [1.0; 2] }, Aabb { lo, hi })
}
fn rays(origin: [f32; 2], direction: [f32; 2], length: f32) -> Result<()> {
    asked(Ray { origin: [0.0; 2], direction: [1.0, 0.0], length: 1.0 }, Ray { origin, direction, length })
}
fn sectors(radius: f32, direction: [f32; 2], cosine: f32) -> Result<()> {
    let good = Sector { centre: [0.0; 2], radius: 1.0, direction: [1.0, 0.0], cosine: 0.0 };
    asked(good, Sector { radius, direction, cosine, ..good })
}
fn cylinders(radius: f32, low: f32) -> Result<()> {
    let good = Cylinder { centre: [0.0; 2], radius: 1.0, low: 0.0, high: 1.0, up: Up::Y };
    asked(good, Cylinder { radius, low, ..good })
}

const UNIT: Aabb<2> = Aabb { lo: [0.0; 2], hi: [1.0; 2] };
const SIDE: Side<2> = Side { normal: [1.0, 0.0], offset: 1.0 };

fn regions(sides: &[Side<2>]) -> Result<()> {
    asked(Convex::new(&[SIDE], UNIT), Convex::new(sides, UNIT))
}

const BALLS: [Ball<2>; 3] = [
    Ball { centre: [1.0, 1.0], radius: 1.0 },
    Ball { centre: [9.0, 9.0], radius: 1.0 },
    Ball { centre: [5.0, 5.0], radius: 1.0 },
];

fn neighbours(radius: f32) -> Result<()> {
    Batch::new()?.neighbours(&yard()?, &Neighbourhood::within(radius)).map(drop)
}
fn nearest(points: &[[f32; 2]], wanted: &Nearest) -> Result<()> {
    Batch::new()?.nearest(&yard()?, points, wanted).map(drop)
}
fn nearest_but(spoil: fn(&mut Nearest)) -> Result<()> {
    let mut wanted = Nearest::of(1);
    spoil(&mut wanted);
    nearest(&STANDING, &wanted)
}
fn pairs(within: f32) -> Result<()> {
    Batch::new()?.pairs(&yard()?, &Pairing { within: Some(within), ..Pairing::default() }).map(drop)
}
fn lasting(radius: f32, skin: f32) -> Result<()> {
    Lasting::<2>::new(&LastingSettings::within(radius, skin)).map(drop)
}
/// Lists with a radius and a skin of 1 for the agents of the yard, and then of these.
fn listed(positions: &[[f32; 2]]) -> Result<()> {
    let mut lists = Lasting::new(&LastingSettings::within(1.0, 1.0))?;
    lists.update(&mut yard()?, &STANDING)?;
    lists.neighbours(positions).map(drop)
}

pub(crate) const CASES: &[Case] = &[
    ("ball radius negative", || balls([0.0; 2], -1.0)),
    ("ball radius not finite", || balls([0.0; 2], NAN)),
    ("ball centre not finite", || balls([0.0, INFINITY], 1.0)),
    ("ball too large", || balls([TOO_LARGE, 0.0], 1.0)),
    ("box not finite", || boxes([0.0; 2], [1.0, NAN])),
    ("box too large", || boxes([-TOO_LARGE, 0.0], [1.0; 2])),
    ("segment not finite", || {
        let good = Segment { from: [0.0; 2], to: [1.0; 2] };
        asked(good, Segment { to: [NAN, 1.0], ..good })
    }),
    ("ray without direction", || rays([0.0; 2], [0.0; 2], 1.0)),
    ("ray length negative", || rays([0.0; 2], [1.0, 0.0], -1.0)),
    ("ray origin not finite", || rays([NAN, 0.0], [1.0, 0.0], 1.0)),
    ("capsule radius negative", || {
        let good = Capsule { from: [0.0; 2], to: [1.0; 2], radius: 1.0 };
        asked(good, Capsule { radius: -1.0, ..good })
    }),
    ("sector cosine", || sectors(1.0, [1.0, 0.0], 1.5)),
    ("sector without direction", || sectors(1.0, [0.0; 2], 0.0)),
    ("sector radius negative", || sectors(-1.0, [1.0, 0.0], 0.0)),
    ("convex too many sides", || regions(&[SIDE; 9])),
    ("convex side without direction", || regions(&[Side { normal: [0.0; 2], offset: 1.0 }])),
    ("oriented box not finite", || {
        let good = OrientedBox { centre: [0.0; 2], half_edges: [[1.0, 0.0], [0.0, 1.0]] };
        asked(good, OrientedBox { half_edges: [[NAN, 0.0], [0.0, 1.0]], ..good })
    }),
    ("cylinder upright on z", || {
        let standing = Cylinder { centre: [0.0; 2], radius: 1.0, low: 0.0, high: 1.0, up: Up::Z };
        Batch::new()?.query(&yard()?, &[standing]).map(drop)
    }),
    ("cylinder radius negative", || cylinders(-1.0, 0.0)),
    ("cylinder low not finite", || cylinders(1.0, NAN)),
    ("body ball radius negative", || {
        let good = BodyBall { centre: [0.0; 2], radius: 1.0, body: Body::Box };
        asked(good, BodyBall { radius: -1.0, ..good })
    }),
    ("polygon not convex", || Convex::polygon(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]).map(drop)),
    ("polygon too many corners", || Convex::polygon(&[[0.0; 2]; 9]).map(drop)),
    ("polygon not finite", || Convex::polygon(&[[NAN, 0.0], [4.0, 0.0], [0.0, 4.0]]).map(drop)),
    ("frustum flat", || {
        let square = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]];
        let [a, b, c, d] = square;
        Convex::frustum(&[a, b, c, d, a, b, c, d]).map(drop)
    }),
    ("filters too few", || {
        let filters = [Filter::default(); 2];
        Batch::new()?.query(&yard()?, Questions::new(&BALLS).filters(&filters)).map(drop)
    }),
    ("one question of three", || yard()?.count_one(&BALLS).map(drop)),
    ("one ball negative", || yard()?.count_one(&Ball { centre: [0.0; 2], radius: -1.0 }).map(drop)),
    ("ray around a periodic world", || {
        let settings = Settings { periodic: [true, false], ..laid_out() };
        let ray = Ray { origin: [0.0; 2], direction: [1.0, 0.0], length: 1e18 };
        Crowd::with(&settings)?.count_one(&ray).map(drop)
    }),
    ("offsets too short", || Batch::new()?.query_into(&yard()?, &BALLS, &mut [0; 3], &mut [0; 9]).map(drop)),
    ("neighbours radius negative", || neighbours(-1.0)),
    ("neighbours radius not finite", || neighbours(NAN)),
    ("neighbours radius too large", || neighbours(TOO_LARGE)),
    ("nearest k too many", || nearest_but(|n| n.k = 1025)),
    ("nearest radius negative", || nearest_but(|n| n.radius = -1.0)),
    ("nearest radius not finite", || nearest_but(|n| n.radius = NAN)),
    ("nearest least negative", || nearest_but(|n| n.least = -1.0)),
    ("nearest band not finite", || nearest_but(|n| n.band = Some(HeightBand { up: Up::Y, below: NAN, above: 1.0 }))),
    ("nearest band on z", || nearest_but(|n| n.band = Some(HeightBand { up: Up::Z, below: 1.0, above: 1.0 }))),
    ("nearest after not finite", || nearest_but(|n| n.after = Some(Near { distance2: NAN, id: 0 }))),
    ("nearest points not finite", || nearest(&[[0.0; 2], [NAN, 0.0]], &Nearest::of(1))),
    ("nearest points too large", || nearest(&[[0.0; 2], [0.0, TOO_LARGE]], &Nearest::of(1))),
    ("nearest too short", || {
        let (mut near, mut counts) = ([Near::default(); 5], [0; 3]);
        Batch::new()?.nearest_into(&yard()?, &STANDING, &Nearest::of(2), &mut near, &mut counts).map(drop)
    }),
    ("nearest neighbours radius negative", || {
        let backwards = Nearest { radius: -1.0, ..Nearest::of(1) };
        Batch::new()?.nearest_neighbours(&yard()?, &backwards).map(drop)
    }),
    ("pairs within not finite", || pairs(NAN)),
    ("pairs within too large", || pairs(TOO_LARGE)),
    ("contacts within not finite", || {
        let pairing = Pairing { within: Some(NAN), ..Pairing::default() };
        Contacts::new()?.update(&yard()?, &pairing).map(drop)
    }),
    ("lasting radius negative", || lasting(-1.0, 1.0)),
    ("lasting radius not finite", || lasting(NAN, 1.0)),
    ("lasting skin negative", || lasting(1.0, -1.0)),
    ("lasting skin not finite", || lasting(1.0, INFINITY)),
    ("lasting positions not finite", || listed(&[[1.0, 1.0], [NAN, 1.0], [9.0, 9.0]])),
    ("lasting moved too far", || listed(&[[1.0, 1.0], [2.0, 1.0], [5.0, 9.0]])),
    ("lasting too few", || listed(&[[1.0, 1.0], [2.0, 1.0]])),
];
