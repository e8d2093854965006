//! Every shape against plain loops, in each form of question, in the plane and in space.

mod common;

use common::truth::{Case, TimedCase};
use common::*;
use std::ops::ControlFlow;
use throng::*;

const QUESTIONS: usize = 60;

fn draw_filter(draw: &mut Draw) -> Filter {
    let groups = if draw.below(3) == 0 { ALL_GROUPS } else { 1 + draw.below(15) };
    Filter { groups, without: if draw.below(2) == 0 { NO_ID } else { draw.below(300) } }
}

/// Asks everybody without a filter, and then parts of the crowd with one filter for all, and with one for each.
fn ask<S: Case<N>, const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let scene = Scene::<N>::new(seed);
    let crowd = scene.crowd();
    let mut draw = Draw(seed ^ 0x5bd1_e995);
    let shapes: Vec<S> = (0..QUESTIONS).map(|_| S::draw(&mut draw)).collect();
    let filters: Vec<Filter> = shapes.iter().map(|_| draw_filter(&mut draw)).collect();
    let all = Questions::new(&shapes);

    let nothing = vec![Filter::default(); QUESTIONS];
    let found = compare(&scene, &crowd, &shapes, all, Sets::EVERYBODY, &nothing);
    let part = Sets::SMALL | Sets::STATICS;
    let one = vec![filters[0]; QUESTIONS];
    let fewer = compare(&scene, &crowd, &shapes, all.sets(part).filter(filters[0]), part, &one);
    let each = all.sets(Sets::AGENTS).filters(&filters);
    compare(&scene, &crowd, &shapes, each, Sets::AGENTS, &filters);
    compare(&scene, &crowd, &shapes, all.sets(Sets::GIANTS), Sets::GIANTS, &nothing);
    assert!(found > QUESTIONS && fewer < found, "{} and {} hits of {:?}", found, fewer, shapes[0]);
}

/// Compares all forms of a question; returns the number of hits.
fn compare<S: Case<N>, const N: usize>(
    scene: &Scene<N>,
    crowd: &Crowd<N>,
    shapes: &[S],
    questions: Questions<'_, S>,
    sets: Sets,
    filters: &[Filter],
) -> usize
where
    Space<N>: Dimension,
{
    let truth =
        |q: usize| scene.ids(|member| member.is_in(sets) && member.passes(&filters[q]) && shapes[q].finds(member));
    let mut batch = Batch::new().unwrap();
    let hits = batch.query(crowd, questions).unwrap();
    assert_eq!((hits.len(), hits.is_empty(), hits.iter().len()), (QUESTIONS, false, QUESTIONS));
    for (q, ids) in hits.iter().enumerate() {
        assert_eq!(sorted(ids), truth(q), "{:?}", shapes[q]);
        assert!(are_in_order(scene, ids));
        // Without a batch; the vector that is too short at first grows.
        let mut one = Vec::new();
        let question = Questions::new(&shapes[q..q + 1]).sets(sets).filter(filters[q]);
        crowd.query_one(question, &mut one).unwrap();
        assert_eq!(one, ids);
        assert_eq!(crowd.count_one(question).unwrap(), ids.len() as u64);
        assert_eq!(visited(crowd, question, usize::MAX), ids);
        let enough = visited(crowd, question, 1);
        assert!(!enough.is_empty() || ids.is_empty());
        assert_eq!(enough, &ids[..enough.len()]);
        assert_eq!(crowd.any_one(question).unwrap(), !ids.is_empty());
        let costs = crowd.explain(question).unwrap();
        assert_eq!(costs.hits.iter().sum::<u64>(), ids.len() as u64);
    }
    let (offsets, ids) = (hits.offsets().to_vec(), hits.ids().to_vec());

    let counts: Vec<u32> = offsets.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect();
    assert_eq!(batch.count(crowd, questions).unwrap(), counts);
    let found: Vec<bool> = counts.iter().map(|&count| count != 0).collect();
    assert_eq!(batch.any(crowd, questions).unwrap(), found);

    let (mut own_offsets, mut own_ids) = (vec![0; QUESTIONS + 1], vec![0; ids.len()]);
    assert_eq!(batch.query_into(crowd, questions, &mut own_offsets, &mut own_ids).unwrap(), ids.len() as u64);
    assert_eq!((&own_offsets, &own_ids), (&offsets, &ids));
    assert!(crowd.query_bound(QUESTIONS as u64, sets) >= ids.len() as u64);
    ids.len()
}

/// The ids that are handed over until there are that many.
fn visited<S: Case<N>, const N: usize>(crowd: &Crowd<N>, question: Questions<'_, S>, enough: usize) -> Vec<u32> {
    let mut ids = Vec::new();
    let count = crowd.visit_one(question, |some| {
        assert!(!some.is_empty() && ids.len() < enough, "it goes on");
        ids.extend_from_slice(some);
        if ids.len() < enough {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert_eq!(count.unwrap(), ids.len() as u64);
    ids
}

/// All hits of a path, in one answer, and one after another. Returns their number.
fn all_along<S: TimedCase<N>, const N: usize>(scene: &Scene<N>, crowd: &Crowd<N>, path: &S) -> usize
where
    Space<N>: Dimension,
{
    let mut all = Vec::new();
    crowd.meetings_one(path, &mut all).unwrap();
    let ids: Vec<u32> = all.iter().map(|meeting| meeting.id).collect();
    assert_eq!(sorted(&ids), scene.ids(|member| path.finds(member)));
    for meeting in &all {
        assert!((f64::from(meeting.time) - path.time(scene.member(meeting.id))).abs() < 1e-4);
    }
    assert!(all.windows(2).all(|pair| (pair[0].time, pair[0].id) < (pair[1].time, pair[1].id)));
    let mut last = Meeting::BEFORE_ALL;
    for meeting in &all {
        last = crowd.first_after_one(path, &last).unwrap().expect("another hit");
        assert_eq!(last, *meeting);
    }
    assert_eq!(crowd.first_after_one(path, &last).unwrap(), None);
    // Of a part of the crowd, into a vector that has room.
    let some = Questions::new(std::slice::from_ref(path)).sets(Sets::STATICS);
    crowd.meetings_one(some, &mut all).unwrap();
    assert_eq!(all.len(), ids.iter().filter(|&&id| id >= FIRST_STATIC).count());
    ids.len()
}

fn first<S: TimedCase<N>, const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let scene = Scene::<N>::new(seed);
    let crowd = scene.crowd();
    let mut draw = Draw(seed ^ 0x1234_5678);
    let paths: Vec<S> = (0..QUESTIONS).map(|_| S::draw(&mut draw)).collect();
    let mut batch = Batch::new().unwrap();
    let meetings = batch.first(&crowd, &paths).unwrap();
    assert_eq!((meetings.len(), meetings.is_empty(), meetings.iter().len()), (QUESTIONS, false, QUESTIONS));
    for (q, path) in paths.iter().enumerate() {
        let times = scene.all().filter(|member| path.finds(member)).map(|member| path.time(member));
        let first = times.fold(f64::INFINITY, f64::min);
        let found = meetings.of(q);
        assert_eq!(found, crowd.first_one(path).unwrap());
        match found {
            None => assert!(first.is_infinite(), "{:?}", path),
            Some(meeting) => {
                let hit = scene.member(meeting.id);
                assert!(path.finds(hit));
                // The time is rounded, so of two that are that near either may be the first.
                assert!((f64::from(meeting.time) - first).abs() < 1e-4, "{:?} {:?} {}", path, meeting, first);
                assert!(path.time(hit) - first < 1e-4);
            }
        }
    }
    assert!(meetings.iter().flatten().count() > QUESTIONS / 4);
    let all: usize = paths.iter().map(|path| all_along(&scene, &crowd, path)).sum();
    assert!(all > QUESTIONS);
}

macro_rules! tests {
    ($($name:ident: $shape:ident;)*) => {
        $(
            #[test]
            fn $name() {
                for seed in [1, 2, 3] {
                    ask::<$shape<2>, 2>(seed);
                    ask::<$shape<3>, 3>(seed);
                }
            }
        )*
    };
}

tests! {
    boxes: Aabb;
    balls: Ball;
    segments: Segment;
    rays: Ray;
    capsules: Capsule;
    sectors: Sector;
    convexes: Convex;
    oriented_boxes: OrientedBox;
    cylinders: Cylinder;
    body_balls: BodyBall;
    body_sectors: BodySector;
    body_cylinders: BodyCylinder;
}

#[test]
fn first_hits_and_all_hits() {
    for seed in [4, 5, 6] {
        first::<Segment<2>, 2>(seed);
        first::<Segment<3>, 3>(seed);
        first::<Ray<2>, 2>(seed);
        first::<Ray<3>, 3>(seed);
        first::<Capsule<2>, 2>(seed);
        first::<Capsule<3>, 3>(seed);
    }
}

#[test]
fn questions_are_made_of_whatever_holds_shapes() {
    let mut crowd = Crowd::<2>::new().unwrap();
    crowd.update(&[[1.0, 1.0], [1.5, 1.0], [9.0, 9.0]]).unwrap();
    let ball = Ball { centre: [1.0, 1.0], radius: 0.5 };
    assert_eq!(crowd.count_one(&ball).unwrap(), 2);
    assert_eq!(crowd.count_one(&[ball]).unwrap(), 2);
    assert_eq!(crowd.count_one(&vec![ball]).unwrap(), 2);
    assert_eq!(crowd.count_one([ball].as_slice()).unwrap(), 2);
    assert_eq!(crowd.count_one(Questions::new(&[ball])).unwrap(), 2);
    let none: &[Ball<2>] = &[];
    assert_eq!(Batch::new().unwrap().query(&crowd, none).unwrap().len(), 0);
    assert!(Questions::new(none).is_empty());
}

#[test]
fn a_convex_has_the_sides_that_it_is_given() {
    let bounds = Aabb { lo: [-1e18; 2], hi: [1e18; 2] };
    let left = Convex::new(&[Side { normal: [1.0, 0.0], offset: 2.0 }], bounds);
    let mut crowd = Crowd::<2>::new().unwrap();
    crowd.update(&[[2.0, 7.0], [2.5, 7.0], [-50.0, 3.0]]).unwrap();
    let mut ids = Vec::new();
    crowd.query_one(&left, &mut ids).unwrap();
    assert_eq!(sorted(&ids), [0, 2]);
}
