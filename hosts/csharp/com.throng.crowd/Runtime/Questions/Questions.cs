using System;
#if UNITY_2021_3_OR_NEWER
using Unity.Collections;
using Unity.Collections.LowLevel.Unsafe;
#endif

namespace Throng
{
    /// <summary>The number by which the library knows a shape; 0 for what is none, which it refuses.</summary>
    static class ShapeOf<T>
    {
        internal static readonly uint Number = Find();

        static uint Find()
        {
            string name = typeof(T) == typeof(Wall) ? "Wall2" : typeof(T) == typeof(Triangle) ? "Triangle3" : typeof(T).Name;
            Shape shape;
            ObstacleShape obstacle;
            if (typeof(T).Namespace != typeof(Ball2).Namespace) return 0;
            if (Enum.TryParse(name, out shape)) return (uint)shape;
            return Enum.TryParse(name, out obstacle) ? (uint)obstacle : 0;
        }
    }

    /// <summary>Shapes of one kind, the sets to search, and the agents to leave out.</summary>
    public unsafe struct Questions
    {
        readonly uint shape;
        readonly Array array;
        readonly IntPtr address;
        Items<Filter> filters;
        Filter filter;
        bool alone; // whether one filter is for all of them

        /// <summary>The number of questions.</summary>
        public readonly int Count;
        /// <summary>The parts of the crowd that are searched.</summary>
        public Sets Sets;

        Questions(uint shape, Array array, IntPtr address, int count)
        {
            this.shape = shape;
            this.array = array;
            this.address = address;
            Count = count;
            Sets = Sets.Everybody;
            filters = default(Items<Filter>);
            filter = default(Filter);
            alone = false;
        }

        /// <summary>Balls, boxes or other shapes of this package.</summary>
        public static Questions Of<T>(params T[] shapes) where T : struct
        {
            return new Questions(ShapeOf<T>.Number, shapes, IntPtr.Zero, shapes == null ? 0 : shapes.Length);
        }

        /// <summary>The same at an address, where they must stay during the calls.</summary>
        public static Questions At<T>(void* shapes, int count) where T : struct
        {
            if (count < 0) throw new ArgumentOutOfRangeException("count");
            return new Questions(ShapeOf<T>.Number, null, (IntPtr)shapes, count);
        }
#if UNITY_2021_3_OR_NEWER

        public static Questions Of<T>(NativeArray<T> shapes) where T : struct
        {
            return At<T>(NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(shapes), shapes.Length);
        }
#endif

        /// <summary>The same questions to some parts of the crowd.</summary>
        public Questions To(Sets sets)
        {
            Questions copy = this;
            copy.Sets = sets;
            return copy;
        }

        /// <summary>The same with a filter for each.</summary>
        public Questions With(Items<Filter> each)
        {
            Questions copy = this;
            copy.filters = each;
            copy.alone = false;
            return copy;
        }

        /// <summary>The same with one filter for all.</summary>
        public Questions With(Filter all)
        {
            Questions copy = this;
            copy.filter = all;
            copy.alone = true;
            return copy;
        }

        internal uint Dimension { get { return shape % 10; } }

        /// <summary>`one` is where the filter for all lies during the call.</summary>
        internal void Fill(out Native.throng_questions raw, Filter* one, Pins pins)
        {
            raw = Native.throng_questions.Init;
            raw.shape = shape;
            raw.sets = (uint)Sets;
            raw.shapes = (void*)(array == null ? address : pins.Add(array));
            raw.count = (UIntPtr)Count;
            *one = filter;
            raw.filters = alone ? one : (Filter*)filters.Pin(pins);
            raw.filter_count = alone ? (UIntPtr)1 : filters.Count;
        }
    }

    public partial struct Filter
    {
        /// <summary>Leaves out agents outside these groups.</summary>
        public static Filter Of(uint groups) { return new Filter(groups, Native.THRONG_NO_ID); }
        /// <summary>Leaves out one agent.</summary>
        public static Filter NotThe(uint id) { return new Filter(Native.THRONG_ALL_GROUPS, id); }
    }

    /// <summary>Points to ask from.</summary>
    public unsafe struct Points
    {
        readonly Array array;
        readonly IntPtr address;
        public readonly int Count;
        public readonly int Dimension;

        Points(Array array, IntPtr address, int dimension, long bytes)
        {
            if (dimension != 2 && dimension != 3) throw Status.Refusal(Code.WrongDimension, "points", 0);
            if (bytes % (4 * dimension) != 0)
                throw Status.Refusal(Code.CountMismatch, "points.coordinates", bytes / (4 * dimension));
            this.array = array;
            this.address = address;
            Dimension = dimension;
            Count = checked((int)(bytes / (4 * dimension)));
        }

        public static Points Of(params Float2[] points) { return Of(2, points); }
        public static Points Of(params Float3[] points) { return Of(3, points); }

        /// <summary>Floats, or structures of 2 or 3 floats.</summary>
        public static Points Of<T>(int dimension, T[] points) where T : struct
        {
            return new Points(points, IntPtr.Zero, dimension, points == null ? 0 : (long)points.Length * SizeOf<T>.Bytes);
        }

        /// <summary>Floats at an address, where they must stay during the calls.</summary>
        public static Points At(int dimension, float* coordinates, int count)
        {
            if (count < 0) throw new ArgumentOutOfRangeException("count");
            return new Points(null, (IntPtr)coordinates, dimension, (long)count * dimension * 4);
        }
#if UNITY_2021_3_OR_NEWER

        public static Points Of<T>(int dimension, NativeArray<T> points) where T : struct
        {
            return new Points(null, (IntPtr)NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(points), dimension,
                (long)points.Length * UnsafeUtility.SizeOf<T>());
        }
#endif

        internal void Fill(out Native.throng_points raw, Pins pins)
        {
            raw = Native.throng_points.Init;
            raw.dimension = (uint)Dimension;
            raw.coordinates = (float*)(array == null ? address : pins.Add(array));
            raw.count = (UIntPtr)Count;
        }
    }
}
