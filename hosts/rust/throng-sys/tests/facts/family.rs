// Made by generate.py from tests/c/abi_family.txt. Do not edit.

use throng_sys::*;

/// Name, size, and the place and size of each field, as this compiler has them.
pub fn structs() -> Vec<Struct> {
    vec![
        layout!(throng_index_settings, struct_size, structure, dimension, given, lo, hi, cell, kept, common_half_extent),
        layout!(throng_index_counts, struct_size, structure, dimension, agents, index_bytes, staging_bytes),
    ]
}

pub fn numbers() -> Vec<(&'static str, i64)> {
    vec![
        ("THRONG_BRUTE_FORCE", i64::from(THRONG_BRUTE_FORCE)),
        ("THRONG_DOUBLE_GRID", i64::from(THRONG_DOUBLE_GRID)),
        ("THRONG_LOOSE_TREE", i64::from(THRONG_LOOSE_TREE)),
        ("THRONG_NESTED_QUADTREE", i64::from(THRONG_NESTED_QUADTREE)),
        ("THRONG_TIGHT_QUADTREE", i64::from(THRONG_TIGHT_QUADTREE)),
    ]
}

/// Their addresses: a program with a name that the library lacks is not linked.
pub fn functions() -> Vec<(&'static str, *const ())> {
    vec![
        ("throng_index_create", throng_index_create as *const ()),
        ("throng_index_destroy", throng_index_destroy as *const ()),
        ("throng_index_update", throng_index_update as *const ()),
        ("throng_index_edit", throng_index_edit as *const ()),
        ("throng_index_tidy", throng_index_tidy as *const ()),
        ("throng_index_clear", throng_index_clear as *const ()),
        ("throng_index_count", throng_index_count as *const ()),
        ("throng_index_contains", throng_index_contains as *const ()),
        ("throng_index_query", throng_index_query as *const ()),
        ("throng_index_query_one", throng_index_query_one as *const ()),
        ("throng_index_count_one", throng_index_count_one as *const ()),
        ("throng_index_any_one", throng_index_any_one as *const ()),
        ("throng_index_visit_one", throng_index_visit_one as *const ()),
        ("throng_index_visit_pairs", throng_index_visit_pairs as *const ()),
        ("throng_index_find_pairs", throng_index_find_pairs as *const ()),
        ("throng_index_cells", throng_index_cells as *const ()),
    ]
}
