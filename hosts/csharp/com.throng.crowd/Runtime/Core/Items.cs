using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.InteropServices;
#if UNITY_2021_3_OR_NEWER
using Unity.Collections;
using Unity.Collections.LowLevel.Unsafe;
#endif

namespace Throng
{
    /// <summary>Arrays that stay where they are during a call. One list a thread, so that frames make no garbage.</summary>
    sealed class Pins
    {
        [ThreadStatic] static Pins ofThread;
        readonly List<GCHandle> pinned = new List<GCHandle>();

        internal static Pins Here { get { return ofThread ?? (ofThread = new Pins()); } }

        /// <summary>How many there are. A call frees its own alone: callbacks may call too.</summary>
        internal int Mark { get { return pinned.Count; } }

        internal IntPtr Add(Array array)
        {
            if (array == null || array.Length == 0) return IntPtr.Zero;
            GCHandle handle = GCHandle.Alloc(array, GCHandleType.Pinned);
            pinned.Add(handle);
            return handle.AddrOfPinnedObject();
        }

        internal void Free(int mark)
        {
            for (int i = pinned.Count; i-- > mark;) pinned[i].Free();
            pinned.RemoveRange(mark, pinned.Count - mark);
        }

        /// <summary>Frees at the end of a using block what was pinned in it.</summary>
        internal struct Scope : IDisposable
        {
            internal readonly Pins Pins;
            readonly int mark;

            internal Scope(Pins pins)
            {
                Pins = pins;
                mark = pins.Mark;
            }

            public void Dispose() { Pins.Free(mark); }
        }

        internal static Scope Open() { return new Scope(Here); }
    }

    static class SizeOf<T>
    {
        static int bytes;

        /// <summary>From one element of an array to the next.</summary>
        internal static int Bytes { get { return bytes != 0 ? bytes : bytes = SizeOf.Element(typeof(T)); } }
    }

    static class SizeOf
    {
        /// <summary>As it is in memory: what Marshal.SizeOf() says is what a copy for C would take, which is another thing
        /// for a bool. A reference is not data, and not every runtime refuses to pin it.</summary>
        internal static int Element(Type type)
        {
            if (Refers(type)) throw new ArgumentException(type + " has references, which the library must not touch");
            Array two = Array.CreateInstance(type, 2);
            GCHandle pin = GCHandle.Alloc(two, GCHandleType.Pinned);
            long size = (long)Marshal.UnsafeAddrOfPinnedArrayElement(two, 1)
                - (long)Marshal.UnsafeAddrOfPinnedArrayElement(two, 0);
            pin.Free();
            return (int)size;
        }

        static bool Refers(Type type)
        {
            if (type.IsPrimitive || type.IsPointer || type.IsEnum) return false;
            return !type.IsValueType || Array.Exists(
                type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic),
                field => Refers(field.FieldType));
        }
    }

    /// <summary>An array that a call reads or fills: an array of C#, of Unity, or memory at an address.</summary>
    public unsafe struct Items<T> where T : struct
    {
        readonly T[] array;
        readonly IntPtr address;
        public readonly int Length;

        Items(T[] array, IntPtr address, int length)
        {
            this.array = array;
            this.address = address;
            Length = length;
        }

        public static implicit operator Items<T>(T[] array)
        {
            return new Items<T>(array, IntPtr.Zero, array == null ? 0 : array.Length);
        }

        /// <summary>Memory at an address, which must stay during the calls.</summary>
        public static Items<T> At(void* address, int length)
        {
            if (length < 0) throw new ArgumentOutOfRangeException("length");
            return new Items<T>(null, (IntPtr)address, length);
        }
#if UNITY_2021_3_OR_NEWER

        public static implicit operator Items<T>(NativeArray<T> array)
        {
            return new Items<T>(null, (IntPtr)NativeArrayUnsafeUtility.GetUnsafePtr(array), array.Length);
        }
#endif

        internal IntPtr Pin(Pins pins) { return array == null ? address : pins.Add(array); }
        internal UIntPtr Count { get { return (UIntPtr)Length; } }
    }

    /// <summary>One number of each element of an array, wherever in the element it lies.</summary>
    public unsafe struct Column
    {
        readonly Array array;
        readonly IntPtr address;
        readonly long bytes; // of the whole array; negative: not known
        readonly long first; // byte
        internal readonly long Stride;
        internal readonly int Count;

        Column(Array array, IntPtr address, long bytes, long first, long stride, int count)
        {
            this.array = array;
            this.address = address;
            this.bytes = bytes;
            this.first = first;
            Stride = stride;
            Count = count;
        }

        /// <summary>A number of each structure, `offset` bytes from its beginning.</summary>
        public static Column Of<T>(T[] array, int offset = 0) where T : struct
        {
            int length = array == null ? 0 : array.Length;
            return new Column(array, IntPtr.Zero, (long)length * SizeOf<T>.Bytes, offset, SizeOf<T>.Bytes, length);
        }

        /// <summary>Every `step`-th element of an array, from element `first` on.</summary>
        public static Column Every<T>(T[] array, int first, int step) where T : struct
        {
            if (first < 0 || step < 1) throw new ArgumentOutOfRangeException(first < 0 ? "first" : "step");
            int length = array == null ? 0 : array.Length;
            int count = length <= first ? 0 : (length - first - 1) / step + 1;
            long size = SizeOf<T>.Bytes;
            return new Column(array, IntPtr.Zero, length * size, first * size, step * size, count);
        }

        /// <summary>Numbers at an address, every `stride` bytes, of either sign. They must stay during the calls.</summary>
        public static Column At(void* address, long stride, int count)
        {
            if (count < 0) throw new ArgumentOutOfRangeException("count");
            return new Column(null, (IntPtr)address, -1, 0, stride, count);
        }
#if UNITY_2021_3_OR_NEWER

        /// <summary>A number of each structure, `offset` bytes from its beginning.</summary>
        public static Column Of<T>(NativeArray<T> array, int offset = 0) where T : struct
        {
            long size = UnsafeUtility.SizeOf<T>();
            return new Column(null, (IntPtr)NativeArrayUnsafeUtility.GetUnsafeReadOnlyPtr(array), array.Length * size,
                offset, size, array.Length);
        }
#endif

        /// <summary>The address of the first number. All must lie in the array: the library sees no end of it.</summary>
        internal IntPtr Pin(Pins pins, int size, string argument)
        {
            if (Count == 0) return IntPtr.Zero;
            if (bytes >= 0 && (first < 0 || first + (Count - 1) * Stride + size > bytes))
                throw Status.Refusal(Code.OutOfRange, argument, 0);
            IntPtr start = array == null ? address : pins.Add(array);
            return start == IntPtr.Zero ? start : (IntPtr)((long)start + first);
        }
    }
}
