// As much of Unity as the package uses, so that mono compiles and runs that part of it too. An array is freed memory
// once it is disposed of, and what was lent is refused after its time, as Unity's checks do.
using System;
using System.Runtime.InteropServices;
using Unity.Collections.LowLevel.Unsafe;

namespace AOT
{
    public sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }
}

namespace UnityEngine
{
    public struct Vector2
    {
        public float x, y;
        public Vector2(float x, float y) { this.x = x; this.y = y; }
    }

    public struct Vector3
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
    }
}

namespace Unity.Collections
{
    public enum Allocator { None = 1, Persistent = 4 }

    public unsafe struct NativeArray<T> : IDisposable where T : struct
    {
        internal IntPtr memory;
        internal AtomicSafetyHandle safety;
        public int Length { get; internal set; }

        public NativeArray(T[] values, Allocator allocator) : this()
        {
            Length = values.Length;
            memory = Marshal.AllocHGlobal(values.Length * UnsafeUtility.SizeOf<T>() + 1);
            for (int i = 0; i < Length; ++i) Marshal.StructureToPtr(values[i], At(i), false);
        }

        IntPtr At(int i) { return (IntPtr)((long)memory + (long)i * UnsafeUtility.SizeOf<T>()); }

        public T this[int i]
        {
            get
            {
                if (safety.Lent && !safety.Alive) throw new ObjectDisposedException("NativeArray");
                return (T)Marshal.PtrToStructure(At(i), typeof(T));
            }
            set { Marshal.StructureToPtr(value, At(i), false); }
        }

        public void Dispose() { Marshal.FreeHGlobal(memory); }
    }
}

namespace Unity.Collections.LowLevel.Unsafe
{
    public struct AtomicSafetyHandle
    {
        /// <summary>Whether a job is at work, for which Unity keeps account.</summary>
        public static bool Busy;
        bool[] alive;
        public bool Lent { get { return alive != null; } }
        public bool Alive { get { return alive[0]; } }
        public static AtomicSafetyHandle Create() { return new AtomicSafetyHandle { alive = new[] { true } }; }
        public static void Release(AtomicSafetyHandle handle) { handle.alive[0] = false; }

        public static void CheckDeallocateAndThrow(AtomicSafetyHandle handle)
        {
            if (Busy || !handle.alive[0]) throw new InvalidOperationException(Busy ? "a job reads it" : "released twice");
        }
    }

    public static class UnsafeUtility
    {
        public static int SizeOf<T>() where T : struct { return Marshal.SizeOf(typeof(T)); }
    }

    public static unsafe class NativeArrayUnsafeUtility
    {
        public static void* GetUnsafePtr<T>(this NativeArray<T> array) where T : struct { return (void*)array.memory; }

        public static void* GetUnsafeReadOnlyPtr<T>(this NativeArray<T> array) where T : struct
        {
            return (void*)array.memory;
        }

        public static NativeArray<T> ConvertExistingDataToNativeArray<T>(void* data, int length, Allocator allocator)
            where T : struct
        {
            return new NativeArray<T> { memory = (IntPtr)data, Length = length };
        }

        public static void SetAtomicSafetyHandle<T>(ref NativeArray<T> array, AtomicSafetyHandle safety) where T : struct
        {
            array.safety = safety;
        }
    }
}
