// Made by generate.py from tests/c/abi_family.txt. Do not edit.

use super::*;
use std::ffi::c_void;

/// What a handle names; never looked at.
#[repr(C)] pub struct throng_index { _private: [u8; 0] }

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_index_settings {
    pub struct_size: usize, pub structure: u32, pub dimension: u32, pub given: u32, pub lo: [f32; 3],
    pub hi: [f32; 3], pub cell: [f32; 3], pub kept: u32, pub common_half_extent: [f32; 3],
}

#[repr(C)] #[derive(Clone, Copy, Debug)]
pub struct throng_index_counts {
    pub struct_size: usize, pub structure: u32, pub dimension: u32, pub agents: u64, pub index_bytes: u64,
    pub staging_bytes: u64,
}

pub const THRONG_BRUTE_FORCE: u32 = 1;
pub const THRONG_DOUBLE_GRID: u32 = 2;
pub const THRONG_LOOSE_TREE: u32 = 3;
pub const THRONG_NESTED_QUADTREE: u32 = 4;
pub const THRONG_TIGHT_QUADTREE: u32 = 5;

pub const THRONG_INDEX_SETTINGS_INIT: throng_index_settings = throng_index_settings { struct_size: std::mem::size_of::<throng_index_settings>(), structure: THRONG_LOOSE_TREE, dimension: 2, given: 0, lo: [0.0, 0.0, 0.0], hi: [0.0, 0.0, 0.0], cell: [0.0, 0.0, 0.0], kept: 0, common_half_extent: [0.0, 0.0, 0.0] };
pub const THRONG_INDEX_COUNTS_INIT: throng_index_counts = throng_index_counts { struct_size: std::mem::size_of::<throng_index_counts>(), structure: 0, dimension: 0, agents: 0, index_bytes: 0, staging_bytes: 0 };

extern "C" {
    pub fn throng_index_create(settings: *const throng_index_settings, out: *mut *mut throng_index) -> throng_status;
    pub fn throng_index_destroy(index: *mut throng_index) -> throng_status;
    pub fn throng_index_update(index: *mut throng_index, agents: *const throng_agents, executor: *mut throng_executor) -> throng_status;
    pub fn throng_index_edit(index: *mut throng_index, edit: *const throng_edit) -> throng_status;
    pub fn throng_index_tidy(index: *mut throng_index) -> throng_status;
    pub fn throng_index_clear(index: *mut throng_index) -> throng_status;
    pub fn throng_index_count(index: *const throng_index, out: *mut throng_index_counts) -> throng_status;
    pub fn throng_index_contains(index: *const throng_index, id: u32, found: *mut u32) -> throng_status;
    pub fn throng_index_query(index: *const throng_index, questions: *const throng_questions, out: *mut throng_hits_room) -> throng_status;
    pub fn throng_index_query_one(index: *const throng_index, question: *const throng_questions, ids: *mut u32, room: usize, total: *mut u64) -> throng_status;
    pub fn throng_index_count_one(index: *const throng_index, question: *const throng_questions, total: *mut u64) -> throng_status;
    pub fn throng_index_any_one(index: *const throng_index, question: *const throng_questions, found: *mut u32) -> throng_status;
    pub fn throng_index_visit_one(index: *const throng_index, question: *const throng_questions, visitor: throng_visitor, user: *mut c_void, visited: *mut u64) -> throng_status;
    pub fn throng_index_visit_pairs(index: *const throng_index, groups: u32, visitor: throng_pair_visitor, user: *mut c_void, visited: *mut u64) -> throng_status;
    pub fn throng_index_find_pairs(index: *const throng_index, groups: u32, out: *mut throng_pairs_room) -> throng_status;
    pub fn throng_index_cells(index: *const throng_index, cells: *mut throng_cell, room: usize, total: *mut u64) -> throng_status;
}
