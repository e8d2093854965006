// Agents and questions as calls of the library take them.
import { shapes, structs } from './abi.mjs';

/** The three numbers of a field from those of the world's dimension. */
export function three(values, dimension, name) {
    if (values?.length !== dimension) throw new TypeError(`${name} must be ${dimension} numbers`);
    return [...values, ...Array(3 - dimension).fill(0)];
}

/** `values` without these keys, and the values of these. */
export function parted(values, ...keys) {
    const { ...rest } = values;
    return [rest, ...keys.map(key => {
        const value = rest[key];
        delete rest[key];
        return value;
    })];
}

const isColumns = values => Array.isArray(values) && ArrayBuffer.isView(values[0]);

/** The number of points in `values`, which has all coordinates of one behind another. */
export function pointsIn(values, dimension, name) {
    const length = values?.length;
    if (typeof length !== 'number' || length % dimension) {
        throw new TypeError(`${name} must be an array of ${dimension} numbers for each point`);
    }
    return length / dimension;
}

// Where the values of each axis lie: in one array, a point behind another, or in an array for each axis.
function axes(machine, values, kind, dimension, name) {
    const bytes = machine.view(kind).BYTES_PER_ELEMENT;
    if (isColumns(values)) {
        if (values.length !== dimension || values.some(axis => axis.length !== values[0].length)) {
            throw new TypeError(`${name} must be ${dimension} arrays of one length`);
        }
        const places = values.map((axis, i) => machine.place(axis, kind, `${name}[${i}]`));
        return [values[0].length, three(places, dimension), three(Array(dimension).fill(bytes), dimension)];
    }
    const count = pointsIn(values, dimension, name);
    const place = machine.place(values, kind, name);
    return [count, three(Array.from({ length: dimension }, (_, i) => place + i * bytes), dimension),
        three(Array(dimension).fill(dimension * bytes), dimension)];
}

/** A throng_agents of these positions. Doubles are in world coordinates. */
export function agentsOf(machine, dimension, positions, options, name) {
    const [rest, halfExtents, groups, commonHalfExtent] = parted(options, 'halfExtents', 'groups', 'commonHalfExtent');
    for (const key of Object.keys(rest)) throw new TypeError(`${name} have no ${key}`);
    const doubles = (isColumns(positions) ? positions[0] : positions) instanceof Float64Array;
    const [count, position, positionStride] = axes(machine, positions, doubles ? 'f64' : 'f32', dimension, 'positions');
    const values = { dimension, doubles, count, position, positionStride };
    if (commonHalfExtent) values.commonHalfExtent = three(commonHalfExtent, dimension, 'commonHalfExtent');
    if (halfExtents) {
        const [own, halfExtent, halfExtentStride] = axes(machine, halfExtents, 'f32', dimension, 'halfExtents');
        if (own !== count) throw machine.refusal('COUNT_MISMATCH', 'half_extents');
        Object.assign(values, { halfExtent, halfExtentStride });
    }
    if (groups) {
        if (groups.length !== count) throw machine.refusal('COUNT_MISMATCH', 'groups');
        values.groups = machine.place(groups, 'u32', 'groups');
    }
    return machine.make('agents', values);
}

/** Structures of one kind, from an object, a list of them, or floats where they hold nothing else: [address, count]. */
export function arrayOf(machine, struct, values, name) {
    const { size, fields } = structs[struct];
    if (ArrayBuffer.isView(values)) {
        const floats = kind => (structs[kind] ? Object.values(structs[kind].fields).every(field => floats(field[1]))
            : kind === 'f32');
        if (!(values instanceof Float32Array) || !floats(struct)) {
            throw new TypeError(`${name} must be ${floats(struct) ? 'a Float32Array, or objects' : 'objects'} with ` +
                Object.keys(fields).join(', '));
        }
        if (values.length % (size / 4)) {
            throw new RangeError(`${name} must have ${size / 4} numbers for each ${struct}`);
        }
        return [machine.place(values, 'f32', name), values.length / (size / 4)];
    }
    const all = Array.isArray(values) ? values : [values];
    const address = machine.take(size * all.length);
    machine.view('u8').fill(0, address, address + size * all.length);
    all.forEach((each, i) => machine.write(struct, address + i * size, counted(struct, each), `${name}[${i}]`));
    return [address, all.length];
}

// Sides count themselves, and bounds are everything unless they are given. There is room for eight sides, and the library
// refuses more by their count.
function counted(struct, shape) {
    if (!struct.startsWith('convex') || !Array.isArray(shape?.sides)) return shape;
    const dimension = Number(struct.at(-1));
    const bounds = { lo: Array(dimension).fill(-1e18), hi: Array(dimension).fill(1e18) };
    return { count: shape.sides.length, bounds, ...shape, sides: shape.sides.slice(0, 8) };
}

export function shapeOf(kind, dimension) {
    const shape = Object.hasOwn(shapes, `${kind}${dimension}`) && shapes[`${kind}${dimension}`];
    if (!shape) throw new TypeError(`there is no shape '${kind}' in ${dimension} dimensions`);
    return shape;
}

/** A throng_questions, and how many they are: [address, count]. */
export function questionsOf(machine, dimension, kind, values, options = {}) {
    const [rest, sets, groups, without, filters] = parted(options, 'sets', 'groups', 'without', 'filters');
    for (const key of Object.keys(rest)) throw new TypeError(`questions have no ${key}`);
    const [shape, struct] = shapeOf(kind, dimension);
    const [address, count] = arrayOf(machine, struct, values, kind);
    const questions = { shape, sets, shapes: address, count };
    if (filters) {
        if (filters.length % 2) throw new RangeError('filters must be groups and without for each question');
        questions.filters = machine.place(filters, 'u32', 'filters');
        questions.filterCount = filters.length / 2;
    } else if (groups !== undefined || without !== undefined) {
        Object.assign(questions, { filters: filterOf(machine, { groups, without }), filterCount: 1 });
    }
    return [machine.make('questions', questions), count];
}

/** A throng_filter; without any values one that finds all. */
export function filterOf(machine, { groups = 0xFFFFFFFF, without = 0xFFFFFFFF } = {}) {
    return machine.make('filter', { groups, without });
}

/** A throng_points, and how many they are. */
export function pointsOf(machine, dimension, points) {
    const count = pointsIn(points, dimension, 'points');
    const coordinates = machine.place(points, 'f32', 'points');
    return [machine.make('points', { dimension, coordinates, count }), count];
}

/** The names that a crowd has given: [address, count]. */
export function handlesOf(machine, handles) {
    const count = pointsIn(handles, 3, 'handles');
    return [machine.place(handles, 'u32', 'handles'), count];
}

/** Ids of agents, and how many they are. */
export function idsOf(machine, ids) {
    return [machine.place(ids, 'u32', 'ids'), ids.length];
}

/** Keys of agents, as bigints or numbers, and how many they are. */
export function keysOf(machine, keys) {
    return [machine.place(keys, 'u64', 'keys'), keys.length];
}
