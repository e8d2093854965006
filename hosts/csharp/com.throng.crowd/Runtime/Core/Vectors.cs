using System;
using System.Runtime.InteropServices;

namespace Throng
{
    /// <summary>Two coordinates side by side.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float2
    {
        public float X, Y;
        public Float2(float x, float y) { X = x; Y = y; }
#if UNITY_2021_3_OR_NEWER
        public static implicit operator Float2(UnityEngine.Vector2 v) { return new Float2(v.x, v.y); }
        public static implicit operator UnityEngine.Vector2(Float2 v) { return new UnityEngine.Vector2(v.X, v.Y); }
#endif
    }

    /// <summary>Three coordinates side by side.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float3
    {
        public float X, Y, Z;
        public Float3(float x, float y, float z) { X = x; Y = y; Z = z; }
#if UNITY_2021_3_OR_NEWER
        public static implicit operator Float3(UnityEngine.Vector3 v) { return new Float3(v.x, v.y, v.z); }
        public static implicit operator UnityEngine.Vector3(Float3 v)
        {
            return new UnityEngine.Vector3(v.X, v.Y, v.Z);
        }
#endif
    }

    /// <summary>Three coordinates as doubles.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double3
    {
        public double X, Y, Z;
        public Double3(double x, double y, double z) { X = x; Y = y; Z = z; }
    }

    /// <summary>A number for each axis.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct UInt3
    {
        public uint X, Y, Z;
    }

    public static unsafe partial class Native
    {
        /// <summary>An address for each axis.</summary>
        [StructLayout(LayoutKind.Sequential)]
        public struct Pointer3
        {
            public IntPtr X, Y, Z;

            internal void Set(int axis, IntPtr value)
            {
                if (axis == 0) X = value;
                else if (axis == 1) Y = value;
                else Z = value;
            }
        }

        /// <summary>A number of bytes for each axis.</summary>
        [StructLayout(LayoutKind.Sequential)]
        public struct Offset3
        {
            public IntPtr X, Y, Z;
            public Offset3(int x, int y, int z) { X = (IntPtr)x; Y = (IntPtr)y; Z = (IntPtr)z; }

            internal void Set(int axis, long value)
            {
                if (axis == 0) X = (IntPtr)value;
                else if (axis == 1) Y = (IntPtr)value;
                else Z = (IntPtr)value;
            }
        }
    }
}
