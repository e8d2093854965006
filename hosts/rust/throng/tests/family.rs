//! The structures beside crowds, each against plain loops.
#![cfg(feature = "family")]

mod common;

use common::truth::Case;
use common::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use throng::family::*;
use throng::*;

const QUESTIONS: usize = 20;

fn structures(dimension: usize) -> Vec<Structure> {
    let mut all = vec![Structure::BruteForce, Structure::DoubleGrid, Structure::LooseTree];
    if dimension == 2 {
        all.extend([Structure::NestedQuadtree, Structure::TightQuadtree]);
    }
    all
}

fn settings<const N: usize>(structure: Structure) -> IndexSettings<N> {
    IndexSettings {
        bounds: Some(Aabb { lo: [0.0; N], hi: [world(N) as f32; N] }),
        cell: (structure == Structure::DoubleGrid).then_some([2.0; N]),
        keeps_half_extents: true,
        keeps_groups: true,
        ..IndexSettings::of(structure)
    }
}

/// All structures, with these agents.
fn indices<const N: usize>(scene: &Scene<N>) -> Vec<Index<N>>
where
    Space<N>: Dimension,
{
    let filled = |structure| {
        let mut index = Index::with(&settings(structure)).unwrap();
        index.update(as_agents(&scene.agents)).unwrap();
        index
    };
    structures(N).into_iter().map(filled).collect()
}

fn agents_of<const N: usize>(scene: &Scene<N>, filter: &Filter, finds: impl Fn(&Member<N>) -> bool) -> Vec<u32> {
    scene.agents.iter().filter(|agent| agent.passes(filter) && finds(agent)).map(|agent| agent.id).collect()
}

/// Every form of a question, with a filter for each shape.
fn ask<S: Case<N>, const N: usize>(scene: &Scene<N>, index: &Index<N>, draw: &mut Draw)
where
    Space<N>: Dimension,
{
    let shapes: Vec<S> = (0..QUESTIONS).map(|_| S::draw(draw)).collect();
    let filters: Vec<Filter> =
        shapes.iter().map(|_| Filter { groups: 1 + draw.below(15), without: draw.below(300) }).collect();
    let mut room = HitsRoom::new();
    for filters in [vec![Filter::default(); QUESTIONS], filters] {
        let hits = index.query(Questions::new(&shapes).filters(&filters), &mut room).unwrap();
        assert_eq!(hits.len(), QUESTIONS);
        for (q, (shape, filter)) in shapes.iter().zip(&filters).enumerate() {
            let truth = agents_of(scene, filter, |agent| shape.finds(agent));
            assert_eq!(sorted(hits.of(q)), truth, "{:?}", shape);
            let question = Questions::new(std::slice::from_ref(shape)).filter(*filter);
            let mut ids = Vec::new();
            index.query_one(question, &mut ids).unwrap();
            assert_eq!(ids, hits.of(q));
            assert_eq!(index.count_one(question).unwrap(), ids.len() as u64);
            assert_eq!(index.any_one(question).unwrap(), !ids.is_empty());
            let mut seen = Vec::new();
            let see = |some: &[u32]| {
                seen.extend_from_slice(some);
                ControlFlow::Continue(())
            };
            assert_eq!(index.visit_one(question, see).unwrap(), ids.len() as u64);
            assert_eq!(sorted(&seen), truth);
        }
    }
}

fn ask_all<const N: usize>(scene: &Scene<N>, index: &Index<N>, seed: u64)
where
    Space<N>: Dimension,
    Convex<N>: Case<N>,
{
    let draw = &mut Draw(seed);
    ask::<Aabb<N>, N>(scene, index, draw);
    ask::<Ball<N>, N>(scene, index, draw);
    ask::<Segment<N>, N>(scene, index, draw);
    ask::<Ray<N>, N>(scene, index, draw);
    ask::<Capsule<N>, N>(scene, index, draw);
    ask::<Sector<N>, N>(scene, index, draw);
    ask::<Convex<N>, N>(scene, index, draw);
    ask::<OrientedBox<N>, N>(scene, index, draw);
    ask::<Cylinder<N>, N>(scene, index, draw);
    ask::<BodyBall<N>, N>(scene, index, draw);
    ask::<BodySector<N>, N>(scene, index, draw);
    ask::<BodyCylinder<N>, N>(scene, index, draw);
}

#[test]
fn all_shapes_in_the_plane_and_in_space() {
    let (plane, space) = (Scene::<2>::new(91), Scene::<3>::new(92));
    indices(&plane).iter().for_each(|index| ask_all(&plane, index, 93));
    indices(&space).iter().for_each(|index| ask_all(&space, index, 94));
}

fn edits<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let mut scene = Scene::<N>::new(seed);
    let mut all = indices(&scene);
    let mut draw = Draw(seed);
    let newcomer = Member { id: 500, at: draw.place(), half: [0.5; N], groups: 2, is_giant: false };
    let mut edits = vec![Edit::insert(500, newcomer.at).half_extent(newcomer.half).groups(newcomer.groups)];
    scene.agents.retain_mut(|agent| {
        match agent.id % 3 {
            0 => edits.push(Edit::erase(agent.id)),
            1 => {
                agent.at = draw.place();
                edits.push(Edit::move_to(agent.id, agent.at));
            }
            _ => (),
        }
        agent.id % 3 != 0
    });
    scene.agents.push(newcomer);
    for index in &mut all {
        edits.iter().for_each(|edit| index.edit(edit).unwrap());
        assert_eq!(index.edit(&Edit::erase(0)).unwrap_err().cause(), Cause::IdUnknown);
        assert_eq!([0, 1, 500].map(|id| index.contains(id).unwrap()), [false, true, true]);
        ask::<Ball<N>, N>(&scene, index, &mut Draw(7));
        index.tidy().unwrap();
        ask::<Ball<N>, N>(&scene, index, &mut Draw(8));
        index.clear().unwrap();
        assert_eq!(index.counts().unwrap().agents, 0);
        index.edit(&edits[0]).unwrap();
        assert_eq!(index.counts().unwrap().agents, 1);
    }
}

#[test]
fn edits_of_single_agents() {
    edits::<2>(95);
    edits::<3>(96);
}

fn pairs<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let scene = Scene::<N>::new(seed);
    let overlap = |a: &Member<N>, b: &Member<N>| (0..N).all(|i| (a.at[i] - b.at[i]).abs() <= a.half[i] + b.half[i]);
    for groups in [ALL_GROUPS, 5] {
        let wanted = Filter { groups, without: NO_ID };
        let takes_part: Vec<_> = scene.agents.iter().filter(|agent| agent.passes(&wanted)).collect();
        let mut truth = BTreeSet::new();
        for (i, a) in takes_part.iter().enumerate() {
            truth.extend(takes_part[..i].iter().filter(|b| overlap(a, b)).map(|b| (b.id, a.id)));
        }
        for index in indices(&scene) {
            let mut room = PairsRoom::new();
            for _ in 0..2 {
                let pairs = index.pairs(groups, &mut room).unwrap();
                let found: BTreeSet<_> = pairs.iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
                assert_eq!((found.len(), &found), (pairs.len(), &truth));
            }
            let mut seen = Vec::new();
            let see = |first: &[u32], second: &[u32]| {
                seen.extend(first.iter().zip(second).map(|(&a, &b)| (a.min(b), a.max(b))));
                ControlFlow::Continue(())
            };
            assert_eq!(index.visit_pairs(groups, see).unwrap(), truth.len() as u64);
            seen.sort_unstable();
            assert!(seen.iter().eq(&truth));
        }
    }
}

#[test]
fn pairs_that_overlap() {
    pairs::<2>(97);
    pairs::<3>(98);
}

#[test]
fn cells_and_counts() {
    let scene = Scene::<2>::new(99);
    for index in indices(&scene) {
        let counts = index.counts().unwrap();
        assert_eq!(counts.agents, scene.agents.len() as u64);
        assert!(counts.index_bytes > 0);
        let cells = index.cells().unwrap();
        let kept: u64 = cells.iter().map(|cell| u64::from(cell.agents)).sum();
        // Leaves of a tight quadtree share agents.
        assert!(kept == counts.agents || kept > counts.agents && index.structure() == Structure::TightQuadtree);
        assert!(cells.iter().all(|cell| cell.set == Sets::AGENTS));
        assert!(cells.iter().all(|Cell { bounds, .. }| (0..2).all(|axis| bounds.lo[axis] <= bounds.hi[axis])));
    }
}

#[test]
fn an_index_lays_itself_out() {
    for structure in [Structure::BruteForce, Structure::LooseTree, Structure::TightQuadtree] {
        let on = IndexSettings { executor: Some(Executor::serial().unwrap()), ..IndexSettings::of(structure) };
        for mut index in [Index::<2>::new(structure).unwrap(), Index::with(&on).unwrap()] {
            index.update(&[[1.0, 1.0], [2.0, 1.0], [900.0, 900.0]]).unwrap();
            assert_eq!(index.count_one(&Ball { centre: [1.5, 1.0], radius: 0.5 }).unwrap(), 2);
        }
    }
}

#[test]
fn refusals() {
    for structure in [Structure::NestedQuadtree, Structure::TightQuadtree] {
        let error = Index::<3>::new(structure).unwrap_err();
        assert_eq!((error.cause(), error.argument()), (Cause::WrongDimension, "settings.dimension"));
    }
    let scene = Scene::<2>::new(100);
    for mut index in indices(&scene) {
        let ball = Ball { centre: [8.0, 8.0], radius: 3.0 };
        let balls = [ball, Ball { radius: -1.0, ..ball }];
        let mut room = HitsRoom::new();
        assert_eq!(index.query(&balls[..1], &mut room).unwrap().len(), 1);
        let error = index.query(&balls, &mut room).unwrap_err();
        assert_eq!((error.cause(), error.argument(), error.index()), (Cause::Negative, "questions.shapes", 1));
        let some = Questions::new(&balls[..1]).sets(Sets::AGENTS);
        assert_eq!(index.count_one(some).unwrap_err().cause(), Cause::WrongValue);
        assert_eq!(index.update(Agents::world(&[[1.0, 1.0]])).unwrap_err().cause(), Cause::WrongValue);
        assert_eq!(index.counts().unwrap().agents, 300);
    }
}

#[test]
fn an_index_goes_to_other_threads() {
    fn goes_everywhere<T: Send + Sync>(_: &T) {}
    indices(&Scene::<2>::new(101)).iter().for_each(goes_everywhere);
}
