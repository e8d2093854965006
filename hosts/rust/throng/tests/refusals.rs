//! Every kind of refusal that safe code can cause: the same cause, argument, index and sentence as that of the same call
//! through C, and nothing has changed.

mod common;

use common::doors::*;
use std::ffi::{c_void, CString};
use std::ptr::{null, null_mut};
use throng::*;
use throng_sys as sys;

#[test]
fn agents() {
    let mut doors = Doors::open();
    for (bad, cause) in [(f32::NAN, Cause::NotFinite), (f32::INFINITY, Cause::NotFinite), (2e18, Cause::TooLarge)] {
        let positions = [[0.0, 0.0], [0.0, bad]];
        let theirs = doors.c_update(&c_agents(&positions));
        same(cause, doors.crowd.update(&positions), theirs);
    }
    let halves = [[0.5, 0.5], [0.5, 0.5], [-0.5, 0.5]];
    let mut sized = c_agents(&POSITIONS);
    let first = halves.as_ptr().cast::<f32>();
    sized.half_extent = [first, first.wrapping_add(1), null()];
    sized.half_extent_stride = [8, 8, 0];
    let theirs = doors.c_update(&sized);
    same(Cause::Negative, doors.crowd.update(Agents::new(&POSITIONS).half_extents(&halves)), theirs);
    let mut common = c_agents(&POSITIONS);
    common.common_half_extent[1] = -1.0;
    let theirs = doors.c_update(&common);
    same(Cause::Negative, doors.crowd.update(Agents::new(&POSITIONS).common_half_extent([0.0, -1.0])), theirs);
    assert!(doors.is_as_before());
    // The sentences themselves, so that none is empty on both sides.
    let error = doors.crowd.update(&[[0.0, f32::NAN]]).unwrap_err();
    assert_eq!(error.to_string(), "positions[0] is NaN or infinite");
}

#[test]
fn lengths_that_c_is_not_told() {
    let mut doors = Doors::open();
    let short = Agents::new(&POSITIONS);
    let field = Field::from(&POSITIONS);
    for (agents, argument) in [
        (short.half_extents(&[[0.5, 0.5]]), "half_extents"),
        (short.radii(&[0.5; 4]), "half_extents"),
        (short.groups(&[1, 2]), "groups"),
        (Agents::axes([field.axis(0), Field::from(&[1.0f32])]), "axes"),
    ] {
        let error = doors.crowd.update(agents).unwrap_err();
        assert_eq!((error.cause(), error.argument()), (Cause::CountMismatch, argument));
        assert_eq!(error.to_string(), format!("{} has another count than positions", argument));
    }
    let boxes = [Aabb { lo: [0.0; 2], hi: [1.0; 2] }];
    let error = doors.obstacles.set(&ObstacleArrays::new().boxes(&boxes).groups(&[1, 2])).unwrap_err();
    assert_eq!((error.cause(), error.argument()), (Cause::CountMismatch, "arrays.groups"));
    assert!(doors.is_as_before());
    let error = doors.crowd.save("a\0b").unwrap_err();
    assert_eq!((error.cause(), error.argument()), (Cause::WrongValue, "path"));
}

#[test]
fn settings_of_crowds() {
    let create = |settings: sys::throng_crowd_settings| {
        let mut crowd = null_mut();
        // SAFETY: both live through the call.
        unsafe { sys::throng_crowd_create(&settings, &mut crowd) }
    };
    let (ours, theirs) = (settings(), c_settings());
    let inverted = Settings { bounds: Some(Aabb { lo: [0.0, 17.0], hi: [16.0; 2] }), ..ours.clone() };
    same(
        Cause::Inverted,
        Crowd::with(&inverted),
        create(sys::throng_crowd_settings { lo: [0.0, 17.0, 0.0], ..theirs }),
    );
    let flat = Settings { cell: Some([2.0, 0.0]), ..ours.clone() };
    same(
        Cause::NotPositive,
        Crowd::with(&flat),
        create(sys::throng_crowd_settings { cell: [2.0, 0.0, 0.0], ..theirs }),
    );
    let without = Settings { bounds: None, ..ours };
    let given = sys::THRONG_GIVEN_CELL;
    let raw = sys::throng_crowd_settings { given, hi: [0.0; 3], ..theirs };
    same(Cause::Missing, Crowd::with(&without), create(raw));
}

#[test]
fn edits() {
    let mut doors = Doors::open();
    let raw =
        |kind, id| sys::throng_edit { kind, id, position: [1.0, 1.0, 0.0], kept: 0, half_extent: [0.0; 3], groups: 0 };
    let theirs = doors.c_edit(raw(sys::THRONG_INSERT, 1));
    same(Cause::IdTaken, doors.crowd.edit(&[Edit::insert(1, [1.0, 1.0])]), theirs);
    let theirs = doors.c_edit(raw(sys::THRONG_ERASE, 77));
    same(Cause::IdUnknown, doors.crowd.edit(&[Edit::erase(77)]), theirs);
    let theirs = doors.c_edit(raw(sys::THRONG_INSERT, FIRST_STATIC));
    same(Cause::TooMany, doors.crowd.edit(&[Edit::insert(FIRST_STATIC, [1.0, 1.0])]), theirs);
    let with_groups = sys::throng_edit { kept: sys::THRONG_KEPT_GROUPS, groups: 3, ..raw(sys::THRONG_INSERT, 5) };
    let theirs = doors.c_edit(with_groups);
    same(Cause::NotStored, doors.crowd.edit(&[Edit::insert(5, [1.0, 1.0]).groups(3)]), theirs);
    assert!(doors.is_as_before());

    let keeps = Settings { keeps_groups: true, ..settings() };
    let mut ours = Crowd::with(&keeps).unwrap();
    let mut crowd = null_mut();
    let kept = sys::throng_crowd_settings { kept: sys::THRONG_KEPT_GROUPS, ..c_settings() };
    // SAFETY: all live through the calls.
    let theirs = unsafe {
        sys::throng_crowd_create(&kept, &mut crowd);
        let status = sys::throng_crowd_edit(crowd, &raw(sys::THRONG_INSERT, 0), 1, null_mut());
        sys::throng_crowd_destroy(crowd);
        status
    };
    same(Cause::Missing, ours.edit(&[Edit::insert(0, [1.0, 1.0])]), theirs);

    let mut without_cells = Crowd::<2>::new().unwrap();
    // SAFETY: all live through the calls.
    let theirs = unsafe {
        sys::throng_crowd_create(&sys::THRONG_CROWD_SETTINGS_INIT, &mut crowd);
        let status = sys::throng_crowd_edit(crowd, &raw(sys::THRONG_INSERT, 0), 1, null_mut());
        sys::throng_crowd_destroy(crowd);
        status
    };
    same(Cause::NotConfigured, without_cells.edit(&[Edit::insert(0, [1.0, 1.0])]), theirs);
}

#[test]
fn shapes() {
    let mut doors = Doors::open();
    let balls = [Ball { centre: [0.0; 2], radius: 1.0 }, Ball { centre: [0.0; 2], radius: -1.0 }];
    let theirs = doors.c_query(&questions(sys::THRONG_BALL2, &balls));
    same(Cause::Negative, doors.batch.query(&doors.crowd, &balls), theirs);
    let rays = [Ray { origin: [0.0; 2], direction: [0.0; 2], length: 1.0 }];
    let theirs = doors.c_query(&questions(sys::THRONG_RAY2, &rays));
    same(Cause::NoDirection, doors.batch.count(&doors.crowd, &rays), theirs);
    let sectors = [Sector { centre: [0.0; 2], radius: 1.0, direction: [1.0, 0.0], cosine: 1.5 }];
    let theirs = doors.c_query(&questions(sys::THRONG_SECTOR2, &sectors));
    same(Cause::NoCosine, doors.batch.query(&doors.crowd, &sectors), theirs);
    let cylinders = [Cylinder { centre: [0.0; 2], radius: 1.0, low: 0.0, high: 1.0, up: Up::Z }];
    let theirs = doors.c_query(&questions(sys::THRONG_CYLINDER2, &cylinders));
    same(Cause::OutOfRange, doors.batch.query(&doors.crowd, &cylinders), theirs);
    let side = Side { normal: [1.0, 0.0], offset: 1.0 };
    let convexes = [Convex::new(&[side; 9], Aabb { lo: [0.0; 2], hi: [1.0; 2] })];
    let theirs = doors.c_query(&questions(sys::THRONG_CONVEX2, &convexes));
    same(Cause::TooMany, doors.batch.query(&doors.crowd, &convexes), theirs);

    let balls = [Ball { centre: [0.0f32; 2], radius: 1.0 }; 3];
    let filters = [Filter::default(); 2];
    let raw = sys::throng_questions {
        filters: filters.as_ptr().cast(),
        filter_count: 2,
        ..questions(sys::THRONG_BALL2, &balls)
    };
    let theirs = doors.c_query(&raw);
    same(Cause::CountMismatch, doors.batch.query(&doors.crowd, Questions::new(&balls).filters(&filters)), theirs);
    let mut total = 0;
    // SAFETY: the shapes live through the call.
    let theirs = unsafe { sys::throng_count_one(doors.c_crowd, &questions(sys::THRONG_BALL2, &balls), &mut total) };
    let ours = doors.crowd.count_one(&balls);
    same(Error::cause(ours.as_ref().unwrap_err()), ours, theirs);
}

#[test]
fn corners() {
    let bent = [[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0f32]];
    let mut out = std::mem::MaybeUninit::<sys::throng_convex2>::uninit();
    // SAFETY: there are four corners, and there is room for the region.
    let theirs = unsafe { sys::throng_polygon(bent.as_ptr().cast(), 4, out.as_mut_ptr()) };
    same(Cause::NotConvex, Convex::polygon(&bent), theirs);
    let nine = [[0.0f32, 0.0]; 9];
    // SAFETY: there are nine corners, and there is room for the region.
    let theirs = unsafe { sys::throng_polygon(nine.as_ptr().cast(), 9, out.as_mut_ptr()) };
    same(Cause::TooMany, Convex::polygon(&nine), theirs);
    // Far sides that lie in the near one.
    let square = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0f32]];
    let flat: [[f32; 3]; 8] = std::array::from_fn(|i| square[i % 4]);
    let mut out = std::mem::MaybeUninit::<sys::throng_convex3>::uninit();
    // SAFETY: there are eight corners, and there is room for the region.
    let theirs = unsafe { sys::throng_frustum(flat.as_ptr().cast(), out.as_mut_ptr()) };
    same(Cause::NotConvex, Convex::frustum(&flat), theirs);
}

#[test]
fn the_nearest() {
    let mut doors = Doors::open();
    let theirs = doors.c_nearest(sys::throng_nearest { k: 1025, ..sys::THRONG_NEAREST_INIT });
    same(Cause::TooMany, doors.batch.nearest(&doors.crowd, &POSITIONS[..1], &Nearest::of(1025)), theirs);
    let mut near = vec![Near::default(); 3];
    assert_eq!(
        doors.crowd.nearest_one(&POSITIONS[0], &Nearest::of(1025), &mut near).unwrap_err().cause(),
        Cause::TooMany
    );
    assert!(near.is_empty());
    let theirs = doors.c_nearest(sys::throng_nearest { radius: -1.0, ..sys::THRONG_NEAREST_INIT });
    let backwards = Nearest { radius: -1.0, ..Nearest::of(1) };
    same(Cause::Negative, doors.batch.nearest(&doors.crowd, &POSITIONS[..1], &backwards), theirs);
}

#[test]
fn room() {
    let mut doors = Doors::open();
    let balls = [Ball { centre: [1.0, 1.0], radius: 1.0 }];
    let (mut offsets, mut ids) = ([0u64; 2], [0u32; 1]);
    let mut raw = sys::throng_hits_room {
        offsets: offsets.as_mut_ptr(),
        offset_room: 2,
        ids: ids.as_mut_ptr(),
        id_room: 1,
        ..sys::THRONG_HITS_ROOM_INIT
    };
    // SAFETY: there is as much room as is said.
    let theirs = unsafe {
        sys::throng_query_into(doors.c_batch, doors.c_crowd, &questions(sys::THRONG_BALL2, &balls), &mut raw)
    };
    let (mut own_offsets, mut own_ids) = ([0; 2], [9; 1]);
    let ours = doors.batch.query_into(&doors.crowd, &balls, &mut own_offsets, &mut own_ids);
    assert_eq!((own_offsets, own_ids), ([0, 2], [0]));
    assert_eq!(ours.unwrap_err().index(), 2);
    same(Cause::NoRoom, ours, theirs);
    let (mut first, mut second) = ([0u32; 1], [0u32; 1]);
    let near = Pairing { within: Some(20.0), ..Pairing::default() };
    let error = doors.batch.pairs_into(&doors.crowd, &near, &mut first, &mut second).unwrap_err();
    assert_eq!((error.cause(), error.index()), (Cause::NoRoom, 3));
    // Of two slices the shorter one is the room.
    let error = doors.batch.pairs_into(&doors.crowd, &near, &mut [0; 9], &mut second).unwrap_err();
    assert_eq!((error.cause(), error.index()), (Cause::NoRoom, 3));
    let error = doors
        .batch
        .nearest_into(&doors.crowd, &POSITIONS, &Nearest::of(2), &mut [Near::default(); 5], &mut [0; 3])
        .unwrap_err();
    assert_eq!((error.cause(), error.index()), (Cause::NoRoom, 6));
}

#[test]
fn orders() {
    let error = reorder(&[0, 0], &mut [1.0, 2.0], None).unwrap_err();
    let (order, mut values) = ([0u32, 0], [1.0f32, 2.0]);
    let array = sys::throng_array { data: values.as_mut_ptr().cast(), bytes: 4 };
    // SAFETY: both arrays have two elements.
    let theirs = unsafe { sys::throng_reorder(order.as_ptr(), 2, &array, 1, null_mut()) };
    same(error.cause(), Err::<(), _>(error), theirs);
    assert_eq!(values, [1.0, 2.0]);
}

#[test]
fn memory() {
    let memory = Memory::capped(50_000).unwrap();
    let mut crowd = Crowd::<2>::with(&Settings { memory: Some(memory.clone()), ..Settings::default() }).unwrap();
    let many = vec![[1.0f32, 2.0]; 10_000];
    let (mut c_memory, mut c_crowd) = (null_mut(), null_mut());
    // SAFETY: all live through the calls.
    let theirs = unsafe {
        let capped = sys::throng_memory_settings { cap: 50_000, ..sys::THRONG_MEMORY_SETTINGS_INIT };
        sys::throng_memory_create(&capped, &mut c_memory);
        let settings = sys::throng_crowd_settings { memory: c_memory, ..sys::THRONG_CROWD_SETTINGS_INIT };
        sys::throng_crowd_create(&settings, &mut c_crowd);
        let status = sys::throng_crowd_update(c_crowd, &c_agents(&many), null_mut());
        sys::throng_crowd_destroy(c_crowd);
        sys::throng_memory_destroy(c_memory);
        status
    };
    same(Cause::OverMemory, crowd.update(&many), theirs);
    assert!(memory.counts().unwrap().refused > 0);
}

#[test]
fn periodic_worlds() {
    let periodic = Settings { periodic: [true, true], ..settings() };
    let crowd = Crowd::with(&periodic).unwrap();
    let obstacles = Obstacles::<2>::new().unwrap();
    let wanted = Neighbourhood::within(1.0);
    let mut batch = Batch::new().unwrap();
    let ours = batch.neighbours_in_sight(&crowd, &obstacles, None, &wanted);
    let doors = Doors::open();
    let mut hits = sys::THRONG_HITS_INIT;
    let mut c_crowd = null_mut();
    // SAFETY: all live through the calls.
    let theirs = unsafe {
        sys::throng_crowd_create(&sys::throng_crowd_settings { periodic: 3, ..c_settings() }, &mut c_crowd);
        let wanted = sys::throng_neighbourhood { radius: 1.0, ..sys::THRONG_NEIGHBOURHOOD_INIT };
        let (batch, obstacles) = (doors.c_batch, doors.c_obstacles);
        let status = sys::throng_neighbours_in_sight(batch, c_crowd, obstacles, null(), &wanted, &mut hits);
        sys::throng_crowd_destroy(c_crowd);
        status
    };
    same(Cause::Wraps, ours, theirs);
}

#[test]
fn files() {
    let doors = Doors::open();
    let path = std::env::temp_dir().join(format!("throng-rust-refused-{}.crowd", std::process::id()));
    let c_path = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: the path lives through the call.
    let c_load = || unsafe { sys::throng_crowd_load(doors.c_crowd, c_path.as_ptr()) };
    let mut crowd = Crowd::<2>::new().unwrap();
    same(Cause::IoFailed, crowd.load(&path), c_load());
    doors.crowd.save(&path).unwrap();
    let good = std::fs::read(&path).unwrap();
    std::fs::write(&path, &good[..good.len() - 5]).unwrap();
    same(Cause::Truncated, crowd.load(&path), c_load());
    let mut altered = good.clone();
    *altered.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &altered).unwrap();
    same(Cause::Corrupted, crowd.load(&path), c_load());
    std::fs::write(&path, b"a letter, and no crowd at all, which is long enough to be looked at".repeat(9)).unwrap();
    same(Cause::NotAnIndex, crowd.load(&path), c_load());
    Crowd::<3>::new().unwrap().save(&path).unwrap();
    same(Cause::OtherVersion, crowd.load(&path), c_load());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn obstacles() {
    let mut doors = Doors::open();
    let bent = OrientedBox { centre: [0.0f32; 2], half_edges: [[1.0, 0.0], [1.0, 1.0]] };
    let address = (&bent as *const OrientedBox<2>).cast::<c_void>();
    // SAFETY: the box lives through the call.
    let theirs = unsafe { sys::throng_obstacles_insert(doors.c_obstacles, 1, sys::THRONG_ORIENTED_BOX2, address, 1) };
    let ours = doors.obstacles.insert(1, &bent, 1);
    same(ours.unwrap_err().cause(), ours, theirs);
    // SAFETY: takes numbers.
    let theirs = unsafe { sys::throng_obstacles_erase(doors.c_obstacles, 5) };
    same(Cause::IdUnknown, doors.obstacles.erase(5), theirs);
    let wall = Wall { from: [0.0; 2], to: [1.0, 0.0], thickness: -1.0 };
    let error = doors.obstacles.insert(1, &wall, 1).unwrap_err();
    assert_eq!(error.cause(), Cause::Negative);
    let (mut near, none) = (vec![ObstacleNear::default(); 3], ObstacleSearch { within: -1.0, ..Default::default() });
    assert_eq!(doors.obstacles.nearest(&POSITIONS, &none, &mut near).unwrap_err().cause(), Cause::Negative);
    assert!(near.is_empty());
    let ball = [Ball { centre: [0.0; 2], radius: 1.0 }];
    let error = doors.obstacles.within(Questions::new(&ball).sets(Sets::AGENTS), &mut Vec::new()).unwrap_err();
    assert_eq!(error.cause(), Cause::WrongValue);
}

#[test]
fn lists_that_last() {
    let error = Lasting::<2>::new(&LastingSettings::within(-1.0, 0.0)).unwrap_err();
    assert_eq!((error.cause(), error.argument()), (Cause::Negative, "settings.radius"));
    let mut lasting = Lasting::<2>::new(&LastingSettings::within(1.0, 1.0)).unwrap();
    assert_eq!(lasting.neighbours(&POSITIONS).unwrap_err().cause(), Cause::CountMismatch);
    lasting.update(&mut Crowd::with(&settings()).unwrap(), &POSITIONS).unwrap();
    let far = [[1.0, 1.0], [2.0, 1.0], [5.0, 9.0]];
    let error = lasting.neighbours(&far).unwrap_err();
    assert_eq!((error.cause(), error.index()), (Cause::OutOfRange, 2));
}

#[test]
fn executors() {
    let error = Executor::pool(65_537).unwrap_err();
    let mut executor = null_mut();
    // SAFETY: there is room for the handle.
    let theirs = unsafe { sys::throng_executor_create_kind(sys::THRONG_POOL, 65_537, &mut executor) };
    same(error.cause(), Err::<(), _>(error), theirs);
}
