//! Obstacles against plain loops, and what they hide.

mod common;

use common::truth::{Case, TimedCase};
use common::yard::*;
use common::*;
use throng::*;

fn counts_for(body: usize, groups: u32, filter: &Filter) -> bool {
    body as u32 != filter.without && groups & filter.groups != 0
}

fn nearest<const N: usize>(seed: u64)
where
    Space<N>: Dimension + Yard<N>,
{
    let mut draw = Draw(seed);
    let (obstacles, bodies) = yard::<N>(&mut draw, true);
    let points: Vec<[f32; N]> = (0..60).map(|_| draw.place()).collect();
    let plain = ObstacleSearch::default();
    for search in
        [plain, ObstacleSearch { groups: 5, without: Some(3), ..plain }, ObstacleSearch { within: 0.5, ..plain }]
    {
        let filter = Filter { groups: search.groups, without: search.without.unwrap_or(NO_ID) };
        // Of many balls what each finds alone.
        let balls: Vec<Ball<N>> = points.iter().map(|&centre| Ball { centre, radius: 1.5 }).collect();
        let (mut offsets, mut each, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        obstacles.within_each(Questions::new(&balls).filter(filter), &mut offsets, &mut each).unwrap();
        assert_eq!((offsets.len(), offsets[60] as usize), (61, each.len()));
        for (q, ball) in balls.iter().enumerate() {
            obstacles.within(Questions::new(std::slice::from_ref(ball)).filter(filter), &mut alone).unwrap();
            assert_eq!(each[offsets[q] as usize..offsets[q + 1] as usize], alone);
        }
        let mut near = Vec::new();
        let sum = obstacles.nearest(&points, &search, &mut near).unwrap();
        assert_eq!(sum as usize, near.iter().filter(|near| !near.is_none()).count());
        assert!(sum > 10);
        for (point, near) in points.iter().zip(&near) {
            let distance = |(i, body): (usize, &Lying<N>)| {
                let counts = counts_for(i, body.groups, &filter);
                if counts {
                    body.distance(point)
                } else {
                    f64::INFINITY
                }
            };
            let all: Vec<f64> = bodies.iter().enumerate().map(distance).collect();
            let first = all.iter().copied().fold(f64::INFINITY, f64::min);
            let one = obstacles.nearest_one(point, &search).unwrap();
            if first > f64::from(search.within) {
                assert!(near.is_none() && one.is_none());
                continue;
            }
            assert_eq!(one, Some(*near));
            assert!((f64::from(near.distance) - first).abs() < 1e-5);
            assert_eq!(all.iter().position(|&other| other == all[near.id as usize]), Some(near.id as usize));
            assert!(all[near.id as usize] - first < 1e-5);
            let on_surface = bodies[near.id as usize].distance(&near.point);
            assert!(on_surface.abs() < 1e-4, "{:?} {}", near, on_surface);
            // All within some distance: as many as there are, by distance.
            let ball = [Ball { centre: *point, radius: 1.5 }];
            let mut within = Vec::new();
            obstacles.within(Questions::new(&ball).filter(filter), &mut within).unwrap();
            let mut ids: Vec<u32> = within.iter().map(|near| near.id).collect();
            assert!(within.windows(2).all(|pair| pair[0].distance <= pair[1].distance));
            ids.sort_unstable();
            let truth: Vec<u32> = (0..all.len()).filter(|&i| all[i] <= 1.5).map(|i| i as u32).collect();
            assert_eq!(ids, truth);
        }
    }
}

/// Paths of one kind; `more` is what they add to the half extents of what they may hit, and `path` the way of their centre.
fn paths<S: ObstaclePath<N> + AnyShape + std::fmt::Debug, C: TimedCase<N>, const N: usize>(
    seed: u64,
    make: impl Fn(&mut Draw) -> (S, C, [f32; N]),
) where
    Space<N>: Dimension + Yard<N>,
{
    let mut draw = Draw(seed);
    let (obstacles, bodies) = yard::<N>(&mut draw, false);
    let cases: Vec<(S, C, [f32; N])> = (0..60).map(|_| make(&mut draw)).collect();
    let paths: Vec<S> = cases.iter().map(|case| case.0).collect();
    let filter = Filter { groups: 3, without: 5 };
    for (questions, filter) in
        [(Questions::new(&paths), Filter::default()), (Questions::new(&paths).filter(filter), filter)]
    {
        let (mut hits, mut all) = (Vec::new(), Vec::new());
        let sum = obstacles.first(questions, &mut hits).unwrap();
        assert_eq!(sum as usize, hits.iter().filter(|hit| !hit.is_none()).count());
        assert!(sum > 5, "{} hits", sum);
        for ((path, centre, more), hit) in cases.iter().zip(&hits) {
            let truth: Vec<(u32, f64)> = (0..)
                .zip(&bodies)
                .filter(|(i, body)| counts_for(*i as usize, body.groups, &filter))
                .map(|(i, body)| (i, body.as_member(*more)))
                .filter(|(_, member)| centre.finds(member))
                .map(|(i, member)| (i, centre.time(&member)))
                .collect();
            let question = std::slice::from_ref(path);
            let question = Questions::new(question).filter(filter);
            let one = obstacles.first_one(question).unwrap();
            assert_eq!(one, (!hit.is_none()).then_some(*hit));
            let first = truth.iter().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
            match one {
                None => assert!(truth.is_empty(), "{:?}", path),
                Some(hit) => {
                    assert!((f64::from(hit.time) - first).abs() < 1e-4, "{:?} {:?} {}", path, hit, first);
                    let own = truth.iter().find(|(id, _)| *id == hit.id).expect("one that the path hits");
                    assert!(own.1 - first < 1e-4);
                }
            }
            obstacles.hits(question, &mut all).unwrap();
            assert!(all.windows(2).all(|pair| (pair[0].time, pair[0].id) < (pair[1].time, pair[1].id)));
            let ids: Vec<u32> = all.iter().map(|hit| hit.id).collect();
            assert_eq!(sorted(&ids), truth.iter().map(|(id, _)| *id).collect::<Vec<_>>(), "{:?}", path);
        }
    }
}

fn moving_box<const N: usize>(draw: &mut Draw) -> (Aabb<N>, Segment<N>, [f32; N]) {
    let half: [f32; N] = std::array::from_fn(|_| draw.halves(3));
    let way = Segment::draw(draw);
    let shape =
        Aabb { lo: std::array::from_fn(|a| way.from[a] - half[a]), hi: std::array::from_fn(|a| way.from[a] + half[a]) };
    (shape, way, half)
}

fn way_of<const N: usize>(way: &Segment<N>) -> [f32; N] {
    std::array::from_fn(|a| way.to[a] - way.from[a])
}

fn all_paths<const N: usize>(seed: u64)
where
    Space<N>: Dimension + Yard<N>,
{
    paths(seed, |draw| {
        let path = Segment::<N>::draw(draw);
        (path, path, [0.0; N])
    });
    paths(seed + 1, |draw| {
        let path = Ray::<N>::draw(draw);
        (path, path, [0.0; N])
    });
    paths(seed + 2, |draw| {
        let (shape, way, half) = moving_box::<N>(draw);
        (Moving { shape, way: way_of(&way) }, way, half)
    });
    paths(seed + 3, |draw| {
        let (shape, way, half) = moving_box::<N>(draw);
        (Moving { shape: turned(shape.lo, shape.hi), way: way_of(&way) }, way, half)
    });
    // A capsule of no radius that lies along an axis is a flat box.
    paths(seed + 4, |draw| {
        let (_, way, _) = moving_box::<N>(draw);
        let (mut from, mut to, mut half) = (way.from, way.from, [0.0; N]);
        half[1] = draw.halves(5);
        from[1] -= half[1];
        to[1] += half[1];
        (Moving { shape: Capsule { from, to, radius: 0.0 }, way: way_of(&way) }, way, half)
    });
}

/// A capsule along an axis hits what is no farther from its segment than its radius.
fn capsules<const N: usize>(seed: u64)
where
    Space<N>: Dimension + Yard<N>,
{
    let mut draw = Draw(seed);
    let (obstacles, bodies) = yard::<N>(&mut draw, false);
    let mut found = 0;
    for _ in 0..80 {
        let from: [f32; N] = draw.place();
        let mut to = from;
        to[draw.below(N as u32) as usize] += draw.halves(9);
        let capsule = Capsule { from, to, radius: draw.halves(4) };
        let is_hit = |body: &Lying<N>| {
            let gaps = body.gaps(&from, &to);
            gaps.iter().map(|gap| gap * gap).sum::<f32>() <= capsule.radius * capsule.radius
        };
        let truth: Vec<u32> = (0..).zip(&bodies).filter(|(_, body)| is_hit(body)).map(|(i, _)| i).collect();
        let mut hits = Vec::new();
        obstacles.hits(&capsule, &mut hits).unwrap();
        assert_eq!(sorted(&hits.iter().map(|hit| hit.id).collect::<Vec<_>>()), truth, "{:?}", capsule);
        assert_eq!(obstacles.first_one(&capsule).unwrap(), hits.first().copied());
        found += hits.len();
    }
    assert!(found > 40);
}

fn overlaps<const N: usize>(seed: u64)
where
    Space<N>: Dimension + Yard<N>,
{
    let mut draw = Draw(seed);
    let (obstacles, bodies) = yard::<N>(&mut draw, false);
    let mut total = 0;
    for _ in 0..60 {
        let (lo, hi) = place::<N>(&mut draw);
        let mut check = |truth: &dyn Fn([f32; N]) -> bool, ids: Vec<u32>, lo: &[f32; N], hi: &[f32; N]| {
            let expected: Vec<u32> =
                (0..).zip(&bodies).filter(|(_, body)| truth(body.gaps(lo, hi))).map(|(i, _)| i).collect();
            assert_eq!(ids, expected);
            total += ids.len();
        };
        let touching = |gaps: [f32; N]| gaps.iter().all(|&gap| gap == 0.0);
        let ask = |region: &dyn Fn(&mut Vec<u32>) -> Result<()>| {
            let mut ids = Vec::new();
            region(&mut ids).unwrap();
            ids
        };
        let bounds = Aabb { lo, hi };
        check(&touching, ask(&|ids| obstacles.overlaps(&bounds, ids)), &lo, &hi);
        check(&touching, ask(&|ids| obstacles.overlaps(&turned(lo, hi), ids)), &lo, &hi);
        // The lower half of the box, on the first axis.
        let mut half = hi;
        half[0] = 0.5 * (lo[0] + hi[0]);
        let mut normal = [0.0; N];
        normal[0] = 1.0;
        let convex = Convex::new(&[Side { normal, offset: half[0] }], bounds);
        check(&touching, ask(&|ids| obstacles.overlaps(&convex, ids)), &lo, &half);
        // A field of view that sees everything is a ball.
        let radius = 0.5 + draw.halves(5);
        let sector = Sector { centre: lo, radius, direction: normal, cosine: -1.0 };
        let in_ball = move |gaps: [f32; N]| gaps.iter().map(|gap| gap * gap).sum::<f32>() <= radius * radius;
        check(&in_ball, ask(&|ids| obstacles.overlaps(&sector, ids)), &lo, &lo);
        let cylinder = Cylinder { centre: lo, radius, low: lo[1], high: hi[1], up: Up::Y };
        let mut top = lo;
        top[1] = hi[1];
        let in_cylinder = move |gaps: [f32; N]| {
            let ground: f32 = (0..N).filter(|&a| a != 1).map(|a| gaps[a] * gaps[a]).sum();
            gaps[1] == 0.0 && ground <= radius * radius
        };
        check(&in_cylinder, ask(&|ids| obstacles.overlaps(&cylinder, ids)), &lo, &top);
    }
    assert!(total > 300, "{} overlaps", total);
}

fn sight<const N: usize>(seed: u64)
where
    Space<N>: Dimension + Yard<N>,
{
    let mut draw = Draw(seed);
    let (obstacles, bodies) = yard::<N>(&mut draw, false);
    let segments: Vec<Segment<N>> = (0..80).map(|_| Segment::draw(&mut draw)).collect();
    let hidden = |segment: &Segment<N>, groups: u32| {
        bodies.iter().any(|body| body.groups & groups != 0 && segment.finds(&body.as_member([0.0; N])))
    };
    let mut clear = Vec::new();
    let sum = obstacles.sight(&segments, &mut clear).unwrap();
    assert_eq!(sum as usize, clear.iter().filter(|&&clear| clear).count());
    assert!(sum > 3 && sum < 77, "{} of 80 are clear", sum);
    for (segment, &clear) in segments.iter().zip(&clear) {
        assert_eq!(clear, !hidden(segment, ALL_GROUPS));
        assert_eq!(obstacles.sight_one(segment).unwrap(), clear);
    }

    // Among agents.
    let scene = Scene::<N>::new(seed);
    let crowd = scene.crowd();
    let mut batch = Batch::new().unwrap();
    let wanted = Neighbourhood { order: Order::Ids, ..Neighbourhood::within(2.5) };
    let all: Vec<Vec<u32>> = batch.neighbours(&crowd, &wanted).unwrap().iter().map(<[u32]>::to_vec).collect();
    for (looks, groups) in [(None, ALL_GROUPS), (Some(Filter { groups: 2, without: NO_ID }), 2)] {
        let seen = |from: [f32; N], ids: &[u32]| -> Vec<u32> {
            let is_seen = |&id: &u32| !hidden(&Segment { from, to: scene.member(id).at }, groups);
            ids.iter().copied().filter(is_seen).collect()
        };
        let hits = batch.neighbours_in_sight(&crowd, &obstacles, looks.as_ref(), &wanted).unwrap();
        let mut fewer = 0;
        for (id, ids) in all.iter().enumerate() {
            assert_eq!(hits.of(id), seen(scene.agents[id].at, ids));
            fewer += ids.len() - hits.of(id).len();
        }
        assert!(fewer > 10 && !hits.ids().is_empty());
        let counts: Vec<u32> = hits.iter().map(|ids| ids.len() as u32).collect();
        assert_eq!(batch.count_neighbours_in_sight(&crowd, &obstacles, looks.as_ref(), &wanted).unwrap(), counts);

        let balls: Vec<Ball<N>> = (0..30).map(|_| Ball { centre: draw.place(), radius: 3.0 }).collect();
        let found: Vec<Vec<u32>> = batch.query(&crowd, &balls).unwrap().iter().map(<[u32]>::to_vec).collect();
        let hits = batch.query_in_sight(&crowd, &obstacles, looks.as_ref(), &balls).unwrap();
        for (q, ball) in balls.iter().enumerate() {
            assert_eq!(hits.of(q), seen(ball.centre, &found[q]));
        }
        let counts: Vec<u32> = hits.iter().map(|ids| ids.len() as u32).collect();
        assert_eq!(batch.count_in_sight(&crowd, &obstacles, looks.as_ref(), &balls).unwrap(), counts);
    }
}

fn edits<const N: usize>(seed: u64)
where
    Space<N>: Dimension + Yard<N>,
{
    let mut draw = Draw(seed);
    let (lo, hi) = place::<N>(&mut draw);
    let mut obstacles = Obstacles::<N>::on(&Executor::serial().unwrap()).unwrap();
    obstacles.insert(7, &Aabb { lo, hi }, 1).unwrap();
    obstacles.insert(9, &turned(lo, hi), 2).unwrap();
    obstacles.insert(11, &<Space<N> as Yard<N>>::thin(lo, lo, 0.0), 4).unwrap();
    let found = |obstacles: &Obstacles<N>, at: [f32; N]| {
        let mut ids = Vec::new();
        obstacles.overlaps(&Aabb { lo: at, hi: at }, &mut ids).unwrap();
        ids
    };
    assert_eq!(found(&obstacles, lo), [7, 9, 11]);
    let away = lo.map(|x| x + 100.0);
    obstacles.replace(9, &Aabb { lo: away, hi: away }, 2).unwrap();
    obstacles.erase(7).unwrap();
    assert_eq!((found(&obstacles, lo), found(&obstacles, away)), (vec![11], vec![9]));
    assert_eq!([7, 9].map(|id| obstacles.contains(id).unwrap()), [false, true]);
    obstacles.clear().unwrap();
    obstacles.release().unwrap();
    assert_eq!(obstacles.counts().unwrap().obstacles, 0);
}

fn files<const N: usize>(seed: u64)
where
    Space<N>: Dimension + Yard<N>,
{
    let mut draw = Draw(seed);
    let (obstacles, _) = yard::<N>(&mut draw, true);
    let points: Vec<[f32; N]> = (0..60).map(|_| draw.place()).collect();
    let path = std::env::temp_dir().join(format!("throng-rust-{}-{}.obstacles", std::process::id(), N));
    obstacles.save(&path).unwrap();
    let mut loaded = Obstacles::<N>::new().unwrap();
    loaded.load(&path).unwrap();
    let refused = Crowd::<N>::new().unwrap().load(&path).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(refused.cause(), Cause::NotAnIndex);
    let near = |of: &Obstacles<N>| {
        let mut near = Vec::new();
        of.nearest(&points, &ObstacleSearch::default(), &mut near).unwrap();
        near
    };
    assert_eq!(near(&loaded), near(&obstacles));
    loaded.erase(0).unwrap();
    assert!(near(&loaded).iter().all(|near| near.id != 0));
}

in_both! {
    [41, 42];
    the_nearest_obstacle: nearest;
    what_paths_hit: all_paths;
    what_capsules_hit: capsules;
    what_regions_overlap: overlaps;
    what_is_seen: sight;
    files_make_the_same_obstacles: files;
    obstacles_one_by_one: edits;
}
