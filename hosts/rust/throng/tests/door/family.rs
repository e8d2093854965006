//! The other structures.

use crate::yard::*;
use throng::family::*;
use throng::*;

/// A structure with the agents of the yard.
fn filled(structure: Structure) -> Result<Index<2>> {
    let mut index = Index::new(structure)?;
    index.update(&STANDING)?;
    Ok(index)
}

fn updated(structure: Structure) -> Result<()> {
    filled(structure)?.update(&[[1.0, 1.0], [NAN, 1.0]])
}

fn created(structure: Structure, spoil: fn(&mut IndexSettings<2>)) -> Result<()> {
    let mut settings =
        IndexSettings { bounds: Some(Aabb { lo: [0.0; 2], hi: [16.0; 2] }), ..IndexSettings::of(structure) };
    spoil(&mut settings);
    Index::with(&settings).map(drop)
}

fn low_side(y: f32) -> Option<Aabb<2>> {
    Some(Aabb { lo: [0.0, y], hi: [16.0; 2] })
}

fn edited(edit: Edit<2>) -> Result<()> {
    filled(Structure::LooseTree)?.edit(&edit)
}

pub(crate) const CASES: &[Case] = &[
    ("brute force not finite", || updated(Structure::BruteForce)),
    ("double grid not finite", || updated(Structure::DoubleGrid)),
    ("loose tree not finite", || updated(Structure::LooseTree)),
    ("nested quadtree not finite", || updated(Structure::NestedQuadtree)),
    ("tight quadtree not finite", || updated(Structure::TightQuadtree)),
    ("double grid cell zero", || created(Structure::DoubleGrid, |s| s.cell = Some([2.0, 0.0]))),
    ("nested quadtree bounds inverted", || created(Structure::NestedQuadtree, |s| s.bounds = low_side(17.0))),
    ("tight quadtree bounds not finite", || created(Structure::TightQuadtree, |s| s.bounds = low_side(NAN))),
    ("tree id taken", || edited(Edit::insert(1, [1.0; 2]))),
    ("tree erases nobody", || edited(Edit::erase(77))),
    ("tree moves to nowhere", || edited(Edit::move_to(1, [1.0, NAN]))),
    ("tree ball negative", || {
        filled(Structure::LooseTree)?.count_one(&Ball { centre: [0.0; 2], radius: -1.0 }).map(drop)
    }),
];
