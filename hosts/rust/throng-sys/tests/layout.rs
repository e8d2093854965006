//! What this compiler makes of the bindings, compared with what a C compiler makes of the header.
#![cfg(all(target_pointer_width = "64", target_os = "linux"))]

use std::collections::BTreeMap;

/// A structure: its name, its size, and of each field name, place and size.
pub struct Struct(&'static str, usize, Vec<(&'static str, usize, usize)>);

macro_rules! layout {
    ($name:ident, $($field:ident),+) => {{
        let size_of_target = |_: *const $name| std::mem::size_of::<$name>();
        let place = std::mem::MaybeUninit::<$name>::uninit();
        let start = place.as_ptr();
        Struct(stringify!($name), size_of_target(start), vec![$({
            // SAFETY: an address is taken, and nothing is read.
            let field = unsafe { std::ptr::addr_of!((*start).$field) };
            (stringify!($field), field as usize - start as usize, size_at(field))
        }),+])
    }};
}

fn size_at<T>(_: *const T) -> usize {
    std::mem::size_of::<T>()
}

#[rustfmt::skip]
mod facts {
    use super::Struct;
    use super::size_at;
    include!("facts/table.rs");
}

/// The facts of one kind that the list of the library has, by name.
fn known(kind: &str) -> BTreeMap<String, String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/c/header/abi.txt");
    let text = std::fs::read_to_string(path).expect("the list of facts");
    let facts = text.lines().filter_map(|line| {
        let mut words = line.splitn(3, ' ');
        let is_wanted = words.next() == Some(kind);
        let name = words.next()?.to_string();
        is_wanted.then(|| (name, words.next().unwrap_or("").to_string()))
    });
    facts.collect()
}

#[test]
fn structures_are_those_of_c() {
    let mut sizes = BTreeMap::new();
    let mut fields = BTreeMap::new();
    for Struct(name, size, parts) in facts::structs() {
        sizes.insert(name.to_string(), size.to_string());
        for (field, place, size) in parts {
            fields.insert(format!("{name}.{field}"), format!("{place} {size}"));
        }
    }
    assert!(sizes.len() > 60, "{} structures", sizes.len());
    assert_eq!(sizes, known("struct"));
    assert_eq!(fields, known("field"));
}

#[test]
fn numbers_are_those_of_c() {
    let numbers: BTreeMap<_, _> =
        facts::numbers().into_iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    assert!(numbers.len() > 100, "{} numbers", numbers.len());
    assert_eq!(numbers, known("number"));
}

#[test]
fn all_functions_are_there() {
    let functions: Vec<_> = facts::functions().into_iter().map(|(name, _)| name.to_string()).collect();
    let known: Vec<_> = known("function").into_keys().collect();
    let mut sorted = functions.clone();
    sorted.sort();
    assert_eq!(sorted, known);
    assert!(facts::functions().iter().all(|(_, address)| !address.is_null()));
}

#[test]
fn the_library_fits() {
    // SAFETY: takes a number.
    let status = unsafe { throng_sys::throng_check_abi(throng_sys::THRONG_ABI) };
    assert_eq!(status.code, throng_sys::THRONG_OK);
    // SAFETY: the same.
    let status = unsafe { throng_sys::throng_check_abi(throng_sys::THRONG_ABI + 1) };
    assert_eq!(status.code, throng_sys::THRONG_WRONG_ABI);
}

#[test]
fn defaults_are_taken() {
    let mut crowd = std::ptr::null_mut();
    // SAFETY: both addresses are those of values that live through the calls.
    unsafe {
        let status = throng_sys::throng_crowd_create(&throng_sys::THRONG_CROWD_SETTINGS_INIT, &mut crowd);
        assert_eq!(status.code, throng_sys::THRONG_OK);
        let status = throng_sys::throng_crowd_update(crowd, &throng_sys::THRONG_AGENTS_INIT, std::ptr::null_mut());
        assert_eq!(status.code, throng_sys::THRONG_OK);
        assert_eq!(throng_sys::throng_crowd_destroy(crowd).code, throng_sys::THRONG_OK);
    }
}
