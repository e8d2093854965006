//! The Rust door of tests/refusals: what the crate says when it is asked as each row of the table says.

#[cfg(feature = "family")]
mod family;
mod obstacles;
mod questions;
mod worlds;
mod yard;

fn main() {
    let cases = worlds::CASES.iter().chain(questions::CASES).chain(obstacles::CASES);
    #[cfg(feature = "family")]
    let cases = cases.chain(family::CASES);
    for (name, call) in cases {
        let said = call().map_or_else(|error| error.to_string(), |()| "nothing is wrong".to_string());
        println!("{}\t{}", name, said);
    }
}
