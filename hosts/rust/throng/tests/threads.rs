//! Executors, and which types go to other threads.

mod common;

use common::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use throng::*;

fn goes_everywhere<T: Send + Sync>() {}

#[test]
fn types_go_to_other_threads_as_the_rules_allow() {
    goes_everywhere::<Crowd<2>>(); // & asks: any number may
    goes_everywhere::<Obstacles<3>>();
    goes_everywhere::<Published<2>>();
    goes_everywhere::<Reader<2>>();
    goes_everywhere::<Snapshot<3>>();
    goes_everywhere::<Executor>();
    goes_everywhere::<Memory>();
    goes_everywhere::<Batch>(); // all that it does takes &mut
    goes_everywhere::<Contacts<2>>();
    goes_everywhere::<Lasting<2>>();
    goes_everywhere::<Change>();
    goes_everywhere::<Step<'_>>(); // blocks are run by & on any threads
    goes_everywhere::<Hits<'_>>();
    goes_everywhere::<Error>();
}

#[test]
fn executors_are_what_was_asked_for() {
    let serial = Executor::serial().unwrap().describe().unwrap();
    assert_eq!((serial.kind, serial.threads), (ExecutorKind::Serial, Some(1)));
    let pool = Executor::pool(3).unwrap().describe().unwrap();
    assert_eq!((pool.kind, pool.threads), (ExecutorKind::Pool, Some(3)));
    let own = Executor::describe_default().unwrap();
    match Executor::tbb(2) {
        Ok(tbb) => {
            assert_eq!(own.kind, ExecutorKind::Tbb);
            assert_eq!(tbb.describe().unwrap().kind, ExecutorKind::Tbb);
        }
        Err(error) => {
            assert_eq!(own.kind, ExecutorKind::Pool);
            assert_eq!(error.cause(), Cause::NotBuilt);
        }
    }
}

#[test]
fn answers_are_the_same_on_every_executor() {
    let scene = Scene::<3>::new(31);
    let executors = [None, Some(Executor::serial().unwrap()), Some(Executor::pool(2).unwrap())];
    let mut all = Vec::new();
    for executor in &executors {
        let settings = Settings { executor: executor.clone(), ..Scene::settings() };
        let crowd = scene.crowd_with(&settings);
        let mut batch = executor.as_ref().map_or_else(Batch::new, Batch::on).unwrap();
        let hits = batch.neighbours(&crowd, &Neighbourhood::within(2.0)).unwrap();
        all.push((hits.offsets().to_vec(), hits.ids().to_vec()));
    }
    assert!(all[0].1.len() > 300);
    assert!(all.iter().all(|answers| *answers == all[0]));
}

/// How many jobs were run.
static RUN: AtomicUsize = AtomicUsize::new(0);

/// Runs jobs one by one, last first, on threads of its own; or none.
enum Backwards {
    Runs,
    Drops,
    Panics,
}

impl JobSystem for Backwards {
    fn run(&self, mut jobs: Jobs<'_>) {
        match self {
            Backwards::Runs => {}
            Backwards::Drops => return,
            Backwards::Panics => panic!("a job system that panics"),
        }
        while !jobs.is_empty() {
            let last = jobs.len() - 1;
            let (others, job) = jobs.split_at(last);
            std::thread::scope(|scope| {
                RUN.fetch_add(job.len(), Ordering::Relaxed);
                scope.spawn(|| job.run()).join().unwrap()
            });
            jobs = others;
        }
    }
    fn threads(&self) -> usize {
        2
    }
}

/// Enough agents for several blocks.
fn grid_of_points() -> Vec<[f32; 2]> {
    (0..250_000).map(|i| [(i % 500) as f32, (i / 500) as f32]).collect()
}

#[test]
fn job_systems_give_the_same_answers() {
    let points = grid_of_points();
    let counts = |executor: Executor| {
        let settings = Settings { executor: Some(executor.clone()), ..Settings::default() };
        let mut crowd = Crowd::<2>::with(&settings).unwrap();
        crowd.update(&points).unwrap();
        let mut batch = Batch::on(&executor).unwrap();
        drop((executor, settings)); // the batch keeps it
        batch.count_neighbours(&crowd, &Neighbourhood::within(1.0)).unwrap().to_vec()
    };
    let system = Executor::job_system(Backwards::Runs).unwrap();
    let facts = system.describe().unwrap();
    assert_eq!((facts.kind, facts.threads), (ExecutorKind::JobSystem, Some(2)));
    let found = counts(system);
    assert!(RUN.load(Ordering::Relaxed) > 4);
    assert_eq!(found, counts(Executor::serial().unwrap()));
    assert_eq!(found.iter().filter(|&&count| count == 4).count(), 498 * 498);
}

#[test]
fn jobs_that_are_not_run_make_the_call_fail() {
    let points = grid_of_points();
    for backwards in [Backwards::Drops, Backwards::Panics] {
        let system = Executor::job_system(backwards).unwrap();
        let mut crowd = Crowd::<2>::with(&Settings { executor: Some(system), ..Settings::default() }).unwrap();
        assert_eq!(crowd.update(&points).unwrap_err().cause(), Cause::ExecutorFailed);
        assert_eq!(crowd.counts().unwrap().agents, 0);
    }
}

#[test]
fn many_threads_ask_one_crowd() {
    let scene = Scene::<2>::new(32);
    let crowd = scene.crowd();
    let expected = Batch::new().unwrap().count_neighbours(&crowd, &Neighbourhood::within(1.5)).unwrap().to_vec();
    let executor = Executor::pool(2).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut batch = Batch::on(&executor).unwrap();
                for _ in 0..20 {
                    let counts = batch.count_neighbours(&crowd, &Neighbourhood::within(1.5)).unwrap();
                    assert_eq!(counts, expected);
                    let ball = Ball { centre: [8.0, 8.0], radius: 3.0 };
                    let found = scene.ids(|member| common::truth::Case::finds(&ball, member)).len();
                    assert_eq!(crowd.count_one(&ball).unwrap(), found as u64);
                }
            });
        }
    });
}

#[test]
fn objects_keep_what_they_need() {
    let (mut crowd, mut batch) = {
        let executor = Executor::pool(2).unwrap();
        let memory = Memory::capped(1 << 30).unwrap();
        let settings = Settings { memory: Some(memory), executor: Some(executor.clone()), ..Settings::default() };
        (Crowd::<2>::with(&settings).unwrap(), Batch::on(&executor).unwrap())
    };
    crowd.update(&[[1.0, 1.0], [2.0, 1.0]]).unwrap();
    assert_eq!(batch.count_neighbours(&crowd, &Neighbourhood::within(1.0)).unwrap(), [1, 1]);
}

#[test]
fn memory_counts_what_crowds_take() {
    let memory = Memory::capped(1 << 30).unwrap();
    let mut crowd = Crowd::<2>::with(&Settings { memory: Some(memory.clone()), ..Settings::default() }).unwrap();
    crowd.update(&vec![[1.0, 2.0]; 1000]).unwrap();
    let counts = memory.counts().unwrap();
    assert!(counts.used > 1000 && counts.peak >= counts.used);
    assert_eq!(counts.refused, 0);
    drop(crowd);
    assert_eq!(memory.counts().unwrap().used, 0);
}
