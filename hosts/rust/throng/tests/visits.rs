//! Answers that are handed to closures: pairs, neighbours from many threads, and closures that panic.

mod common;

use common::*;
use std::ops::ControlFlow;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use throng::*;

const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

fn pairs<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let crowd = Scene::<N>::new(seed).crowd();
    let mut batch = Batch::new().unwrap();
    let all = Pairing { sets: PairSets::ALL, ..Pairing::default() };
    for wanted in [all, Pairing { groups: 5, ..all }, Pairing { body: Body::Disc, ..Pairing::default() }] {
        let mut truth: Vec<(u32, u32)> = batch.pairs(&crowd, &wanted).unwrap().iter().collect();
        let mut found = Vec::new();
        let count = crowd.visit_pairs(&wanted, |first, second| {
            assert_eq!(first.len(), second.len());
            found.extend(first.iter().copied().zip(second.iter().copied()));
            GO_ON
        });
        assert_eq!(count.unwrap(), found.len() as u64);
        truth.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, truth);
        let mut seen = 0;
        let enough = |first: &[u32], _: &[u32]| {
            seen += first.len() as u64;
            ControlFlow::Break(())
        };
        let count = crowd.visit_pairs(&wanted, enough).unwrap();
        assert!(count == seen && 0 < seen && seen < truth.len() as u64, "{} of {}", seen, truth.len());
    }
    let near = Pairing { within: Some(1.0), ..all };
    assert_eq!(crowd.visit_pairs(&near, |_, _| GO_ON).unwrap_err().cause(), Cause::WrongValue);
}

in_both! { [71]; pairs_that_overlap: pairs; }

#[test]
fn the_crowd_may_be_asked_meanwhile() {
    let crowd = Scene::<2>::new(73).crowd();
    let ball = Ball { centre: [8.0, 8.0], radius: 6.0 };
    let mut ids = Vec::new();
    let mut again = Vec::new();
    crowd
        .visit_one(&ball, |some| {
            ids.extend_from_slice(some);
            again.clear();
            crowd
                .visit_one(&ball, |inner| {
                    again.extend_from_slice(inner);
                    GO_ON
                })
                .unwrap();
            GO_ON
        })
        .unwrap();
    assert!(ids.len() > 50);
    assert_eq!(again, ids);
}

/// What a panic says.
fn said(run: impl FnOnce()) -> &'static str {
    *catch_unwind(AssertUnwindSafe(run)).expect_err("a panic").downcast::<&str>().expect("words")
}

#[test]
fn panics_go_on_behind_the_call() {
    let crowd = Scene::<2>::new(74).crowd();
    let ball = Ball { centre: [8.0, 8.0], radius: 6.0 };
    let mut calls = 0;
    let broken = |_: &[u32]| {
        calls += 1;
        panic!("no more")
    };
    assert_eq!(said(|| assert!(crowd.visit_one(&ball, broken).is_err())), "no more");
    assert_eq!(calls, 1);
    assert_eq!(
        said(|| assert!(crowd.visit_pairs(&Pairing::default(), |_, _| panic!("no pairs")).is_err())),
        "no pairs"
    );
    // Nothing is held by what was left.
    let mut ids = Vec::new();
    crowd.query_one(&ball, &mut ids).unwrap();
    assert!(ids.len() > 50);
}

#[test]
fn neighbours_in_lists_that_last() {
    let scene = Scene::<2>::new(75);
    let mut crowd = scene.crowd();
    for executor in [Executor::serial().unwrap(), Executor::pool(3).unwrap()] {
        let mut lasting = Lasting::<2>::on(&LastingSettings::within(1.5, 0.5), &executor).unwrap();
        let early = lasting.visit(as_agents(&scene.agents), |_, _| ()).unwrap_err();
        assert_eq!(early.cause(), Cause::CountMismatch);
        lasting.update(&mut crowd, as_agents(&scene.agents)).unwrap();
        let listed = lasting.neighbours(as_agents(&scene.agents)).unwrap();
        let mut truth: Vec<_> = listed.order.iter().copied().zip(listed.hits.iter().map(<[u32]>::to_vec)).collect();
        let found = Mutex::new(Vec::new());
        let see = |agent, neighbours: &[u32]| found.lock().unwrap().push((agent, neighbours.to_vec()));
        lasting.visit(as_agents(&scene.agents), see).unwrap();
        let mut found = found.into_inner().unwrap();
        truth.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, truth);
    }
}

#[test]
fn panics_of_many_threads_are_one() {
    let scene = Scene::<2>::new(76);
    let mut crowd = scene.crowd();
    let pool = Executor::pool(3).unwrap();
    let mut lasting = Lasting::<2>::on(&LastingSettings::within(1.5, 0.5), &pool).unwrap();
    lasting.update(&mut crowd, as_agents(&scene.agents)).unwrap();
    let calls = AtomicUsize::new(0);
    let broken = |_: u32, _: &[u32]| {
        calls.fetch_add(1, Ordering::Relaxed);
        panic!("too near")
    };
    assert_eq!(said(|| lasting.visit(as_agents(&scene.agents), broken).unwrap()), "too near");
    // One for each thread at the most: the others are spared.
    assert!((1..=3).contains(&calls.into_inner()));
    lasting.visit(as_agents(&scene.agents), |_, _| ()).unwrap();
}
