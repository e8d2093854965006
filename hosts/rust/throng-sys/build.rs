//! Links the library: the one in THRONG_LIB_DIR, or one that CMake builds, from the sources in this crate, as a registry has it,
//! or from those around this folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=THRONG_LIB_DIR");
    println!("cargo:rerun-if-changed=build.rs");
    let folder = match env::var_os("THRONG_LIB_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => build(),
    };
    println!("cargo:rustc-link-search=native={}", folder.display());
    let archive = folder.join("libthrong.a");
    if archive.exists() {
        println!("cargo:rerun-if-changed={}", archive.display());
        println!("cargo:rustc-link-lib=static=throng");
        if names_tbb(&archive) {
            println!("cargo:rustc-link-lib=dylib=tbb");
        }
        println!("cargo:rerun-if-env-changed=CXXSTDLIB");
        println!("cargo:rustc-link-lib=dylib={}", env::var("CXXSTDLIB").unwrap_or_else(|_| usual_cpp_library()));
    } else if folder.join("libthrong.so").exists() {
        println!("cargo:rustc-link-lib=dylib=throng");
    } else {
        panic!("neither libthrong.a nor libthrong.so is in {}, where THRONG_LIB_DIR says", folder.display());
    }
}

/// That of the usual compiler of the system.
fn usual_cpp_library() -> String {
    match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos" | "ios" | "freebsd") => "c++".to_string(),
        _ => "stdc++".to_string(),
    }
}

/// Whether the archive calls oneTBB. An archive does not say what it needs, but it holds the names.
fn names_tbb(archive: &Path) -> bool {
    let bytes = fs::read(archive).expect("the archive cannot be read");
    // All functions that oneTBB exports for its headers are in this namespace.
    let name: &[u8] = b"_ZN3tbb6detail2r1";
    bytes.iter().enumerate().any(|(i, &byte)| byte == b'_' && bytes[i..].starts_with(name))
}

/// Builds the core alone with CMake, in the folder that cargo gives, and returns where it is.
fn build() -> PathBuf {
    let this = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let inside = this.join("library");
    let sources = if inside.exists() { inside } else { this.join("../../..") };
    for part in ["CMakeLists.txt", "throng.h", "c", "engine", "parallel", "simd", "cmake"] {
        println!("cargo:rerun-if-changed={}", sources.join(part).display());
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap()).join("throng");
    let tbb = if env::var_os("CARGO_FEATURE_TBB").is_some() { "ON" } else { "OFF" };
    run(Command::new("cmake")
        .arg("-S")
        .arg(&sources)
        .arg("-B")
        .arg(&folder)
        // An unoptimised library would be tens of times slower, whatever the program is.
        .args(["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF"])
        .arg(format!("-DTHRONG_TBB={tbb}"))
        .args(["-DTHRONG_FAMILY=OFF", "-DTHRONG_INSTALL=OFF", "-DTHRONG_BUILD_TESTS=OFF", "-DTHRONG_BUILD_DEMO=OFF"]));
    run(Command::new("cmake")
        .arg("--build")
        .arg(&folder)
        .args(["--target", "throng_core", "--parallel"])
        .arg(env::var("NUM_JOBS").unwrap_or_else(|_| "1".to_string())));
    folder
}

fn run(command: &mut Command) {
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{command:?} ended with {status}"),
        Err(error) => panic!(
            "{command:?} did not start: {error}; without cmake, build the library yourself and set THRONG_LIB_DIR"
        ),
    }
}
