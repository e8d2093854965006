//! What refusals leave behind, and what the crate refuses by itself. That each kind has the sentence that C has, and so its
//! cause, argument and index, is held by the table in tests/refusals, which door/ asks.

use throng::*;

const POSITIONS: [[f32; 2]; 3] = [[1.0, 1.0], [2.0, 1.0], [9.0, 9.0]];

fn settings() -> Settings<2> {
    Settings { bounds: Some(Aabb { lo: [0.0; 2], hi: [16.0; 2] }), cell: Some([2.0; 2]), ..Settings::default() }
}

fn crowd() -> Crowd<2> {
    let mut crowd = Crowd::with(&settings()).unwrap();
    crowd.update(&POSITIONS).unwrap();
    crowd
}

fn is_as_before(crowd: &Crowd<2>) -> bool {
    let mut near = Vec::new();
    crowd.nearest_one(&[1.0, 1.0], &Nearest::of(5), &mut near).unwrap();
    near.iter().map(|near| near.id).collect::<Vec<_>>() == [0, 1, 2]
}

/// What an error is made of.
fn parts<T: std::fmt::Debug>(refused: Result<T>) -> (Cause, &'static str, u64) {
    let error = refused.expect_err("a refusal");
    assert_eq!(format!("{:?}", error), format!("{:?}: {}", error.cause(), error));
    (error.cause(), error.argument(), error.index())
}

#[test]
fn nothing_has_changed() {
    let mut crowd = crowd();
    assert_eq!(parts(crowd.update(&[[0.0, 0.0], [0.0, f32::NAN]])), (Cause::NotFinite, "positions", 1));
    assert_eq!(parts(crowd.edit(&[Edit::erase(0), Edit::insert(1, [1.0; 2])])), (Cause::IdTaken, "edits", 1));
    assert_eq!(parts(crowd.edit(&[Edit::erase(0), Edit::erase(77)])), (Cause::IdUnknown, "edits", 1));
    assert!(is_as_before(&crowd));
    let mut values = [1.0, 2.0];
    assert_eq!(parts(reorder(&[0, 0], &mut values, None)).0, Cause::OutOfRange);
    assert_eq!(values, [1.0, 2.0]);
}

#[test]
fn lengths_that_c_is_not_told() {
    let mut crowd = crowd();
    let short = Agents::new(&POSITIONS);
    let field = Field::from(&POSITIONS);
    for (agents, argument) in [
        (short.half_extents(&[[0.5, 0.5]]), "half_extents"),
        (short.radii(&[0.5; 4]), "half_extents"),
        (short.groups(&[1, 2]), "groups"),
        (Agents::axes([field.axis(0), Field::from(&[1.0f32])]), "axes"),
    ] {
        let error = crowd.update(agents).unwrap_err();
        assert_eq!((error.cause(), error.argument()), (Cause::CountMismatch, argument));
        assert_eq!(error.to_string(), format!("{} has another count than positions", argument));
    }
    assert!(is_as_before(&crowd));
    let boxes = [Aabb { lo: [0.0; 2], hi: [1.0; 2] }];
    let refused = Obstacles::new().unwrap().set(&ObstacleArrays::new().boxes(&boxes).groups(&[1, 2]));
    assert_eq!(parts(refused), (Cause::CountMismatch, "arrays.groups", 0));
    assert_eq!(parts(crowd.save("a\0b")), (Cause::WrongValue, "path", 0));
}

#[test]
fn vectors_are_empty() {
    let (crowd, obstacles) = (crowd(), Obstacles::<2>::new().unwrap());
    let mut near = vec![Near::default(); 3];
    assert_eq!(parts(crowd.nearest_one(&POSITIONS[0], &Nearest::of(1025), &mut near)).0, Cause::TooMany);
    assert!(near.is_empty());
    let (mut near, none) = (vec![ObstacleNear::default(); 3], ObstacleSearch { within: -1.0, ..Default::default() });
    assert_eq!(parts(obstacles.nearest(&POSITIONS, &none, &mut near)).0, Cause::Negative);
    assert!(near.is_empty());
}

#[test]
fn room() {
    let (crowd, mut batch) = (crowd(), Batch::new().unwrap());
    let balls = [Ball { centre: [1.0, 1.0], radius: 1.0 }];
    let (mut offsets, mut ids) = ([0; 2], [9; 1]);
    assert_eq!(parts(batch.query_into(&crowd, &balls, &mut offsets, &mut ids)), (Cause::NoRoom, "out.ids", 2));
    assert_eq!((offsets, ids), ([0, 2], [0]));
    let near = Pairing { within: Some(20.0), ..Pairing::default() };
    let (mut first, mut second) = ([0u32; 9], [0u32; 1]);
    let refused = batch.pairs_into(&crowd, &near, &mut first[..1], &mut second).map_err(|error| error.index());
    assert_eq!(refused, Err(3));
    // Of two slices the shorter one is the room.
    let refused = batch.pairs_into(&crowd, &near, &mut first, &mut second).map_err(|error| error.index());
    assert_eq!(refused, Err(3));
    let (mut near, mut counts) = ([Near::default(); 5], [0; 3]);
    let refused = batch.nearest_into(&crowd, &POSITIONS, &Nearest::of(2), &mut near, &mut counts);
    assert_eq!(parts(refused), (Cause::NoRoom, "out.nearest", 6));
}

#[test]
fn memory() {
    let memory = Memory::capped(50_000).unwrap();
    let mut crowd = Crowd::<2>::with(&Settings { memory: Some(memory.clone()), ..Settings::default() }).unwrap();
    assert_eq!(parts(crowd.update(&vec![[1.0, 2.0]; 10_000])).0, Cause::OverMemory);
    assert!(memory.counts().unwrap().refused > 0);
}

#[test]
fn what_the_table_has_not() {
    let mut obstacles = Obstacles::<2>::new().unwrap();
    let bent = OrientedBox { centre: [0.0; 2], half_edges: [[1.0, 0.0], [1.0, 1.0]] };
    assert_eq!(parts(obstacles.insert(1, &bent, 1)).0, Cause::OutOfRange);
    let wall = Wall { from: [0.0; 2], to: [1.0, 0.0], thickness: -1.0 };
    assert_eq!(parts(obstacles.insert(1, &wall, 1)).0, Cause::Negative);
    let ball = [Ball { centre: [0.0; 2], radius: 1.0 }];
    let agents = Questions::new(&ball).sets(Sets::AGENTS);
    assert_eq!(parts(obstacles.within(agents, &mut Vec::new())).0, Cause::WrongValue);
    let ray = [Ray { origin: [0.0; 2], direction: [0.0; 2], length: 1.0 }];
    assert_eq!(parts(Batch::new().unwrap().count(&crowd(), &ray)).0, Cause::NoDirection);
    let mut lasting = Lasting::<2>::new(&LastingSettings::within(1.0, 1.0)).unwrap();
    assert_eq!(parts(lasting.neighbours(&POSITIONS).map(|near| near.hits.len())).0, Cause::CountMismatch);
    assert_eq!(parts(Executor::pool(65_537)).1, "threads");
}
