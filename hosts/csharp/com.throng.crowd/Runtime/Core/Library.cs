using System;
using System.Text;

namespace Throng
{
    /// <summary>What belongs to no object.</summary>
    public static unsafe class Library
    {
        /// <summary>The version, such as "0.2.0".</summary>
        public static string Version { get { return Status.Text(Native.throng_version()); } }
        /// <summary>The instruction set in use, such as "avx2".</summary>
        public static string Isa { get { return Status.Text(Native.throng_isa()); } }

        /// <summary>Puts arrays in another order, such as Crowd.Order(): the element that was at order[i] comes to i.
        /// Agents then lie in the arrays as they do in the crowd. The arrays have as many elements as `order`.</summary>
        public static void Reorder(Items<uint> order, Executor executor, params Array[] arrays)
        {
            Status.Begin();
            using (Pins.Scope call = Pins.Open())
            {
                var raw = new Native.throng_array[arrays.Length];
                for (int i = 0; i < arrays.Length; ++i)
                {
                    if (arrays[i] == null) throw Status.Refusal(Code.NullPointer, "arrays", i);
                    if (arrays[i].Length != order.Length) throw Status.Refusal(Code.CountMismatch, "arrays", i);
                    raw[i].data = (void*)call.Pins.Add(arrays[i]);
                    raw[i].bytes = (UIntPtr)SizeOf.Element(arrays[i].GetType().GetElementType());
                }
                fixed (Native.throng_array* first = raw)
                    Status.Check(Native.throng_reorder((uint*)order.Pin(call.Pins), order.Count, first,
                        (UIntPtr)raw.Length, Executor.HandleOf(executor)));
            }
        }

        internal static byte[] PathOf(string path)
        {
            if (path == null) return null;
            // C would take the part before the zero for the whole.
            if (path.IndexOf('\0') >= 0) throw Status.Refusal(Code.WrongValue, "path", 0);
            return Encoding.UTF8.GetBytes(path + "\0");
        }
    }

    public unsafe partial struct Convex2
    {
        /// <summary>The region with these corners, at most 8, in order, either way round.</summary>
        public static Convex2 Polygon(params Float2[] corners)
        {
            Status.Begin();
            Convex2 region;
            fixed (Float2* first = corners)
                Status.Check(Native.throng_polygon((float*)first, (UIntPtr)corners.Length, &region));
            return region;
        }
    }

    public unsafe partial struct Convex3
    {
        /// <summary>The frustum with these eight corners: four around the near side, and the four of the far side that
        /// belong to them.</summary>
        public static Convex3 Frustum(params Float3[] corners)
        {
            Status.Begin();
            if (corners.Length != 8) throw Status.Refusal(Code.CountMismatch, "corners", corners.Length);
            Convex3 region;
            fixed (Float3* first = corners) Status.Check(Native.throng_frustum((float*)first, &region));
            return region;
        }
    }
}
