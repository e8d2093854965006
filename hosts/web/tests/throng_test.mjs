// The module against brute force. THRONG_PACKAGE is the folder of the package.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { coordinates, pairsOf, randoms, sorted, Truth } from './truth.mjs';

const { load, Body, EditKind, firstStatic, Kept, noId, Order, PairSets, Sets, ThrongError, version } =
    await import(pathToFileURL(`${process.env.THRONG_PACKAGE}/throng.mjs`));
const sets = { wasm: await load(), scalar: await load(undefined, { isa: 'scalar' }) };

// Of each instruction set a test: throng, and a random scene in that dimension.
function each(name, body, dimensions = [2, 3]) {
    for (const [isa, throng] of Object.entries(sets)) {
        for (const dimension of dimensions) {
            test(`${name}, ${isa}, ${dimension}D`, () => body(throng, dimension, randoms(dimension + 40)));
        }
    }
}

function crowdOf(throng, dimension, random, { count = 600, size = dimension === 2 ? 24 : 8, half = 0.5 } = {}) {
    const positions = coordinates(count * dimension, size, random);
    const halves = Array(dimension).fill(half);
    const crowd = throng.crowd({ dimension });
    crowd.update(positions, { commonHalfExtent: halves });
    return { crowd, positions, size, truth: new Truth(dimension, positions, halves) };
}

test('facts', () => {
    assert.equal(sets.wasm.isa, 'wasm');
    assert.equal(sets.scalar.isa, 'scalar');
    assert.equal(sets.wasm.version, version);
});

each('boxes and balls', (throng, dimension, random) => {
    const { crowd, size, truth } = crowdOf(throng, dimension, random);
    const boxes = Array.from({ length: 50 }, () => {
        const lo = [...coordinates(dimension, size, random)];
        return { lo, hi: lo.map(value => value + 2) };
    });
    const balls = Array.from({ length: 50 }, (_, i) => (
        { centre: [...coordinates(dimension, size, random)], radius: i / 8 }));
    const inBoxes = crowd.query('box', boxes).copy();
    const inBalls = crowd.query('ball', balls);
    const truths = balls.map(ball => truth.ball(ball));
    assert.equal(inBoxes.length, 50);
    boxes.forEach((box, i) => assert.deepEqual(sorted(inBoxes.of(i)), truth.box(box)));
    truths.forEach((ids, i) => assert.deepEqual(sorted(inBalls.of(i)), ids));
    assert.deepEqual([...inBalls].map(ids => ids.length), truths.map(ids => ids.length));

    const flat = Float32Array.from(balls.flatMap(({ centre, radius }) => [...centre, radius]));
    assert.deepEqual(crowd.count('ball', flat), Uint32Array.from(truths, ids => ids.length));
    assert.deepEqual(crowd.any('ball', flat), Uint32Array.from(truths, ids => Number(ids.length > 0)));
    assert.deepEqual(sorted(crowd.query('ball', balls[9]).ids), truths[9]);
    assert.ok(truths.some(ids => ids.length === 0) && truths.some(ids => ids.length > 10));
});

each('segments, and what they hit first', (throng, dimension, random) => {
    const { crowd, size, truth } = crowdOf(throng, dimension, random);
    const segments = Array.from({ length: 60 }, () => ({
        from: [...coordinates(dimension, size, random)], to: [...coordinates(dimension, size, random)] }));
    const hits = crowd.query('segment', segments).copy();
    const { time, id } = crowd.first('segment', segments);
    let some = 0;
    segments.forEach((segment, i) => {
        const met = truth.ids(agent => truth.time(segment, agent) !== undefined);
        assert.deepEqual(sorted(hits.of(i)), met);
        const all = crowd.meetings('segment', segment);
        assert.deepEqual(sorted(all.id), met);
        assert.ok(all.time.every((value, k) => k === 0 || all.time[k - 1] <= value));
        if (met.length === 0) {
            assert.equal(id[i], noId);
            return;
        }
        ++some;
        const earliest = Math.min(...Array.from(met, agent => truth.time(segment, agent)));
        assert.ok(Math.abs(time[i] - earliest) < 1e-5);
        assert.deepEqual([all.time[0], all.id[0]], [time[i], id[i]]);
    });
    assert.ok(some > 10);
});

each('the nearest', (throng, dimension, random) => {
    const { crowd, size, truth } = crowdOf(throng, dimension, random);
    const points = coordinates(40 * dimension, size, random);
    const { k, counts, id, distance2 } = crowd.nearest(points, { k: 7 });
    assert.equal(k, 7);
    for (let i = 0; i < 40; ++i) {
        const right = truth.nearest(points.subarray(i * dimension, (i + 1) * dimension), 7);
        assert.equal(counts[i], 7);
        assert.deepEqual([...id.subarray(7 * i, 7 * i + 7)], right.map(near => near.id));
        assert.deepEqual([...distance2.subarray(7 * i, 7 * i + 7)], right.map(near => near.distance2));
    }
    const none = crowd.nearest(Array(dimension).fill(1e6), { k: 2, radius: 1 });
    assert.deepEqual([none.counts[0], ...none.id], [0, noId, noId]);
    const all = crowd.nearestNeighbours({ k: 1, order: Order.ids });
    const own = truth.nearest(truth.at(5), 2).find(near => near.id !== 5);
    assert.equal(all.distance2[5], own.distance2);
});

each('neighbours and pairs', (throng, dimension, random) => {
    const { crowd, truth } = crowdOf(throng, dimension, random);
    const near = crowd.neighbours({ radius: 1.5, order: Order.ids }).copy();
    const counts = crowd.countNeighbours({ radius: 1.5, order: Order.ids });
    for (let i = 0; i < truth.count; ++i) {
        const right = truth.ball({ centre: truth.at(i), radius: 1.5 }).filter(id => id !== i);
        assert.deepEqual(sorted(near.of(i)), right);
        assert.equal(counts[i], right.length);
    }
    const order = crowd.order();
    assert.deepEqual(sorted(order), truth.ids(() => true));
    const stored = crowd.neighbours({ radius: 1.5 });
    assert.deepEqual(stored.of(3), near.of(order[3]));

    const pairs = crowd.pairs();
    assert.deepEqual(pairsOf(pairs), truth.pairs((i, j) => truth.overlap(i, j)));
    assert.ok(pairs.length > 50);
    const within = truth.pairs((i, j) => truth.distance2(i, truth.at(j)) <= 4);
    assert.deepEqual(pairsOf(crowd.pairs({ within: 2 })), within);
    assert.equal(crowd.countPairs({ within: 2 }), within.length);
});

each('other shapes', (throng, dimension, random) => {
    const { crowd, truth } = crowdOf(throng, dimension, random, { half: 0 });
    const at = Array(dimension).fill(4);
    const along = axis => at.map((_, i) => Number(i === axis));
    const front = { centre: at, radius: 3, direction: along(0), cosine: 0 };
    const ball = truth.ball({ centre: at, radius: 3 });
    assert.deepEqual(sorted(crowd.query('sector', front).ids), ball.filter(id => truth.at(id)[0] >= 4));
    const turned = { centre: at, halfEdges: at.map((_, axis) => along(axis).map(value => value * 2)) };
    const square = truth.box({ lo: at.map(value => value - 2), hi: at.map(value => value + 2) });
    assert.deepEqual(sorted(crowd.query('orientedBox', turned).ids), square);
    const sides = at.flatMap((_, axis) => [{ normal: along(axis), offset: 6 },
        { normal: along(axis).map(value => -value), offset: -2 }]);
    assert.deepEqual(sorted(crowd.query('convex', { sides }).ids), square);
    const upright = { centre: at, radius: 2, low: 3, high: 5, up: 1 };
    const heard = truth.ids(id => truth.at(id)[1] >= 3 && truth.at(id)[1] <= 5 && [...truth.at(id)]
        .reduce((sum, value, axis) => sum + (axis === 1 ? 0 : (value - 4) ** 2), 0) <= 4);
    assert.deepEqual(sorted(crowd.query('cylinder', upright).ids), heard);
    assert.ok(heard.length > 3);
    assert.deepEqual(sorted(crowd.query('bodyBall', { centre: at, radius: 3, body: Body.box }).ids), ball);
    if (dimension === 2) {
        const polygon = throng.polygon([2, 2, 6, 2, 6, 6, 2, 6]);
        assert.equal(polygon.sides.length, 4);
        assert.deepEqual(sorted(crowd.query('convex', polygon).ids), square);
    } else {
        const frustum = throng.frustum([2, 2, 2, 6, 2, 2, 6, 6, 2, 2, 6, 2, 2, 2, 6, 6, 2, 6, 6, 6, 6, 2, 6, 6]);
        assert.deepEqual(sorted(crowd.query('convex', frustum).ids), square);
    }
});

each('groups, giants, statics and arrays of an axis each', (throng, dimension, random) => {
    const count = 400;
    const positions = coordinates(count * dimension, 12, random);
    const halfExtents = new Float32Array(count * dimension).fill(0.25);
    halfExtents.fill(6, 0, dimension); // agent 0 is a giant
    const groups = Uint32Array.from({ length: count }, (_, i) => 1 << (i % 3));
    const crowd = throng.crowd({ dimension });
    const axes = Array.from({ length: dimension }, (_, axis) => positions.filter((_, i) => i % dimension === axis));
    crowd.update(axes, { halfExtents, groups });
    crowd.setStatics(Array(dimension).fill(3), { commonHalfExtent: Array(dimension).fill(1) });
    const counts = crowd.counts();
    assert.deepEqual([counts.agents, counts.giants, counts.statics, counts.dimension], [count, 1, 1, dimension]);
    const cells = crowd.cellStats();
    assert.equal(cells.agents, count - 1);
    assert.ok(cells.usedCells > 0 && cells.usedCells <= cells.cells && cells.company >= 0);

    const truth = new Truth(dimension, positions, halfExtents);
    const box = { lo: Array(dimension).fill(2), hi: Array(dimension).fill(5) };
    const found = truth.box(box);
    assert.ok(found.includes(0) && found.length > 3);
    assert.deepEqual(sorted(crowd.query('box', box).ids), Uint32Array.of(...found, firstStatic));
    assert.deepEqual(sorted(crowd.query('box', box, { sets: Sets.agents }).ids), found);
    assert.deepEqual([...crowd.query('box', box, { sets: Sets.giants }).ids], [0]);
    const ofGroup = found.filter(id => groups[id] === 2);
    assert.deepEqual(sorted(crowd.query('box', box, { sets: Sets.agents, groups: 2 }).ids), ofGroup);
    assert.deepEqual(sorted(crowd.query('box', box, { sets: Sets.agents, without: 0 }).ids), found.filter(id => id));
    const both = crowd.query('box', [box, box], { sets: Sets.agents, filters: [2, noId, 7, 0] });
    assert.deepEqual(sorted(both.of(0)), ofGroup);
    assert.deepEqual(sorted(both.of(1)), found.filter(id => id));
    assert.deepEqual(pairsOf(crowd.pairs({ sets: PairSets.agentPairs })), truth.pairs((i, j) => truth.overlap(i, j)));
});

each('arrays of its own, which are written in place, and a memory that grows', (throng, dimension, random) => {
    const crowd = throng.crowd({ dimension, commonHalfExtent: Array(dimension).fill(0) });
    assert.throws(() => crowd.positions, /allot\(\)/);
    crowd.allot(3, { groups: true, halfExtents: true });
    assert.ok(crowd.positions.every(value => value === 0));
    crowd.positions.fill(5, 0, dimension);
    crowd.groups.fill(1);
    crowd.update();
    assert.deepEqual([...crowd.query('ball', { centre: Array(dimension).fill(5), radius: 1 }).ids], [0]);

    const old = crowd.positions;
    const before = throng.memoryBytes;
    const many = throng.crowd({ dimension });
    many.update(coordinates(dimension * 400_000, 600, random));
    while (throng.memoryBytes === before) many.allot(4_000_000); // until it must grow
    assert.ok(throng.memoryBytes > before);
    assert.equal(old.length, 0);
    assert.throws(() => crowd.update(old), /view of memory that has grown/);
    assert.equal(crowd.positions[0], 5);
    assert.deepEqual([...crowd.query('ball', { centre: Array(dimension).fill(5), radius: 1 }).ids], [0]);
    many.dispose();
    assert.throws(() => many.positions);
    assert.throws(() => crowd.allot(2 ** 31), error => error.code === 'OUT_OF_MEMORY');
    crowd.allot(2);
    crowd.update();
    assert.equal(crowd.size, 2);
});

each('answers that are gone', (throng, dimension, random) => {
    const { crowd, truth } = crowdOf(throng, dimension, random);
    const hits = crowd.neighbours({ radius: 1 });
    const kept = hits.copy();
    const pairs = crowd.pairs();
    assert.throws(() => hits.ids, /copy\(\) keeps them/);
    assert.throws(() => hits.of(0), /copy\(\) keeps them/);
    assert.throws(() => kept.of(truth.count), /there is no answer/);
    assert.equal(kept.length, truth.count);
    assert.throws(() => crowd.neighbours({ radius: -1 }), ThrongError);
    assert.throws(() => pairs.first, /copy\(\) keeps them/);
    const last = crowd.pairs();
    crowd.dispose();
    assert.throws(() => last.second, /copy\(\) keeps them/);
}, [2]);

each('edits', (throng, dimension) => {
    const crowd = throng.crowd({ dimension, lo: Array(dimension).fill(0), hi: Array(dimension).fill(10),
        cell: Array(dimension).fill(1), kept: Kept.groups });
    const at = value => Array(dimension).fill(value);
    crowd.insert(4, { position: at(1), groups: 1 });
    crowd.edit([{ kind: EditKind.insert, id: 2, position: at(2), groups: 2 },
        { kind: EditKind.insert, id: 9, position: at(3), groups: 4 }]);
    crowd.move(2, at(8));
    const all = { lo: at(0), hi: at(10) };
    assert.deepEqual(sorted(crowd.query('box', all).ids), Uint32Array.of(2, 4, 9));
    assert.deepEqual([...crowd.query('ball', { centre: at(8), radius: 1 }).ids], [2]);
    crowd.erase(9);
    assert.equal(crowd.size, 2);
    assert.throws(() => crowd.edit([{ kind: EditKind.erase, id: 4 }, { kind: EditKind.erase, id: 9 }]),
        error => error.code === 'ID_UNKNOWN' && error.index === 1);
    assert.equal(crowd.size, 2);
    crowd.clear();
    assert.equal(crowd.size, 0);
});

each('handles', (throng, dimension) => {
    const crowd = throng.crowd({ dimension, lo: Array(dimension).fill(0), hi: Array(dimension).fill(10),
        cell: Array(dimension).fill(1) });
    const handles = crowd.add(Float32Array.from({ length: 3 * dimension }, (_, i) => i));
    assert.deepEqual([...crowd.resolve(handles)], [0, 1, 2]);
    crowd.moveAll(handles.subarray(0, 3), Array(dimension).fill(9));
    assert.deepEqual([...crowd.query('ball', { centre: Array(dimension).fill(9), radius: 0.5 }).ids], [0]);
    assert.throws(() => crowd.moveAll(handles, Array(dimension).fill(9)), error => error.code === 'COUNT_MISMATCH');
    crowd.remove(handles.subarray(3, 6));
    assert.equal(crowd.size, 2);
    assert.throws(() => crowd.resolve(handles), error => error.code === 'HANDLE_STALE' && error.index === 1);
});

each('keys', (throng, dimension) => {
    const crowd = throng.crowd({ dimension, lo: Array(dimension).fill(0), hi: Array(dimension).fill(10),
        cell: Array(dimension).fill(1) });
    const places = Float32Array.from({ length: 3 * dimension }, (_, i) => i);
    const handles = crowd.addKeyed(places, [7, 2n ** 64n - 1n, 9]);
    assert.deepEqual([...crowd.keys([1, 0, 2, 5])], [2n ** 64n - 1n, 7n, 9n, 0n]);
    crowd.setKeys(handles.subarray(3, 6), BigUint64Array.of(5n));
    assert.deepEqual([...crowd.keys(crowd.resolve(handles))], [7n, 5n, 9n]);
    assert.throws(() => crowd.setKeys(handles, [1, -1, 2]), /keys\[1\] must be a whole number below 2\^64/);
    assert.throws(() => crowd.setKeys(handles, [1]), error => error.code === 'COUNT_MISMATCH');
    crowd.remove(handles.subarray(0, 3));
    assert.deepEqual([...crowd.keys([0])], [0n]);
});

each('obstacles and sight', (throng, dimension) => {
    const at = (x, y) => [x, y, 0].slice(0, dimension);
    const obstacles = throng.obstacles(dimension);
    // The wall at x = 4, from y = -1 to 1, thin.
    const wall = { lo: at(4, -1), hi: at(4.25, 1) };
    if (dimension === 3) [wall.lo[2], wall.hi[2]] = [-1, 1];
    obstacles.set({ boxes: [wall] });
    assert.equal(obstacles.size, 1);
    const near = obstacles.nearest([...at(0, 0), ...at(4, 5)]);
    assert.deepEqual([...near.id, ...near.distance], [0, 0, 4, 4]);
    assert.deepEqual([...near.point.subarray(0, dimension)], at(4, 0));
    assert.deepEqual([...near.normal.subarray(0, dimension)].map(value => value + 0), at(-1, 0));
    const hit = obstacles.first('segment', { from: at(0, 0), to: at(8, 0) });
    assert.deepEqual([hit.id[0], hit.time[0]], [0, 0.5]);
    const looks = [{ from: at(0, 0), to: at(8, 0) }, { from: at(0, 2), to: at(8, 2) }];
    assert.deepEqual([...obstacles.sight(looks)], [0, 1]);
    obstacles.insert(7, 'box', { lo: at(6, 2), hi: at(7, 3) });
    assert.deepEqual([...obstacles.overlaps('box', { lo: at(0, 0), hi: at(9, 9) })], [0, 7]);
    assert.deepEqual([...obstacles.within({ centre: at(3, 0), radius: 1 }).id], [0]);
    assert.deepEqual([...obstacles.hits('segment', { from: at(0, 1), to: at(8, 1) }).id], [0]);
    obstacles.erase(7);

    const crowd = throng.crowd({ dimension });
    crowd.update([...at(0, 0), ...at(8, 0), ...at(0, 3)]);
    const blind = crowd.neighbours({ radius: 20, order: Order.ids, past: obstacles });
    assert.deepEqual([...blind].map(ids => [...sorted(ids)]), [[2], [2], [0, 1]]);
    assert.deepEqual([...crowd.countNeighbours({ radius: 20, order: Order.ids, past: obstacles })], [1, 1, 2]);
    const ball = { centre: at(0, 0), radius: 20 };
    assert.deepEqual([...sorted(crowd.query('ball', ball, { past: obstacles }).ids)], [0, 2]);
    assert.deepEqual([...crowd.count('ball', ball, { past: obstacles })], [2]);
    assert.deepEqual([...crowd.count('ball', ball, { past: obstacles, looks: { groups: 0 } })], [3]);
});

each('contacts', (throng, dimension) => {
    const at = (...xs) => Float32Array.from(xs.flatMap(x => [x, ...Array(dimension - 1).fill(0)]));
    const crowd = throng.crowd({ dimension });
    const contacts = throng.contacts();
    const frame = (...xs) => {
        crowd.update(at(...xs), { commonHalfExtent: Array(dimension).fill(0.5) });
        return contacts.update(crowd);
    };
    assert.deepEqual([...frame(0, 0.5, 9).pairs], [0, 1]);
    const next = frame(0, 8.5, 9);
    assert.deepEqual([[...next.pairs], [...next.began], [...next.ended]], [[1, 2], [0], [0, 1]]);
    const last = frame(0, 8.5, 9);
    assert.deepEqual([[...last.previous], last.began.length, last.ended.length], [[0], 0, 0]);
});

each('lists that last', (throng, dimension, random) => {
    const positions = coordinates(300 * dimension, dimension === 2 ? 16 : 7, random);
    const crowd = throng.crowd({ dimension });
    const lists = throng.lasting({ radius: 1, skin: 1 });
    assert.deepEqual(lists.update(crowd, positions), { made: 1, lasted: 0, moved: 0 });
    positions[0] += 0.25;
    assert.deepEqual(lists.update(crowd, positions), { made: 1, lasted: 1, moved: 0.25 });
    const truth = new Truth(dimension, positions);
    const near = lists.neighbours(positions);
    lists.order.forEach((id, i) => assert.deepEqual(sorted(near.of(i)),
        truth.ball({ centre: truth.at(id), radius: 1 }).filter(other => other !== id)));
    positions[0] += 9;
    assert.throws(() => lists.neighbours(positions), error => error.code === 'OUT_OF_RANGE' && error.index === 0);
    assert.throws(() => near.ids, /copy\(\) keeps them/);
    assert.equal(lists.update(crowd, positions).made, 2);
});

each('worlds that wrap around, and doubles', (throng, dimension) => {
    const at = value => Array(dimension).fill(value);
    const crowd = throng.crowd({ dimension, lo: at(0), hi: at(10), periodic: Array(dimension).fill(true) });
    crowd.update(Float32Array.from([...at(0.25), ...at(9.75), ...at(5)]));
    assert.deepEqual(pairsOf(crowd.pairs({ within: 1 })), ['0 1']);
    const obstacles = throng.obstacles(dimension);
    obstacles.configure({ lo: at(0), hi: at(10), periodic: Array(dimension).fill(true) });
    obstacles.set({ boxes: [{ lo: at(-0.125), hi: at(0.125) }] });
    const near = obstacles.nearest(Float32Array.from([9, ...at(0).slice(1)]));
    assert.equal(near.distance[0], 0.875);
    assert.equal(near.point[0], 9.875);
    const seen = crowd.neighbours({ radius: 1, past: obstacles });
    assert.equal(seen.ids.length, 0);
    const far = throng.crowd({ dimension, origin: at(1e9) });
    far.update(Float64Array.from([...at(1e9 + 0.5), ...at(1e9 + 2)]));
    assert.deepEqual([...far.query('ball', { centre: at(0), radius: 1 }).ids], [0]);
});

test('refusals have the sentence of the library', () => {
    const throng = sets.wasm;
    const crowd = throng.crowd();
    const refusal = call => {
        try {
            call();
        } catch (error) {
            assert.ok(error instanceof ThrongError, String(error));
            return [error.code, error.argument, error.index, error.message];
        }
        return assert.fail('not refused');
    };
    const positions = new Float32Array(6);
    positions[4] = NaN;
    assert.deepEqual(refusal(() => crowd.update(positions)),
        ['NOT_FINITE', 'positions', 2, 'positions[2] is NaN or infinite']);
    assert.equal(crowd.size, 0);
    assert.equal(refusal(() => crowd.neighbours({ radius: -1 }))[0], 'NEGATIVE');
    assert.deepEqual(refusal(() => crowd.update(new Float32Array(4), { groups: [1] })),
        ['COUNT_MISMATCH', 'groups', 0, 'groups has another count than positions']);
    assert.equal(refusal(() => throng.crowd({ dimension: 4 }))[0], 'WRONG_VALUE');
    assert.equal(refusal(() => throng.crowd({ lo: [1, 1], hi: [0, 0] }))[0], 'INVERTED');
    assert.equal(refusal(() => crowd.query('ball', { centre: [0, 0], radius: 1 }, { sets: 64 }))[0], 'WRONG_VALUE');
    crowd.dispose();
    assert.equal(refusal(() => crowd.update(new Float32Array(2)))[0], 'DEAD_HANDLE');
    crowd.dispose(); // which may be said twice
});

test('what the module itself refuses', () => {
    const throng = sets.wasm;
    const crowd = throng.crowd();
    const refused = (call, type, sentence) =>
        assert.throws(call, error => error instanceof type && sentence.test(error.message));
    refused(() => throng.crowd({ boundz: 1 }), TypeError, /a crowd has no boundz/);
    refused(() => throng.crowd({ lo: [1], hi: [2, 2] }), TypeError, /lo must be 2 numbers/);
    refused(() => crowd.update([1, 2, 3]), TypeError, /2 numbers for each/);
    refused(() => crowd.update('no'), TypeError, /positions/);
    refused(() => crowd.update(new Float32Array(4), { groups: [1, -1] }), RangeError, /groups\[1\]/);
    refused(() => crowd.query('blob', {}), TypeError, /no shape 'blob' in 2 dimensions/);
    refused(() => crowd.query('ball', { centre: [0, 0], raduis: 1 }), TypeError, /ball\[0\] has no raduis/);
    refused(() => crowd.query('ball', { centre: [0], radius: 1 }), TypeError, /centre must be 2 numbers/);
    refused(() => crowd.query('ball', new Float32Array(4)), RangeError, /3 numbers for each/);
    refused(() => crowd.query('ball', new Float64Array(3)), TypeError, /Float32Array/);
    refused(() => crowd.query('cylinder', new Float32Array(6)), TypeError, /objects with centre/);
    refused(() => crowd.query('ball', { centre: [0, 0], radius: '1' }), TypeError, /radius must be a number/);
    refused(() => crowd.allot(-1), RangeError, /number of agents/);
    refused(() => crowd.reserve(2 ** 32), RangeError, /argument of throng_crowd_reserve must be a whole number/);
    refused(() => throng.obstacles().erase(), TypeError, /argument of throng_obstacles_erase must be a number/);
    refused(() => crowd.nearest([0, 0], { k: 1.5 }), RangeError, /nearest\.k must be a whole number/);
    refused(() => throng.crowd({ memoryCap: -1 }), RangeError, /memory\.cap must be a whole number below 2\^64/);
    refused(() => crowd.nearest([0, 0], { kay: 1 }), TypeError, /no kay/);
});

test('what is no id names nobody', () => {
    const throng = sets.wasm;
    const crowd = throng.crowd({ lo: [0, 0], hi: [9, 9], cell: [1, 1] });
    crowd.update([1, 1, 2, 2, 3, 3]);
    const obstacles = throng.obstacles();
    obstacles.set({ boxes: [{ lo: [1, 1], hi: [2, 2] }, { lo: [4, 4], hi: [5, 5] }, { lo: [6, 6], hi: [7, 7] }] });
    const box = { lo: [3, 3], hi: [4, 4] };
    const ball = { centre: [2, 2], radius: 9 };
    // Cut to 32 bits, to a whole number, or taken for one, each would be the id of one that is there, or a free one.
    for (const id of [2 ** 32 + 2, 2 ** 53 + 2, -1, -(2 ** 32), 1.5, NaN, Infinity, undefined, null, true, '1', 1n, [1]]) {
        const calls = [() => crowd.erase(id), () => crowd.move(id, [5, 5]), () => crowd.insert(id, { position: [5, 5] }),
            () => crowd.edit([{ kind: 2, id: 0, position: [5, 5] }, { kind: 1, id }]),
            () => obstacles.insert(id, 'box', box), () => obstacles.replace(id, 'box', box), () => obstacles.erase(id)];
        if (id !== undefined) calls.push(() => crowd.query('ball', ball, { without: id }));
        for (const call of calls) {
            assert.throws(call, error => error instanceof TypeError || error instanceof RangeError, String(id));
        }
        assert.throws(() => crowd.query('ball', ball, { filters: [1, id] }),
            error => error instanceof TypeError || error instanceof RangeError, String(id));
    }
    const wide = new Float64Array([2 ** 32 + 2, 1, 1]);
    assert.throws(() => crowd.remove(wide), RangeError);
    assert.throws(() => crowd.remove(new BigUint64Array(3)), TypeError);
    assert.deepEqual([...crowd.query('ball', ball).ids].sort(), [0, 1, 2]);
    assert.deepEqual([crowd.size, obstacles.size], [3, 3]);
    assert.deepEqual([...crowd.query('ball', { centre: [5, 5], radius: 0.1 }).ids], []);
    crowd.dispose();
});

test('a memory that is full is a refusal, which changes nothing', async () => {
    const throng = await load();
    const crowd = throng.crowd();
    crowd.update(new Float32Array(2));
    const positions = coordinates(1_000_000, 700, randoms(3)); // 4 million bytes
    const blocks = new Map();
    // What nobody touches takes no memory of the machine. The last bytes go in smaller parts.
    for (const bytes of [2 ** 30, 2 ** 22, 2 ** 17]) {
        try {
            for (;;) blocks.set(throng.machine.allot(bytes), bytes);
        } catch (error) {
            assert.equal(error.code, 'OUT_OF_MEMORY');
        }
    }
    assert.ok(throng.memoryBytes > 3.9 * 2 ** 30);
    const [room] = [...blocks].find(([, bytes]) => bytes === 2 ** 22);
    throng.machine.free(room); // in which the positions fit, and no crowd of so many besides
    blocks.delete(room);
    assert.throws(() => crowd.update(positions), error => error.code === 'OUT_OF_MEMORY');
    assert.equal(crowd.size, 1);
    assert.deepEqual([...crowd.query('ball', { centre: [0, 0], radius: 1 }).ids], [0]);
    for (const block of blocks.keys()) throng.machine.free(block);
    crowd.update(positions);
    assert.equal(crowd.size, 500_000);
});

test('functions of C by their names', () => {
    const { machine } = sets.wasm;
    const { crowd, truth } = crowdOf(sets.wasm, 2, randoms(1));
    assert.equal(machine.call('throng_query_bound', crowd.handle, 5, Sets.agents), 5 * truth.count);
    machine.begin();
    const total = machine.take(8);
    const cells = machine.take(36);
    assert.throws(() => machine.call('throng_crowd_cells', crowd.handle, cells, 1, total),
        error => error.code === 'NO_ROOM');
    const cell = machine.read('cell', cells);
    assert.equal(cell.set, Sets.small);
    assert.ok(cell.agents > 0 && cell.hi[0] > cell.lo[0]);
});

test('there is one thread: the default executor, pools of one, and no other', () => {
    const { machine } = sets.wasm;
    const [serial, tbb, pool] = [1, 2, 3];
    const make = (kind, threads) => {
        machine.begin();
        const made = machine.take(4);
        machine.call('throng_executor_create_kind', kind, threads, made);
        return machine.view('u32')[made / 4];
    };
    const facts = executor => {
        machine.begin();
        const said = machine.make('executorFacts');
        machine.call('throng_executor_describe', executor, said);
        const { kind, threads } = machine.read('executorFacts', said);
        return [kind, threads];
    };
    assert.deepEqual(facts(0), [serial, 1]);
    for (const threads of [0, 1]) {
        const executor = make(pool, threads);
        assert.deepEqual(facts(executor), [pool, 1]);
        const { positions, truth } = crowdOf(sets.wasm, 2, randoms(1));
        const crowd = sets.wasm.crowd({ dimension: 2 });
        machine.begin();
        const x = machine.place(positions, 'f32', 'positions');
        machine.call('throng_crowd_update', crowd.handle, machine.make('agents',
            { count: truth.count, position: [x, x + 4, 0], positionStride: [8, 8, 4] }), executor);
        const ball = { centre: [5, 5], radius: 3 };
        assert.deepEqual(sorted(crowd.query('ball', ball).ids), truth.ball(ball));
        machine.call('throng_executor_destroy', executor);
    }
    assert.throws(() => make(pool, 2), error => error.code === 'NOT_STARTED');
    assert.throws(() => make(tbb, 0), error => error.code === 'NOT_BUILT');
});

test('what one question costs', () => {
    const { crowd, truth } = crowdOf(sets.wasm, 2, randoms(1));
    const ball = { centre: [5, 5], radius: 2 };
    const costs = crowd.explain('ball', ball);
    assert.equal(costs.smallAgents, truth.ball(ball).length);
    assert.ok(['rows', 'tiles', 'all'].includes(costs.path));
    assert.match(costs.reason, /^[a-z_]+$/);
});

test('objects that are collected give their memory back', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    const throng = await load();
    const round = () => {
        const crowd = throng.crowd();
        crowd.allot(1_000_000);
        crowd.update();
    };
    round();
    for (let i = 0; i < 40; ++i) {
        round();
        gc();
        await new Promise(resolve => setTimeout(resolve, 5)); // when finalizers run
    }
    // One crowd takes some 60 MB: 40 that stay would not fit into the 4 GB that there are.
    assert.ok(throng.memoryBytes < 600 * 2 ** 20, `${throng.memoryBytes} bytes`);
});
