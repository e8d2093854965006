// Made by generate.py from tests/c/header/abi.txt. Do not edit.

use std::ffi::c_void;
use std::os::raw::c_char;

/// What a handle names; never looked at.
#[repr(C)] pub struct throng_memory { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_executor { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_crowd { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_change { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_batch { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_contacts { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_lasting { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_obstacles { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_published { _private: [u8; 0] }
/// What a handle names; never looked at.
#[repr(C)] pub struct throng_snapshot { _private: [u8; 0] }
pub type throng_job = Option<unsafe extern "C" fn(begin: usize, end: usize, context: *mut c_void)>;
pub type throng_visitor = Option<unsafe extern "C" fn(ids: *const u32, count: usize, user: *mut c_void) -> i32>;
pub type throng_pair_visitor = Option<unsafe extern "C" fn(first: *const u32, second: *const u32, count: usize, user: *mut c_void) -> i32>;
pub type throng_neighbour_visitor = Option<unsafe extern "C" fn(agent: u32, neighbours: *const u32, count: usize, user: *mut c_void)>;

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_status { pub code: i32, pub reserved: u32, pub argument: *const c_char, pub index: u64, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_box2 { pub lo: [f32; 2], pub hi: [f32; 2], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_box3 { pub lo: [f32; 3], pub hi: [f32; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_ball2 { pub centre: [f32; 2], pub radius: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_ball3 { pub centre: [f32; 3], pub radius: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_segment2 { pub from: [f32; 2], pub to: [f32; 2], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_segment3 { pub from: [f32; 3], pub to: [f32; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_ray2 { pub origin: [f32; 2], pub direction: [f32; 2], pub length: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_ray3 { pub origin: [f32; 3], pub direction: [f32; 3], pub length: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_capsule2 { pub from: [f32; 2], pub to: [f32; 2], pub radius: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_capsule3 { pub from: [f32; 3], pub to: [f32; 3], pub radius: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_sector2 { pub centre: [f32; 2], pub radius: f32, pub direction: [f32; 2], pub cosine: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_sector3 { pub centre: [f32; 3], pub radius: f32, pub direction: [f32; 3], pub cosine: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_side2 { pub normal: [f32; 2], pub offset: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_side3 { pub normal: [f32; 3], pub offset: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_convex2 { pub sides: [throng_side2; 8], pub count: usize, pub bounds: throng_box2, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_convex3 { pub sides: [throng_side3; 8], pub count: usize, pub bounds: throng_box3, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_oriented_box2 { pub centre: [f32; 2], pub half_edges: [[f32; 2]; 2], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_oriented_box3 { pub centre: [f32; 3], pub half_edges: [[f32; 3]; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_cylinder2 { pub centre: [f32; 2], pub radius: f32, pub low: f32, pub high: f32, pub up: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_cylinder3 { pub centre: [f32; 3], pub radius: f32, pub low: f32, pub high: f32, pub up: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_body_ball2 { pub centre: [f32; 2], pub radius: f32, pub body: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_body_ball3 { pub centre: [f32; 3], pub radius: f32, pub body: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_body_sector2 { pub centre: [f32; 2], pub radius: f32, pub direction: [f32; 2], pub cosine: f32, pub body: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_body_sector3 { pub centre: [f32; 3], pub radius: f32, pub direction: [f32; 3], pub cosine: f32, pub body: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_body_cylinder2 { pub centre: [f32; 2], pub radius: f32, pub low: f32, pub high: f32, pub up: u32, pub body: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_body_cylinder3 { pub centre: [f32; 3], pub radius: f32, pub low: f32, pub high: f32, pub up: u32, pub body: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_memory_settings {
    pub struct_size: usize,
    pub allocate: Option<unsafe extern "C" fn(bytes: usize, alignment: usize, user: *mut c_void) -> *mut c_void>,
    pub deallocate: Option<unsafe extern "C" fn(memory: *mut c_void, bytes: usize, alignment: usize, user: *mut c_void)>,
    pub user: *mut c_void, pub cap: u64,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_memory_counts { pub struct_size: usize, pub used: u64, pub peak: u64, pub refused: u64, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_executor_callbacks {
    pub struct_size: usize,
    pub enqueue: Option<unsafe extern "C" fn(job: throng_job, count: usize, context: *mut c_void, user: *mut c_void) -> *mut c_void>,
    pub finish: Option<unsafe extern "C" fn(task: *mut c_void, user: *mut c_void)>, pub user: *mut c_void,
    pub threads: usize,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_executor_facts { pub struct_size: usize, pub kind: u32, pub reserved: u32, pub threads: usize, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_crowd_settings {
    pub struct_size: usize, pub dimension: u32, pub given: u32, pub lo: [f32; 3], pub hi: [f32; 3],
    pub cell: [f32; 3], pub periodic: u32, pub origin: [f64; 3], pub memory: *mut throng_memory, pub kept: u32,
    pub common_half_extent: [f32; 3],
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_agents {
    pub struct_size: usize, pub dimension: u32, pub doubles: u32, pub count: usize,
    pub position: [*const c_void; 3], pub position_stride: [isize; 3], pub half_extent: [*const f32; 3],
    pub half_extent_stride: [isize; 3], pub common_half_extent: [f32; 3], pub reserved: u32,
    pub groups: *const u32, pub groups_stride: isize,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_edit { pub kind: u32, pub id: u32, pub position: [f32; 3], pub kept: u32, pub half_extent: [f32; 3], pub groups: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_world_edit {
    pub kind: u32, pub id: u32, pub position: [f64; 3], pub kept: u32, pub half_extent: [f32; 3], pub groups: u32,
    pub reserved: u32,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_crowd_counts {
    pub struct_size: usize, pub dimension: u32, pub cells: [u32; 3], pub agents: u64, pub giants: u64,
    pub statics: u64, pub id_bound: u64, pub index_bytes: u64, pub staging_bytes: u64, pub slot_bound: u64,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_cell { pub lo: [f32; 3], pub hi: [f32; 3], pub set: u32, pub depth: u32, pub agents: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_array { pub data: *mut c_void, pub bytes: usize, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_agent_handle { pub slot: u32, pub generation: u32, pub owner: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_loop { pub struct_size: usize, pub blocks: usize, pub threads_worth: usize, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_filter { pub groups: u32, pub without: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_questions {
    pub struct_size: usize, pub shape: u32, pub sets: u32, pub shapes: *const c_void, pub count: usize,
    pub filters: *const throng_filter, pub filter_count: usize,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_hits { pub struct_size: usize, pub offsets: *const u64, pub ids: *const u32, pub count: u64, pub total: u64, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_hits_room {
    pub struct_size: usize, pub offsets: *mut u64, pub offset_room: usize, pub ids: *mut u32, pub id_room: usize,
    pub total: u64,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_meeting { pub time: f32, pub id: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_neighbourhood {
    pub struct_size: usize, pub radius: f32, pub groups: u32, pub sets: u32, pub order: u32, pub with_self: u32,
    pub later_only: u32, pub body: u32, pub reserved: u32,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_pairing {
    pub struct_size: usize, pub sets: u32, pub groups: u32, pub within: f32, pub reserved: u32, pub body: u32,
    pub reserved_too: u32,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_pairs { pub struct_size: usize, pub first: *const u32, pub second: *const u32, pub total: u64, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_pairs_room { pub struct_size: usize, pub first: *mut u32, pub second: *mut u32, pub room: usize, pub total: u64, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_contact { pub first: u32, pub second: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_contact_frame {
    pub struct_size: usize, pub pairs: *const throng_contact, pub previous: *const u32, pub pair_count: u64,
    pub began: *const u32, pub began_count: u64, pub ended: *const throng_contact, pub ended_previous: *const u32,
    pub ended_count: u64,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_lasting_settings {
    pub struct_size: usize, pub radius: f32, pub skin: f32, pub groups: u32, pub sets: u32, pub with_self: u32,
    pub later_only: u32,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_lasting_frame {
    pub struct_size: usize, pub order: *const u32, pub offsets: *const u64, pub candidates: *const u32,
    pub count: u64, pub made: u64, pub lasted: u64, pub moved: f32, pub reserved: u32,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_near { pub distance2: f32, pub id: u32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_height_band { pub up: u32, pub below: f32, pub above: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_nearest {
    pub struct_size: usize, pub k: u32, pub radius: f32, pub sets: u32, pub groups: u32, pub without: u32,
    pub order: u32, pub with_self: u32, pub reserved: u32, pub least: f32, pub band: throng_height_band,
    pub after: throng_near, pub body: u32, pub reserved_too: u32,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_near_hits {
    pub struct_size: usize, pub nearest: *const throng_near, pub counts: *const u32, pub count: u64, pub k: u32,
    pub reserved: u32,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_near_room {
    pub struct_size: usize, pub nearest: *mut throng_near, pub near_room: usize, pub counts: *mut u32,
    pub count_room: usize, pub total: u64,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_points { pub struct_size: usize, pub dimension: u32, pub reserved: u32, pub coordinates: *const f32, pub count: usize, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_query_costs {
    pub struct_size: usize, pub path: *const c_char, pub rows: u64, pub tested: u64, pub copied: u64,
    pub small_agents: u64, pub giants: u64, pub statics: u64, pub predicted_nanoseconds: f64,
    pub reason: *const c_char, pub predicted_rows: f64, pub predicted_tiles: f64, pub predicted_all: f64,
    pub large_first: u32, pub reserved: u32,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_wall { pub from: [f32; 2], pub to: [f32; 2], pub thickness: f32, }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_triangle { pub corners: [[f32; 3]; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_moving_box2 { pub shape: throng_box2, pub way: [f32; 2], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_moving_box3 { pub shape: throng_box3, pub way: [f32; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_moving_oriented_box2 { pub shape: throng_oriented_box2, pub way: [f32; 2], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_moving_oriented_box3 { pub shape: throng_oriented_box3, pub way: [f32; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_moving_capsule2 { pub shape: throng_capsule2, pub way: [f32; 2], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_moving_capsule3 { pub shape: throng_capsule3, pub way: [f32; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_obstacle_arrays {
    pub struct_size: usize, pub dimension: u32, pub reserved: u32, pub boxes: *const c_void,
    pub box_stride: isize, pub box_count: usize, pub turned_boxes: *const c_void, pub turned_box_stride: isize,
    pub turned_box_count: usize, pub walls: *const c_void, pub wall_stride: isize, pub wall_count: usize,
    pub triangles: *const c_void, pub triangle_stride: isize, pub triangle_count: usize, pub groups: *const u32,
    pub groups_stride: isize,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_obstacle_counts {
    pub struct_size: usize, pub dimension: u32, pub reserved: u32, pub obstacles: u64, pub index_bytes: u64,
    pub staging_bytes: u64,
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_obstacle_near2 { pub id: u32, pub distance: f32, pub point: [f32; 2], pub normal: [f32; 2], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_obstacle_near3 { pub id: u32, pub distance: f32, pub point: [f32; 3], pub normal: [f32; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_obstacle_hit2 { pub id: u32, pub time: f32, pub point: [f32; 2], pub normal: [f32; 2], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_obstacle_hit3 { pub id: u32, pub time: f32, pub point: [f32; 3], pub normal: [f32; 3], }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_obstacle_search { pub struct_size: usize, pub within: f32, pub groups: u32, pub without: u32, pub reserved: u32, }
