//! The Rust door of tests/refusals: what the crate says when it is asked as each row of the table says.

mod obstacles;
mod questions;
mod worlds;
mod yard;

fn main() {
    for (name, call) in worlds::CASES.iter().chain(questions::CASES).chain(obstacles::CASES) {
        let said = call().map_or_else(|error| error.to_string(), |()| "nothing is wrong".to_string());
        println!("{}\t{}", name, said);
    }
}
