//! The library through both of its doors: the crate's, and that of C.

use std::ffi::{c_void, CStr};
use std::ptr::{null, null_mut};
use throng::*;
use throng_sys as sys;

pub const POSITIONS: [[f32; 2]; 3] = [[1.0, 1.0], [2.0, 1.0], [9.0, 9.0]];

/// Both doors to the library, with the same agents behind them.
pub struct Doors {
    pub crowd: Crowd<2>,
    pub batch: Batch,
    pub obstacles: Obstacles<2>,
    pub c_crowd: *mut sys::throng_crowd,
    pub c_batch: *mut sys::throng_batch,
    pub c_obstacles: *mut sys::throng_obstacles,
}

pub fn settings() -> Settings<2> {
    Settings { bounds: Some(Aabb { lo: [0.0; 2], hi: [16.0; 2] }), cell: Some([2.0; 2]), ..Settings::default() }
}

pub fn c_settings() -> sys::throng_crowd_settings {
    sys::throng_crowd_settings {
        given: sys::THRONG_GIVEN_BOUNDS | sys::THRONG_GIVEN_CELL,
        hi: [16.0, 16.0, 0.0],
        cell: [2.0, 2.0, 0.0],
        ..sys::THRONG_CROWD_SETTINGS_INIT
    }
}

pub fn c_agents(positions: &[[f32; 2]]) -> sys::throng_agents {
    let first = positions.as_ptr().cast::<f32>();
    sys::throng_agents {
        count: positions.len(),
        position: [first.cast(), first.wrapping_add(1).cast(), null()],
        position_stride: [8, 8, 0],
        ..sys::THRONG_AGENTS_INIT
    }
}

impl Doors {
    pub fn open() -> Self {
        let mut crowd = Crowd::with(&settings()).unwrap();
        crowd.update(&POSITIONS).unwrap();
        let (mut c_crowd, mut c_batch, mut c_obstacles) = (null_mut(), null_mut(), null_mut());
        // SAFETY: all addresses are those of values that live through the calls.
        let statuses = unsafe {
            [
                sys::throng_crowd_create(&c_settings(), &mut c_crowd),
                sys::throng_crowd_update(c_crowd, &c_agents(&POSITIONS), null_mut()),
                sys::throng_batch_create(null_mut(), &mut c_batch),
                sys::throng_obstacles_create(2, &mut c_obstacles),
            ]
        };
        assert!(statuses.iter().all(|status| status.code == sys::THRONG_OK));
        let (batch, obstacles) = (Batch::new().unwrap(), Obstacles::new().unwrap());
        Doors { crowd, batch, obstacles, c_crowd, c_batch, c_obstacles }
    }
    pub fn c_update(&self, agents: &sys::throng_agents) -> sys::throng_status {
        // SAFETY: the agents' arrays live through the call.
        unsafe { sys::throng_crowd_update(self.c_crowd, agents, null_mut()) }
    }
    pub fn c_query(&self, questions: &sys::throng_questions) -> sys::throng_status {
        let mut hits = sys::THRONG_HITS_INIT;
        // SAFETY: the questions' arrays live through the call.
        unsafe { sys::throng_query(self.c_batch, self.c_crowd, questions, &mut hits) }
    }
    pub fn c_edit(&self, edit: sys::throng_edit) -> sys::throng_status {
        // SAFETY: the edit lives through the call.
        unsafe { sys::throng_crowd_edit(self.c_crowd, &edit, 1, null_mut()) }
    }
    pub fn c_nearest(&self, nearest: sys::throng_nearest) -> sys::throng_status {
        let mut hits = sys::THRONG_NEAR_HITS_INIT;
        let points = sys::throng_points { coordinates: POSITIONS[0].as_ptr(), count: 1, ..sys::THRONG_POINTS_INIT };
        // SAFETY: the point lives through the call.
        unsafe { sys::throng_find_nearest(self.c_batch, self.c_crowd, &points, &nearest, &mut hits) }
    }
    pub fn is_as_before(&self) -> bool {
        let mut near = Vec::new();
        self.crowd.nearest_one(&[1.0, 1.0], &Nearest::of(5), &mut near).unwrap();
        near.iter().map(|near| near.id).collect::<Vec<_>>() == [0, 1, 2]
    }
}

impl Drop for Doors {
    fn drop(&mut self) {
        // SAFETY: no call with them goes on.
        unsafe {
            sys::throng_batch_destroy(self.c_batch);
            sys::throng_crowd_destroy(self.c_crowd);
            sys::throng_obstacles_destroy(self.c_obstacles);
        }
    }
}

pub fn c_text(status: sys::throng_status) -> String {
    let mut text = [0; 300];
    // SAFETY: the text is as long as is said; a zero is behind the sentence.
    unsafe {
        sys::throng_status_text(status, text.as_mut_ptr(), text.len());
        CStr::from_ptr(text.as_ptr()).to_str().unwrap().to_string()
    }
}

/// Both have refused, and say the same.
pub fn same<T: std::fmt::Debug>(cause: Cause, ours: Result<T>, theirs: sys::throng_status) {
    let error = ours.expect_err("a refusal");
    assert_eq!(error.cause(), cause, "{}", error);
    assert_eq!((error.code(), error.index()), (theirs.code, theirs.index), "{}", error);
    // SAFETY: the library's words are there for ever.
    let argument = unsafe { CStr::from_ptr(theirs.argument) };
    assert_eq!(error.argument(), argument.to_str().unwrap());
    assert_eq!(error.to_string(), c_text(theirs));
    assert_eq!(format!("{:?}", error), format!("{:?}: {}", cause, error));
}

pub fn questions<T>(kind: u32, shapes: &[T]) -> sys::throng_questions {
    let first = shapes.as_ptr().cast::<c_void>();
    sys::throng_questions { shape: kind, shapes: first, count: shapes.len(), ..sys::THRONG_QUESTIONS_INIT }
}
