using System;
#if UNITY_2021_3_OR_NEWER
using Unity.Collections;
#endif

namespace Throng
{
    /// <summary>Where the agents are: in the host's arrays, which are read during a call and not afterwards. Make it
    /// once, and hand it to every update: it says where numbers lie, and not what they are.</summary>
    public sealed unsafe class Agents
    {
        readonly Column[] positions;
        readonly bool doubles;
        Column[] halfExtents;
        Float3 commonHalfExtent;
        Column groups;
        bool grouped;

        Agents(bool doubles, Column[] positions)
        {
            if (positions.Length != 2 && positions.Length != 3)
                throw Status.Refusal(Code.WrongDimension, "positions", 0);
            this.positions = positions;
            this.doubles = doubles;
        }

        /// <summary>A column for each axis.</summary>
        public static Agents Of(params Column[] positions) { return new Agents(false, positions); }

        /// <summary>A column of doubles for each axis, in world coordinates.</summary>
        public static Agents OfDoubles(params Column[] positions) { return new Agents(true, positions); }

        /// <summary>Structures, and the byte in them at which each coordinate lies: 0 and 8 are x and z of three floats.
        /// </summary>
        public static Agents Of<T>(T[] structures, params int[] offsets) where T : struct
        {
            return new Agents(false, Array.ConvertAll(offsets, offset => Column.Of(structures, offset)));
        }
#if UNITY_2021_3_OR_NEWER

        /// <summary>The same in an array of Unity's. Make it anew when the array is.</summary>
        public static Agents Of<T>(NativeArray<T> structures, params int[] offsets) where T : struct
        {
            return new Agents(false, Array.ConvertAll(offsets, offset => Column.Of(structures, offset)));
        }
#endif

        /// <summary>Coordinates side by side: x, y, x, y ...</summary>
        public static Agents Interleaved(int dimension, float[] coordinates)
        {
            return new Agents(false, Sides(dimension, coordinates));
        }

        /// <summary>The same as doubles, in world coordinates.</summary>
        public static Agents Interleaved(int dimension, double[] coordinates)
        {
            return new Agents(true, Sides(dimension, coordinates));
        }

        /// <summary>An array for each axis.</summary>
        public static Agents Separate(float[] x, float[] y)
        {
            return new Agents(false, new[] { Column.Of(x), Column.Of(y) });
        }

        public static Agents Separate(float[] x, float[] y, float[] z)
        {
            return new Agents(false, new[] { Column.Of(x), Column.Of(y), Column.Of(z) });
        }

        static Column[] Sides<T>(int dimension, T[] coordinates) where T : struct
        {
            if (dimension != 2 && dimension != 3) throw Status.Refusal(Code.WrongDimension, "positions", 0);
            int length = coordinates == null ? 0 : coordinates.Length;
            if (length % dimension != 0) throw Status.Refusal(Code.CountMismatch, "positions", length / dimension);
            var columns = new Column[dimension];
            for (int axis = 0; axis < dimension; ++axis) columns[axis] = Column.Every(coordinates, axis, dimension);
            return columns;
        }

        /// <summary>Half extents of each agent's own, a column for each axis.</summary>
        public Agents WithHalfExtents(params Column[] columns)
        {
            if (columns.Length != positions.Length) throw Status.Refusal(Code.WrongDimension, "half_extents", 0);
            halfExtents = columns;
            return this;
        }

        /// <summary>One half extent for all agents.</summary>
        public Agents WithCommonHalfExtent(float x, float y, float z = 0)
        {
            commonHalfExtent = new Float3(x, y, z);
            return this;
        }

        /// <summary>A mask of groups for each agent.</summary>
        public Agents WithGroups(Column masks)
        {
            groups = masks;
            grouped = true;
            return this;
        }

        public int Dimension { get { return positions.Length; } }
        public int Count { get { return positions[0].Count; } }

        internal void Fill(out Native.throng_agents raw, Pins pins)
        {
            raw = Native.throng_agents.Init;
            raw.dimension = (uint)positions.Length;
            raw.doubles = doubles ? 1u : 0;
            raw.count = (UIntPtr)Count;
            raw.common_half_extent = commonHalfExtent;
            for (int axis = 0; axis < positions.Length; ++axis)
            {
                raw.position.Set(axis, Pin(positions[axis], pins, doubles ? 8 : 4, "positions"));
                raw.position_stride.Set(axis, positions[axis].Stride);
                if (halfExtents == null) continue;
                raw.half_extent.Set(axis, Pin(halfExtents[axis], pins, 4, "half_extents"));
                raw.half_extent_stride.Set(axis, halfExtents[axis].Stride);
            }
            if (!grouped) return;
            raw.groups = (uint*)Pin(groups, pins, 4, "groups");
            raw.groups_stride = (IntPtr)groups.Stride;
        }

        IntPtr Pin(Column column, Pins pins, int size, string argument)
        {
            if (column.Count != Count)
                throw Status.Refusal(Code.CountMismatch, argument, Math.Min(column.Count, Count));
            return column.Pin(pins, size, argument);
        }
    }
}
