// The door of JavaScript to the table in tests/refusals: what the module says when it is asked as each row says.
// THRONG_PACKAGE is the folder of the package.
import { pathToFileURL } from 'node:url';

const { EditKind, firstStatic, Kept, load, noId, ThrongError } =
    await import(pathToFileURL(`${process.env.THRONG_PACKAGE}/throng.mjs`));
const throng = await load();

const tooLarge = 2e18;
const places = [1, 1, 2, 1, 9, 9];
const zero = [0, 0];
const balls = [{ centre: [1, 1], radius: 1 }, { centre: [9, 9], radius: 1 }, { centre: [5, 5], radius: 1 }];
const { insert, erase, move } = EditKind;

const settings = { lo: [0, 0], hi: [16, 16], cell: [2, 2] };
const configured = (changes = {}) => throng.crowd({ ...settings, ...changes });
function yard(changes) {
    const crowd = configured(changes);
    crowd.update(places);
    return crowd;
}
/** Two shapes, of which the second differs from the first in these, and is refused. */
const asked = (kind, shape, changes) => yard().query(kind, [shape, { ...shape, ...changes }]);
const ball = changes => asked('ball', { centre: zero, radius: 1 }, changes);
const box = changes => asked('box', { lo: zero, hi: [1, 1] }, changes);
const ray = changes => asked('ray', { origin: zero, direction: [1, 0], length: 1 }, changes);
const sector = changes => asked('sector', { centre: zero, radius: 1, direction: [1, 0], cosine: 0 }, changes);
const cylinder = changes => asked('cylinder', { centre: zero, radius: 1, low: 0, high: 1, up: 1 }, changes);
const bodyBall = changes => asked('bodyBall', { centre: zero, radius: 1, body: 1 }, changes);
const side = { normal: [1, 0], offset: 1 };
const convex = sides => asked('convex', { sides: [side], bounds: { lo: zero, hi: [1, 1] } }, { sides });
/** A good edit, and one that is refused. */
const edited = (edit, crowd = yard(), good = { kind: insert, id: 7, position: [5, 5] }) => crowd.edit([good, edit]);
const nearest = (options, points = places) => yard().nearest(points, options);

/** Lists with a radius and a skin of 1 for the agents of the yard, and then of these. */
function listed(moved) {
    const lists = throng.lasting({ radius: 1, skin: 1 });
    lists.update(yard(), places);
    lists.neighbours(moved);
}

function named() {
    const crowd = configured();
    return [crowd, crowd.add(places)];
}
function removed(change) {
    const [crowd, handles] = named();
    change(handles, crowd);
    crowd.remove(handles);
}

const boxes = [{ lo: [3, 3], hi: [4, 4] }, { lo: [6, 6], hi: [7, 7] }];
function obstacles() {
    const some = throng.obstacles();
    some.set({ boxes });
    return some;
}
const inSight = (radius, crowd = yard()) => crowd.neighbours({ radius, past: obstacles() });
const flat = [0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1];
const half = [0.5, 0.5];

const cases = {
    'bounds inverted': () => configured({ lo: [0, 17] }),
    'bounds not finite': () => configured({ hi: [NaN, 16] }),
    'bounds too large': () => configured({ hi: [tooLarge, 16] }),
    'cell zero': () => configured({ cell: [2, 0] }),
    'cell negative': () => configured({ cell: [-2, 2] }),
    'cell not finite': () => configured({ cell: [NaN, 2] }),
    'cells too many': () => configured({ cell: [1e-7, 1e-7] }),
    'cell without bounds': () => throng.crowd({ cell: [2, 2] }),
    'period without bounds': () => throng.crowd({ periodic: [true, false] }),
    'period zero': () => configured({ hi: [0, 16], periodic: [true, false] }),
    'origin not finite': () => configured({ origin: [0, NaN] }),
    'positions not finite': () => yard().update([1, 1, NaN, 1]),
    'positions infinite': () => yard().update([1, 1, 2, 1, 9, Infinity]),
    'positions too large': () => yard().update([tooLarge, 1]),
    'half extents negative': () => yard().update(places, { halfExtents: [...half, ...half, -0.5, 0.5] }),
    'half extents not finite': () => yard().update(places, { halfExtents: [...half, 0.5, NaN, ...half] }),
    'half extents too few': () => yard().update(places, { halfExtents: half }),
    'common half extent negative': () => yard().update(places, { commonHalfExtent: [0, -1] }),
    'groups too few': () => yard().update(places, { groups: [1, 2] }),
    'world positions not finite': () => yard({ origin: zero }).update(Float64Array.of(1, 1, NaN, 1)),
    'world positions too far': () => yard({ origin: zero }).update(Float64Array.of(1, 1, 1e200, 1)),
    'statics not finite': () => yard().setStatics([1, 1, 1, NaN]),
    'reserve without cells': () => throng.crowd().reserve(10),
    'reserve too many': () => yard().reserve(0xFFFFFFFF),
    'images point not finite': () => yard().images([1, NaN], places),
    'images position too large': () => yard().images([1, 1], [1, 1, 2e18, 1]),
    'images points too few': () => yard().images([1, 1, 2, 1], places),

    'memory over the cap': () => throng.crowd({ memoryCap: 50_000 }).update(Array(20_000).fill(1)),

    'edit id taken': () => edited({ kind: insert, id: 1, position: [1, 1] }),
    'edit id taken before': () => edited({ kind: insert, id: 7, position: [1, 1] }),
    'edit erases nobody': () => edited({ kind: erase, id: 77 }),
    'edit moves nobody': () => edited({ kind: move, id: 77, position: [1, 1] }),
    'edit not finite': () => edited({ kind: move, id: 0, position: [1, NaN] }),
    'edit id too large': () => edited({ kind: insert, id: firstStatic - 1, position: [1, 1] }),
    'edit groups not kept': () => edited({ kind: insert, id: 5, position: [1, 1], groups: 3 }),
    'edit groups missing': () => edited({ kind: insert, id: 5, position: [1, 1] },
        configured({ kept: Kept.groups }), { kind: insert, id: 7, position: [5, 5], groups: 1 }),
    'edit half extent negative': () => edited({ kind: insert, id: 5, position: [1, 1], halfExtent: [0.5, -0.5] },
        configured({ kept: Kept.halfExtents }), { kind: insert, id: 7, position: [5, 5], halfExtent: half }),
    'handle stale': () => removed((handles, crowd) => crowd.remove(handles.subarray(3, 6))),
    'handle twice': () => removed(handles => handles.copyWithin(6, 0, 3)),
    'handle foreign': () => removed(handles => handles.set(named()[1].subarray(3, 6), 3)),
    'handle where ids are': () => yard().remove(named()[1]),
    'handle moved where ids are': () => yard().moveAll(named()[1], places),
    'handle moved stale': () => {
        const [crowd, handles] = named();
        crowd.remove(handles.subarray(3, 6));
        crowd.moveAll(handles, places);
    },
    'handle moved foreign': () => {
        const [crowd, handles] = named();
        handles.set(named()[1].subarray(3, 6), 3);
        crowd.moveAll(handles, places);
    },
    'handle moved not finite': () => {
        const [crowd, handles] = named();
        crowd.moveAll(handles.subarray(0, 6), [1, 1, NaN, 1]);
    },
    'added where ids are': () => yard().add([5, 5]),
    'id where handles are': () => named()[0].edit([{ kind: erase, id: 0 }]),
    'id erased where handles are': () => named()[0].erase(0),
    'id inserted where handles are': () => named()[0].insert(7, { position: [5, 5] }),
    'id moved where handles are': () => named()[0].move(0, [5, 5]),
    'slots too few': () => named()[0].update([1, 1, 2, 1]),
    'keys too few': () => {
        const [crowd, handles] = named();
        crowd.setKeys(handles, [1, 2]);
    },
    'keys added too few': () => configured().addKeyed(places, [1, 2]),
    'key of an agent that is gone': () => {
        const [crowd, handles] = named();
        crowd.remove(handles.subarray(3, 6));
        crowd.setKeys(handles, [1, 2, 3]);
    },
    'added not finite': () => configured().add([1, 1, NaN, 1]),

    'ball radius negative': () => ball({ radius: -1 }),
    'ball radius not finite': () => ball({ radius: NaN }),
    'ball centre not finite': () => ball({ centre: [0, Infinity] }),
    'ball too large': () => ball({ centre: [tooLarge, 0] }),
    'box not finite': () => box({ hi: [1, NaN] }),
    'box too large': () => box({ lo: [-tooLarge, 0] }),
    'segment not finite': () => asked('segment', { from: zero, to: zero }, { to: [NaN, 1] }),
    'ray without direction': () => ray({ direction: zero }),
    'ray length negative': () => ray({ length: -1 }),
    'ray origin not finite': () => ray({ origin: [NaN, 0] }),
    'capsule radius negative': () => asked('capsule', { from: zero, to: [1, 1], radius: 1 }, { radius: -1 }),
    'sector cosine': () => sector({ cosine: 1.5 }),
    'sector without direction': () => sector({ direction: zero }),
    'sector radius negative': () => sector({ radius: -1 }),
    'convex too many sides': () => convex(Array(9).fill(side)),
    'convex side without direction': () => convex([{ ...side, normal: zero }]),
    'oriented box not finite': () => asked('orientedBox', { centre: zero, halfEdges: [[1, 0], [0, 1]] },
        { halfEdges: [[NaN, 0], [0, 1]] }),
    'cylinder upright on z': () => yard().query('cylinder', { centre: zero, radius: 1, low: 0, high: 1, up: 2 }),
    'cylinder radius negative': () => cylinder({ radius: -1 }),
    'cylinder low not finite': () => cylinder({ low: NaN }),
    'body ball radius negative': () => bodyBall({ radius: -1 }),
    'body ball without body': () => bodyBall({ body: 9 }),
    'polygon not convex': () => throng.polygon([0, 0, 4, 0, 1, 1, 0, 4]),
    'polygon too many corners': () => throng.polygon(Array(18).fill(0)),
    'polygon not finite': () => throng.polygon([NaN, 0, 4, 0, 0, 4]),
    'frustum flat': () => throng.frustum([...flat, ...flat]),
    'filters too few': () => yard().query('ball', balls, { filters: [1, noId, 1, noId] }),
    'shapes unknown': () => yard().query('blob', balls),
    'shapes no paths': () => yard().first('ball', balls),
    'one question of three': () => yard().explain('ball', balls),
    'one ball negative': () => yard().explain('ball', { centre: zero, radius: -1 }),
    'ray around a periodic world': () => configured({ periodic: [true, false] })
        .explain('ray', { origin: zero, direction: [1, 0], length: 1e18 }),

    'neighbours radius negative': () => yard().neighbours({ radius: -1 }),
    'neighbours radius not finite': () => yard().neighbours({ radius: NaN }),
    'neighbours radius too large': () => yard().neighbours({ radius: tooLarge }),
    'neighbours without body': () => yard().neighbours({ radius: 1, body: 9 }),
    'nearest k too many': () => nearest({ k: 1025 }),
    'nearest radius negative': () => nearest({ radius: -1 }),
    'nearest radius not finite': () => nearest({ radius: NaN }),
    'nearest least negative': () => nearest({ least: -1 }),
    'nearest band not finite': () => nearest({ band: { up: 1, below: NaN, above: 1 } }),
    'nearest band on z': () => nearest({ band: { up: 2, below: 1, above: 1 } }),
    'nearest after not finite': () => nearest({ after: { distance2: NaN, id: 0 } }),
    'nearest points not finite': () => nearest({}, [0, 0, NaN, 0]),
    'nearest points too large': () => nearest({}, [0, 0, 0, tooLarge]),
    'nearest neighbours radius negative': () => yard().nearestNeighbours({ radius: -1 }),
    'pairs within not finite': () => yard().pairs({ within: NaN }),
    'pairs within too large': () => yard().pairs({ within: tooLarge }),
    'pairs without body': () => yard().pairs({ body: 9 }),
    'contacts within not finite': () => throng.contacts().update(yard(), { within: NaN }),

    'lasting radius negative': () => throng.lasting({ radius: -1, skin: 1 }),
    'lasting radius not finite': () => throng.lasting({ radius: NaN, skin: 1 }),
    'lasting skin negative': () => throng.lasting({ radius: 1, skin: -1 }),
    'lasting skin not finite': () => throng.lasting({ radius: 1, skin: Infinity }),
    'lasting positions not finite': () => listed([1, 1, NaN, 1, 9, 9]),
    'lasting moved too far': () => listed([1, 1, 2, 1, 5, 9]),
    'lasting too few': () => listed([1, 1, 2, 1]),

    'obstacle box inverted': () => obstacles().set({ boxes: [boxes[0], { lo: [1, 5], hi: [2, 4] }] }),
    'obstacle box not finite': () => obstacles().set({ boxes: [boxes[0], { lo: [1, NaN], hi: [2, 4] }] }),
    'obstacle box turned and bent': () => obstacles().set(
        { orientedBoxes: { centre: zero, halfEdges: [[1, 0], [1, 1]] } }),
    'obstacle wall thickness negative': () => obstacles().set(
        { walls: [{ from: zero, to: [1, 0], thickness: 1 }, { from: zero, to: [1, 0], thickness: -1 }] }),
    'obstacle triangle not finite': () => throng.obstacles(3).set(
        { triangles: { corners: [[0, 0, 0], [1, 0, 0], [0, NaN, 0]] } }),
    'obstacle groups too few': () => obstacles().set({ boxes, groups: [1] }),
    'obstacle wider than its world': () => {
        const round = obstacles();
        round.configure({ lo: zero, hi: [16, 16], periodic: [true, false] });
        round.insert(0, 'box', { lo: zero, hi: [17, 1] });
    },
    'obstacles period zero': () => obstacles().configure({ lo: zero, hi: [0, 16], periodic: [true, false] }),
    'obstacle id taken': () => obstacles().insert(1, 'box', boxes[0]),
    'obstacle id too large': () => obstacles().insert(noId, 'box', boxes[0]),
    'obstacle wall not finite': () => obstacles().insert(5, 'wall', { from: [NaN, 0], to: [1, 0], thickness: 1 }),
    'obstacle replaces nothing': () => obstacles().replace(5, 'box', boxes[0]),
    'obstacle erases nothing': () => obstacles().erase(5),
    'obstacles nearest within negative': () => obstacles().nearest(places, { within: -1 }),
    'obstacles nearest not finite': () => obstacles().nearest([0, 0, 0, NaN]),
    'obstacles first without direction': () => obstacles().first('ray',
        [{ origin: zero, direction: [1, 0], length: 1 }, { origin: zero, direction: zero, length: 1 }]),
    'obstacles moving box inverted': () => obstacles().first('movingBox',
        { shape: { lo: [1, 0], hi: [0, 1] }, way: [1, 1] }),
    'obstacles sight not finite': () => obstacles().sight([{ from: zero, to: [1, 1] }, { from: zero, to: [NaN, 1] }]),
    'obstacles within negative': () => obstacles().within({ centre: zero, radius: -1 }),
    'obstacles overlaps not finite': () => obstacles().overlaps('box', { lo: zero, hi: [NaN, 1] }),
    'sight in a periodic world': () => inSight(1, configured({ periodic: [true, true] })),
    'sight radius negative': () => inSight(-1),
    'sight ball negative': () => yard().query('ball', [{ centre: zero, radius: 1 }, { centre: zero, radius: -1 }],
        { past: obstacles() }),
};

function said(call) {
    try {
        call();
    } catch (error) {
        return error instanceof ThrongError ? error.message : `${error.name}: ${error.message}`;
    }
    return 'nothing is wrong';
}

for (const [name, call] of Object.entries(cases)) console.log(`${name}\t${said(call)}`);
