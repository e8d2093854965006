//! What goes on from frame to frame: changes of all kinds, pairs over time, lists that last, snapshots, files.

mod common;

use common::*;
use std::collections::BTreeSet;
use throng::*;

/// What a crowd answers to a few questions, to the bit and in order.
fn answers<const N: usize>(crowd: &Crowd<N>) -> (Vec<u64>, Vec<u32>) {
    let hits_of = |batch: &mut Batch, radius| {
        let hits = batch.neighbours(crowd, &Neighbourhood::within(radius)).unwrap();
        (hits.offsets().to_vec(), hits.ids().to_vec())
    };
    hits_of(&mut Batch::new().unwrap(), 1.5)
}

fn move_all<const N: usize>(scene: &mut Scene<N>, draw: &mut Draw, by: f32) {
    for member in &mut scene.agents {
        for x in &mut member.at {
            *x += by * (draw.below(3) as f32 - 1.0);
        }
    }
}

#[test]
fn all_layouts_are_the_same_agents() {
    let scene = Scene::<3>::new(21);
    let expected = answers(&scene.crowd());
    let check = |agents: Agents<'_, 3>| {
        let mut crowd = Crowd::with(&Scene::settings()).unwrap();
        crowd.set_statics(as_agents(&scene.statics)).unwrap();
        crowd.update(agents).unwrap();
        assert_eq!(agents.len(), 300);
        assert_eq!(answers(&crowd), expected);
    };
    let positions: Vec<[f32; 3]> = scene.agents.iter().map(|member| member.at).collect();
    let halves: Vec<[f32; 3]> = scene.agents.iter().map(|member| member.half).collect();
    let groups: Vec<u32> = scene.agents.iter().map(|member| member.groups).collect();
    let doubles: Vec<[f64; 3]> = positions.iter().map(|at| at.map(f64::from)).collect();
    let axes: Vec<Vec<f32>> = (0..3).map(|a| positions.iter().map(|at| at[a]).collect()).collect();
    check(Agents::new(&positions).half_extents(&halves).groups(&groups));
    check(Agents::new(positions.as_slice()).half_extents(Field::of(&scene.agents, |m| &m.half)).groups(&groups));
    check(Agents::axes([0, 1, 2].map(|a| Field::from(&axes[a]))).half_extents(&halves).groups(&groups));
    check(Agents::world(&doubles).half_extents(&halves).groups(&groups));
    check(as_agents(&scene.agents));
}

#[test]
fn a_crowd_in_the_plane_reads_two_axes_of_three() {
    let positions = [[1.0, 50.0, 2.0], [9.0, -50.0, 9.0], [1.5, 0.0, 2.0]];
    let field = Field::from(&positions);
    let mut crowd = Crowd::<2>::new().unwrap();
    crowd.update(Agents::axes([field.axis(0), field.axis(2)])).unwrap();
    let mut ids = Vec::new();
    crowd.query_one(&Ball { centre: [1.0, 2.0], radius: 0.5 }, &mut ids).unwrap();
    assert_eq!(sorted(&ids), [0, 2]);
}

#[test]
fn sizes_may_be_common_or_radii() {
    let positions = [[0.0, 0.0], [4.0, 0.0]];
    let box_at = |x: f32| Aabb { lo: [x, -0.5], hi: [x, 0.5] };
    let mut crowd = Crowd::<2>::new().unwrap();
    crowd.update(Agents::new(&positions).common_half_extent([1.0, 0.5])).unwrap();
    assert_eq!([1.0, 1.25, 3.0].map(|x| crowd.count_one(&box_at(x)).unwrap()), [1, 0, 1]);
    crowd.update(Agents::new(&positions).radii(&[0.5, 1.5])).unwrap();
    assert_eq!([0.5, 1.0, 2.5].map(|x| crowd.count_one(&box_at(x)).unwrap()), [1, 0, 1]);
}

#[test]
fn edits_are_what_an_update_would_be() {
    let positions = [[1.0, 1.0], [5.0, 5.0], [9.0, 9.0]];
    let settings = Settings { keeps_half_extents: true, keeps_groups: true, ..Scene::<2>::settings() };
    let mut crowd = Crowd::with(&settings).unwrap();
    let insert = |id: u32| Edit::insert(id, positions[id as usize]).half_extent([0.5, 0.25]).groups(1 << id);
    crowd.edit(&[insert(0), insert(1), insert(2)]).unwrap();
    assert_eq!(crowd.counts().unwrap().agents, 3);
    let cells = crowd.cell_stats().unwrap();
    assert!(cells.agents == 3 && cells.used_cells <= cells.cells && cells.company >= 0.0);
    crowd.edit(&[Edit::erase(1), Edit::move_to(2, [1.5, 1.0])]).unwrap();
    let mut ids = Vec::new();
    crowd.query_one(&Ball { centre: [1.0, 1.0], radius: 0.5 }, &mut ids).unwrap();
    assert_eq!(sorted(&ids), [0, 2]);
    let ball = [Ball { centre: [1.0, 1.0], radius: 0.5 }];
    let wanted = Questions::new(&ball).filter(Filter { groups: 4, ..Filter::default() });
    crowd.query_one(wanted, &mut ids).unwrap();
    assert_eq!(ids, [2]);
    assert_eq!(crowd.count_one(&Aabb { lo: [2.0, 1.0], hi: [3.0, 2.0] }).unwrap(), 1);
    crowd.clear().unwrap();
    assert_eq!(crowd.counts().unwrap().agents, 0);
}

#[test]
fn steps_make_what_a_call_makes() {
    let mut scene = Scene::<3>::new(22);
    let (mut whole, mut stepped) = (scene.crowd(), scene.crowd());
    let mut change = Change::new().unwrap();
    let mut draw = Draw(9);
    for _ in 0..3 {
        move_all(&mut scene, &mut draw, 0.5);
        whole.update(as_agents(&scene.agents)).unwrap();
        let mut loops = 0;
        let agents = as_agents(&scene.agents);
        change
            .update(&mut stepped, agents, 2, |step| {
                loops += 1;
                assert!(step.threads_worth() >= 1);
                let half = step.blocks() / 2;
                std::thread::scope(|scope| {
                    scope.spawn(move || step.run(0..half).unwrap());
                    step.run(half..step.blocks()).unwrap();
                });
            })
            .unwrap();
        assert!(loops > 0);
        assert_eq!(answers(&stepped), answers(&whole));
    }
    let edits = [Edit::erase(5), Edit::move_to(6, [1.0, 2.0, 3.0])];
    whole.edit(&edits).unwrap();
    change.edit(&mut stepped, &edits, |step| step.run(0..step.blocks()).unwrap()).unwrap();
    assert_eq!(answers(&stepped), answers(&whole));
}

#[test]
fn steps_that_are_left_out_change_nothing() {
    let mut scene = Scene::<2>::new(23);
    let mut crowd = scene.crowd();
    let before = answers(&crowd);
    move_all(&mut scene, &mut Draw(3), 0.5);
    let mut change = Change::new().unwrap();
    let refused = change.update(&mut crowd, as_agents(&scene.agents), 1, |_| {}).unwrap_err();
    assert_eq!(refused.cause(), Cause::ExecutorFailed);
    assert_eq!(answers(&crowd), before);
    // Where the host's code panics the change is given up, too, and the crowd serves again.
    let agents = as_agents(&scene.agents);
    let panicking = std::panic::AssertUnwindSafe(|| change.update(&mut crowd, agents, 1, |_| panic!("a job")));
    assert!(std::panic::catch_unwind(panicking).is_err());
    assert_eq!(answers(&crowd), before);
    crowd.update(as_agents(&scene.agents)).unwrap();
    assert_ne!(answers(&crowd), before);
}

#[test]
fn contacts_begin_last_and_end() {
    let mut scene = Scene::<2>::new(24);
    let mut crowd = scene.crowd();
    let mut contacts = Contacts::<2>::new().unwrap();
    let mut batch = Batch::new().unwrap();
    let wanted = Pairing { within: Some(1.0), ..Pairing::default() };
    let mut before: Vec<Contact> = Vec::new();
    let mut draw = Draw(5);
    for frame_number in 0..4 {
        let pairs: BTreeSet<Contact> = batch
            .pairs(&crowd, &wanted)
            .unwrap()
            .iter()
            .map(|(a, b)| Contact { first: a.min(b), second: a.max(b) })
            .collect();
        let frame = contacts.update(&crowd, &wanted).unwrap();
        assert_eq!(frame.pairs(), pairs.iter().copied().collect::<Vec<_>>());
        let mut began = Vec::new();
        for (i, pair) in frame.pairs().iter().enumerate() {
            assert_eq!(frame.previous(i), before.iter().position(|other| other == pair));
            if frame.previous(i).is_none() {
                began.push(i as u32);
            }
        }
        assert_eq!(frame.began(), began);
        let ended: Vec<(Contact, u32)> =
            (0..).zip(&before).filter(|(_, pair)| !pairs.contains(pair)).map(|(i, &pair)| (pair, i)).collect();
        let found: Vec<_> = frame.ended().iter().copied().zip(frame.ended_previous().iter().copied()).collect();
        assert_eq!(found, ended);
        assert!(frame_number == 0 || (!began.is_empty() && !ended.is_empty() && began.len() < pairs.len()));
        before = frame.pairs().to_vec();
        move_all(&mut scene, &mut draw, 0.5);
        crowd.update(as_agents(&scene.agents)).unwrap();
    }
    assert!(contacts.memory().unwrap() > 0);
    contacts.release().unwrap();
    contacts.clear().unwrap();
    let frame = contacts.update(&crowd, &wanted).unwrap();
    assert_eq!(frame.began().len(), frame.pairs().len());
}

#[test]
fn lists_last_while_agents_move_little() {
    let mut scene = Scene::<2>::new(25);
    let mut crowd = scene.crowd();
    let mut lasting = Lasting::<2>::new(&LastingSettings::within(1.5, 2.0)).unwrap();
    let mut draw = Draw(6);
    let mut kept = 0;
    for _ in 0..8 {
        let frame = lasting.update(&mut crowd, as_agents(&scene.agents)).unwrap();
        assert_eq!((frame.order.len(), frame.candidates.len()), (300, 300));
        assert!(frame.made >= 1 && frame.moved <= 1.0);
        kept += u64::from(frame.lasted > 0);
        let candidates: Vec<Vec<u32>> = frame.candidates.iter().map(sorted).collect();
        let order = frame.order.to_vec();
        let near = lasting.neighbours(as_agents(&scene.agents)).unwrap();
        assert_eq!(near.order, order);
        for (k, &asker) in near.order.iter().enumerate() {
            let own = scene.member(asker);
            let truth = scene.ids(|other| {
                let offset: [f32; 2] = std::array::from_fn(|a| own.at[a] - other.at[a]);
                other.id != asker && offset[0] * offset[0] + offset[1] * offset[1] <= 2.25
            });
            assert_eq!(sorted(near.hits.of(k)), truth);
            assert!(truth.iter().all(|id| candidates[k].binary_search(id).is_ok()));
        }
        move_all(&mut scene, &mut draw, 0.25);
    }
    assert!(kept >= 3, "kept {} times", kept);
    assert!(lasting.memory().unwrap() > 0);
    lasting.release().unwrap();
    assert_eq!(lasting.update(&mut crowd, as_agents(&scene.agents)).unwrap().lasted, 0);
}

#[test]
fn snapshots_are_kept_while_the_next_frame_is_built() {
    let mut scene = Scene::<2>::new(26);
    let mut published = Published::with(&Scene::<2>::settings()).unwrap();
    let reader = published.reader();
    assert!(reader.acquire().unwrap().is_none());
    published.set_statics(as_agents(&scene.statics)).unwrap();
    published.reserve(400).unwrap();
    published.update(as_agents(&scene.agents)).unwrap();
    let first = reader.acquire().unwrap().unwrap();
    let expected = answers(&scene.crowd());
    assert_eq!((first.frame(), answers(&first)), (1, expected.clone()));
    move_all(&mut scene, &mut Draw(7), 0.5);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| answers(&first));
        published.update(as_agents(&scene.agents)).unwrap();
        assert_eq!(asking.join().unwrap(), expected);
    });
    let second = reader.clone().acquire().unwrap().unwrap();
    assert_eq!((second.frame(), answers(&second)), (2, answers(&scene.crowd())));
    drop((published, reader));
    assert_eq!(answers(&first), expected);
}

#[test]
fn files_make_the_same_crowd() {
    let path = std::env::temp_dir().join(format!("throng-rust-{}.crowd", std::process::id()));
    let crowd = Scene::<3>::new(27).crowd();
    crowd.save(&path).unwrap();
    let mut loaded = Crowd::<3>::new().unwrap();
    loaded.load(&path).unwrap();
    let other = Crowd::<2>::new().unwrap().load(&path).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(answers(&loaded), answers(&crowd));
    assert_eq!(other.cause(), Cause::OtherVersion);
}

#[test]
fn worlds_may_wrap_around_and_have_an_origin() {
    let settings = Settings { periodic: [true, false], ..Scene::<2>::settings() };
    let mut crowd = Crowd::with(&settings).unwrap();
    crowd.update(&[[0.5, 1.0], [15.5, 1.0], [8.0, 1.0]]).unwrap();
    assert_eq!(crowd.count_one(&Ball { centre: [0.5, 1.0], radius: 1.0 }).unwrap(), 2);

    let settings = Settings { origin: [1e9, -1e9], ..Settings::default() };
    let mut crowd = Crowd::with(&settings).unwrap();
    crowd.update(Agents::world(&[[1e9 + 0.25, -1e9], [1e9 + 0.75, -1e9]])).unwrap();
    assert_eq!(crowd.count_one(&Ball { centre: [0.0, 0.0], radius: 0.5 }).unwrap(), 1);
}

#[test]
fn arrays_are_reordered() {
    let mut scene = Scene::<2>::new(28);
    let crowd = scene.crowd();
    let order = crowd.order().unwrap();
    let mut ids: Vec<u32> = (0..300).collect();
    reorder(&order, &mut ids, None).unwrap();
    assert_eq!(ids, order);
    let mut positions: Vec<[f32; 2]> = scene.agents.iter().map(|member| member.at).collect();
    reorder(&order, &mut positions, Some(&Executor::serial().unwrap())).unwrap();
    scene.agents.sort_by_key(|member| order.iter().position(|&id| id == member.id));
    assert!(scene.agents.iter().zip(&positions).all(|(member, at)| member.at == *at));
}

#[test]
fn an_order_is_as_long_as_its_array() {
    let error = reorder(&[0, 1], &mut [1.0], None).unwrap_err();
    assert_eq!((error.cause(), error.argument()), (Cause::CountMismatch, "arrays"));
}

#[test]
fn reserved_memory_changes_no_answer() {
    let scene = Scene::<2>::new(29);
    let mut crowd = scene.crowd();
    let before = answers(&crowd);
    crowd.reserve(1000).unwrap();
    assert_eq!(answers(&crowd), before);
    let counts = crowd.counts().unwrap();
    assert_eq!((counts.agents, counts.statics, counts.id_bound, counts.cells), (300, 60, 300, [8, 8]));
    assert_eq!(counts.giants, scene.agents.iter().filter(|member| member.is_giant).count() as u64);
    assert!(counts.index_bytes > 0 && counts.staging_bytes > 0);
    assert_eq!(crowd.answers_bound(Order::Ids), 300);
}
