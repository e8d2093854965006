//! Settings of crowds, agents, memory, files, frames, and edits of single agents.

use crate::yard::*;
use throng::*;

fn with(spoil: fn(&mut Settings<2>)) -> Result<()> {
    let mut settings = laid_out();
    spoil(&mut settings);
    Crowd::with(&settings).map(drop)
}

fn bounds(lo: [f32; 2], hi: [f32; 2]) -> Option<Aabb<2>> {
    Some(Aabb { lo, hi })
}

fn updated<'a>(agents: impl Into<Agents<'a, 2>>) -> Result<()> {
    yard()?.update(agents)
}

fn images(points: &[[f32; 2]], positions: &[[f32; 2]]) -> Result<()> {
    yard()?.images(points, positions).map(|_| ())
}

/// A file with what `spoil` has made of a crowd that was saved, loaded as one in the plane.
fn loaded(spoil: fn(&mut Vec<u8>)) -> Result<()> {
    let path = std::env::temp_dir().join(format!("refusals-rust-{}.crowd", std::process::id()));
    yard()?.save(&path)?;
    altered(&path, spoil)
}

fn altered(path: &std::path::Path, spoil: fn(&mut Vec<u8>)) -> Result<()> {
    let mut bytes = std::fs::read(path).expect("a file");
    spoil(&mut bytes);
    std::fs::write(path, bytes).expect("a file");
    let loaded = yard()?.load(path);
    std::fs::remove_file(path).expect("a file");
    loaded
}

/// One good edit, and the one that is refused.
fn edited(bad: Edit<2>) -> Result<()> {
    yard()?.edit(&[Edit::insert(7, [5.0; 2]), bad])
}

/// A published crowd of an agent moves that, and makes an edit that is refused.
fn frame_edited(bad: Edit<2>) -> Result<()> {
    let mut published = Published::<2>::new()?;
    published.update(&[[1.0, 1.0]])?;
    published.edit(&[Edit::move_to(0, [2.0; 2]), bad])
}

/// Three agents with handles, of which `spoil` makes those that are removed.
fn removed(spoil: fn(&mut Crowd<2>, &mut [AgentHandle]) -> Result<()>) -> Result<()> {
    let (mut crowd, mut handles) = named()?;
    spoil(&mut crowd, &mut handles)?;
    crowd.remove(&handles)
}

/// Three agents with these handles.
fn named() -> Result<(Crowd<2>, Vec<AgentHandle>)> {
    let mut crowd = Crowd::with(&laid_out())?;
    let handles = crowd.add(&STANDING)?;
    Ok((crowd, handles))
}

/// The same, but the second is gone.
fn without_the_second() -> Result<(Crowd<2>, Vec<AgentHandle>)> {
    let (mut crowd, handles) = named()?;
    crowd.remove(&handles[1..2])?;
    Ok((crowd, handles))
}

/// The same with all agents, but the second handle is another crowd's.
fn with_a_foreign_one() -> Result<(Crowd<2>, Vec<AgentHandle>)> {
    let (crowd, mut handles) = named()?;
    handles[1] = named()?.1[1];
    Ok((crowd, handles))
}

struct Idle;
impl JobSystem for Idle {
    fn run(&self, _: Jobs<'_>) {}
}

pub(crate) const CASES: &[Case] = &[
    ("bounds inverted", || with(|s| s.bounds = bounds([0.0, 17.0], [16.0; 2]))),
    ("bounds not finite", || with(|s| s.bounds = bounds([0.0; 2], [NAN, 16.0]))),
    ("bounds too large", || with(|s| s.bounds = bounds([0.0; 2], [TOO_LARGE, 16.0]))),
    ("cell zero", || with(|s| s.cell = Some([2.0, 0.0]))),
    ("cell negative", || with(|s| s.cell = Some([-2.0, 2.0]))),
    ("cell not finite", || with(|s| s.cell = Some([NAN, 2.0]))),
    ("cells too many", || with(|s| s.cell = Some([1e-7; 2]))),
    ("cell without bounds", || with(|s| s.bounds = None)),
    ("period without bounds", || with(|s| (s.bounds, s.cell, s.periodic) = (None, None, [true, false]))),
    ("period zero", || with(|s| (s.bounds, s.periodic) = (bounds([0.0; 2], [0.0, 16.0]), [true, false]))),
    ("origin not finite", || with(|s| s.origin = [0.0, f64::NAN])),
    ("positions not finite", || updated(&[[1.0, 1.0], [NAN, 1.0]])),
    ("positions infinite", || updated(&[[1.0, 1.0], [2.0, 1.0], [9.0, INFINITY]])),
    ("positions too large", || updated(&[[TOO_LARGE, 1.0]])),
    ("half extents negative", || updated(Agents::new(&STANDING).half_extents(&[[0.5, 0.5], [0.5, 0.5], [-0.5, 0.5]]))),
    ("half extents not finite", || updated(Agents::new(&STANDING).half_extents(&[[0.5, 0.5], [0.5, NAN], [0.5, 0.5]]))),
    ("half extents too few", || updated(Agents::new(&STANDING).half_extents(&[[0.5, 0.5]]))),
    ("common half extent negative", || updated(Agents::new(&STANDING).common_half_extent([0.0, -1.0]))),
    ("groups too few", || updated(Agents::new(&STANDING).groups(&[1, 2]))),
    ("world positions not finite", || updated(Agents::world(&[[1.0, 1.0], [f64::NAN, 1.0]]))),
    ("world positions too far", || updated(Agents::world(&[[1.0, 1.0], [1e200, 1.0]]))),
    ("statics not finite", || yard()?.set_statics(&[[1.0, 1.0], [1.0, NAN]])),
    ("reserve without cells", || Crowd::<2>::new()?.reserve(10)),
    ("reserve too many", || yard()?.reserve(0xFFFF_FFFF)),
    ("images point not finite", || images(&[[1.0, NAN]], &STANDING)),
    ("images position too large", || images(&[[1.0, 1.0]], &[[1.0, 1.0], [2e18, 1.0]])),
    ("images points too few", || images(&[[1.0, 1.0], [2.0, 1.0]], &STANDING)),
    ("frame not finite", || Published::<2>::new()?.update(&[[NAN, 1.0]])),
    ("frame edit unknown", || frame_edited(Edit::move_to(5, [2.0; 2]))),
    ("frame edit not finite", || frame_edited(Edit::move_to(0, [1.0, NAN]))),
    ("change not finite", || {
        Change::new()?.update(&mut yard()?, &[[1.0, 1.0], [NAN, 1.0]], 1, |step| {
            let _ = step.run(0..step.blocks());
        })
    }),
    ("memory over the cap", || {
        let memory = Memory::capped(50_000)?;
        let settings = Settings { memory: Some(memory), ..Settings::default() };
        Crowd::<2>::with(&settings)?.update(&vec![[1.0, 2.0]; 10_000])
    }),
    ("executor idle", || {
        let executor = Some(Executor::job_system(Idle)?);
        Crowd::<2>::with(&Settings { executor, ..laid_out() })?.update(&STANDING)
    }),
    ("order twice", || reorder(&[0, 0], &mut [1, 2], None)),
    ("order too short", || reorder(&[1, 0], &mut [1, 2, 3], None)),
    ("file missing", || yard()?.load("refusals_rust.no_such_file")),
    ("file no index", || {
        loaded(|bytes| {
            let letter = b"a letter, and no crowd at all, which is long enough to be looked at";
            bytes.iter_mut().zip(letter.iter().cycle()).for_each(|(byte, other)| *byte = *other);
        })
    }),
    ("file of space", || {
        let path = std::env::temp_dir().join(format!("refusals-rust-{}.space", std::process::id()));
        Crowd::<3>::new()?.save(&path)?;
        altered(&path, |_| ())
    }),
    ("file cut off", || loaded(|bytes| bytes.truncate(bytes.len() - 5))),
    ("file altered", || loaded(|bytes| *bytes.last_mut().expect("bytes") ^= 1)),
    ("edit id taken", || edited(Edit::insert(1, [1.0; 2]))),
    ("edit id taken before", || edited(Edit::insert(7, [1.0; 2]))),
    ("edit erases nobody", || edited(Edit::erase(77))),
    ("edit moves nobody", || edited(Edit::move_to(77, [1.0; 2]))),
    ("edit not finite", || edited(Edit::move_to(0, [1.0, NAN]))),
    ("edit id too large", || edited(Edit::insert(FIRST_STATIC - 1, [1.0; 2]))),
    ("edit groups not kept", || edited(Edit::insert(5, [1.0; 2]).groups(3))),
    ("edit groups missing", || {
        let mut crowd = Crowd::with(&Settings { keeps_groups: true, ..laid_out() })?;
        crowd.edit(&[Edit::insert(7, [5.0; 2]).groups(3), Edit::insert(5, [1.0; 2])])
    }),
    ("edit half extent negative", || {
        let mut crowd = Crowd::with(&Settings { keeps_half_extents: true, ..laid_out() })?;
        let good = Edit::insert(7, [5.0; 2]).half_extent([0.5; 2]);
        crowd.edit(&[good, Edit::insert(5, [1.0; 2]).half_extent([0.5, -0.5])])
    }),
    ("name twice", || yard()?.update_ids(&STANDING, &[0, 1, 1])),
    ("names too few", || yard()?.update_ids(&STANDING, &[0, 1])),
    ("name too large", || yard()?.update_ids(&STANDING, &[0, FIRST_STATIC, 1])),
    ("name of nobody", || yard()?.move_ids(&[0, 77, 1], &STANDING)),
    ("name positions not finite", || yard()?.update_ids(&[[1.0, 1.0], [NAN, 1.0]], &[0, 1])),
    ("names moved not finite", || yard()?.move_ids(&[0, 1], &[[1.0, 1.0], [NAN, 1.0]])),
    ("names moved too few", || yard()?.move_ids(&[0, 1], &STANDING)),
    ("handle updated stale", || {
        let (mut crowd, handles) = without_the_second()?;
        crowd.update_handles(&STANDING[..2], &handles[..2])
    }),
    ("handle updated foreign", || {
        let (mut crowd, handles) = with_a_foreign_one()?;
        crowd.update_handles(&STANDING, &handles)
    }),
    ("handle moved stale", || {
        let (mut crowd, handles) = without_the_second()?;
        crowd.move_to(&handles, &STANDING)
    }),
    ("handle moved foreign", || {
        let (mut crowd, handles) = with_a_foreign_one()?;
        crowd.move_to(&handles, &STANDING)
    }),
    ("handle moved not finite", || {
        let (mut crowd, handles) = named()?;
        crowd.move_to(&handles[..2], &[[1.0, 1.0], [NAN, 1.0]])
    }),
    ("handle named twice", || {
        let (mut crowd, mut handles) = named()?;
        handles[2] = handles[0];
        crowd.update_handles(&STANDING, &handles)
    }),
    ("handles too few", || {
        let (mut crowd, handles) = named()?;
        crowd.update_handles(&STANDING[..2], &handles[..2])
    }),
    ("handle stale", || removed(|crowd, handles| crowd.remove(&handles[1..2]))),
    ("handle twice", || {
        removed(|_, handles| {
            handles[2] = handles[0];
            Ok(())
        })
    }),
    ("handle foreign", || {
        removed(|_, handles| {
            handles[1] = named()?.1[1];
            Ok(())
        })
    }),
    ("handle where ids are", || yard()?.remove(&named()?.1)),
    ("handle moved where ids are", || yard()?.move_to(&named()?.1, &STANDING)),
    ("keys too few", || {
        let (mut crowd, handles) = named()?;
        crowd.set_keys(&handles, &[1, 2])
    }),
    ("keys added too few", || {
        let mut crowd = named()?.0;
        crowd.add_keyed(&STANDING, &[1, 2]).map(drop)
    }),
    ("key of an agent that is gone", || {
        let (mut crowd, handles) = named()?;
        crowd.remove(&handles[1..2])?;
        crowd.set_keys(&handles, &[1, 2, 3])
    }),
    ("added where ids are", || yard()?.add(&[[5.0; 2]]).map(drop)),
    ("id where handles are", || named()?.0.edit(&[Edit::erase(0)])),
    ("id inserted where handles are", || named()?.0.edit(&[Edit::insert(7, [5.0; 2])])),
    ("id moved where handles are", || named()?.0.edit(&[Edit::move_to(0, [5.0; 2])])),
    ("id moved in doubles where handles are", || named()?.0.edit_world(&[WorldEdit::move_to(0, [5.0; 2])])),
    ("id in steps where handles are", || {
        Change::new()?.edit(&mut named()?.0, &[Edit::erase(0)], |step| {
            let _ = step.run(0..step.blocks());
        })
    }),
    ("slots too few", || named()?.0.update(&STANDING[..2])),
    ("added not finite", || Crowd::with(&laid_out())?.add(&[[1.0, 1.0], [NAN, 1.0]]).map(drop)),
];
