//! Cells to draw, and positions in doubles.

mod common;

use common::truth::Case;
use common::*;
use throng::*;

const CELL: f32 = 2.0;

/// The low corner of the cell that a place belongs to; those outside belong to the outermost.
fn corner<const N: usize>(at: &[f32; N]) -> [f32; N] {
    at.map(|x| (x / CELL).floor().clamp(0.0, world(N) as f32 / CELL - 1.0) * CELL)
}

fn cells<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let scene = Scene::<N>::new(seed);
    let cells = scene.crowd().cells().unwrap();
    let (small, nodes): (Vec<&Cell<N>>, Vec<&Cell<N>>) = cells.iter().partition(|cell| cell.set == Sets::SMALL);
    // Cells come first.
    assert!(cells[..small.len()].iter().all(|cell| cell.set == Sets::SMALL));
    for cell in &small {
        let inside = scene.agents.iter().filter(|agent| !agent.is_giant && corner(&agent.at) == cell.bounds.lo);
        assert_eq!((cell.agents as usize, cell.depth), (inside.count(), 0));
        assert_eq!(cell.bounds.hi, cell.bounds.lo.map(|lo| lo + CELL));
    }
    let mut corners: Vec<_> = small.iter().map(|cell| cell.bounds.lo.map(|lo| lo as i32)).collect();
    corners.sort_unstable();
    corners.dedup();
    assert_eq!(corners.len(), small.len());
    let giants = scene.agents.iter().filter(|agent| agent.is_giant).count();
    let sum = |cells: &[&Cell<N>]| cells.iter().map(|cell| cell.agents as usize).sum::<usize>();
    assert_eq!((sum(&small), sum(&nodes)), (scene.agents.len() - giants, giants));
    assert!(nodes.iter().all(|node| node.set == Sets::GIANTS));
    assert_eq!(nodes[0].depth, 0);
    assert!(nodes.windows(2).all(|pair| pair[0].depth <= pair[1].depth));
}

#[test]
fn cells_have_the_agents_that_are_in_them() {
    cells::<2>(81);
    cells::<3>(82);
    assert_eq!(Crowd::<2>::new().unwrap().cells().unwrap(), []);
}

/// Where floats have steps of 64.
fn origin<const N: usize>() -> [f64; N] {
    std::array::from_fn(|a| [1e9, -1e9, 5e8][a])
}

fn far<const N: usize>(at: &[f32; N]) -> [f64; N] {
    std::array::from_fn(|a| origin::<N>()[a] + f64::from(at[a]))
}

/// Edits in doubles make what the same edits near the origin make in floats.
fn edits<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let settings = Settings { keeps_half_extents: true, keeps_groups: true, ..Scene::<N>::settings() };
    let mut crowd = Crowd::with(&Settings { origin: origin(), ..settings }).unwrap();
    let mut scene = Scene::<N>::new(seed);
    let mut draw = Draw(seed);
    let insert =
        |agent: &Member<N>| WorldEdit::insert(agent.id, far(&agent.at)).half_extent(agent.half).groups(agent.groups);
    crowd.edit_world(&scene.agents.iter().map(insert).collect::<Vec<_>>()).unwrap();
    let mut more = Vec::new();
    scene.agents.retain_mut(|agent| {
        match agent.id % 3 {
            0 => more.push(WorldEdit::erase(agent.id)),
            1 => {
                agent.at = draw.place();
                more.push(WorldEdit::move_to(agent.id, far(&agent.at)));
            }
            _ => (),
        }
        agent.id % 3 != 0
    });
    crowd.edit_world(&more).unwrap();
    let bad = [WorldEdit::erase(1), WorldEdit::move_to(2, [f64::NAN; N])];
    let error = crowd.edit_world(&bad).unwrap_err();
    assert_eq!((error.cause(), error.index()), (Cause::NotFinite, 1));
    let mut found = Vec::new();
    for _ in 0..60 {
        let mut ball = <Ball<N> as Case<N>>::draw(&mut draw);
        let truth: Vec<u32> = scene.agents.iter().filter(|agent| ball.finds(agent)).map(|agent| agent.id).collect();
        let local = crowd.to_local(&[far(&ball.centre)]).unwrap();
        assert_eq!(local, [ball.centre]);
        assert_eq!(crowd.to_world(&local).unwrap(), [far(&ball.centre)]);
        ball.centre = local[0];
        crowd.query_one(&ball, &mut found).unwrap();
        assert_eq!(sorted(&found), truth);
    }
}

in_both! { [83]; edits_in_doubles: edits; }

#[test]
fn points_are_rounded_once() {
    let crowd = Crowd::with(&Settings { origin: [1e9, 0.0], ..Settings::default() }).unwrap();
    let world = [[1e9 + 0.1, 0.1], [-1e9, 1e300]];
    let local = crowd.to_local(&world).unwrap();
    assert_eq!(local[0], [(1e9f64 + 0.1 - 1e9) as f32, 0.1]);
    assert_eq!(local[1][0], -2e9);
    assert_eq!(crowd.to_world(&local[..1]).unwrap(), [[1e9 + f64::from(local[0][0]), f64::from(0.1f32)]]);
    // Too far away for floats.
    let error = crowd.count_one(&Ball { centre: local[1], radius: 1.0 }).unwrap_err();
    assert!([Cause::NotFinite, Cause::TooLarge].contains(&error.cause()));
    assert!(crowd.to_local(&[]).unwrap().is_empty());
}
