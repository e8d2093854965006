using System;
using System.Globalization;
using System.Threading;

/// <summary>The C# package against brute force. usage: tests.exe abi.txt, in a folder with the shared library.</summary>
static class Program
{
    static int Main(string[] arguments)
    {
        Thread.CurrentThread.CurrentCulture = CultureInfo.InvariantCulture;
        LayoutTest.Run(arguments[0]);
        ShapeTest.Run();
        PartyTest.Run();
        ObstacleTest.Run();
        SightTest.Run();
        CrowdTest.Run();
        HandleTest.Run();
        PlaceTest.Run();
        VisitTest.Run();
        LifeTest.Run();
        RefusalTest.Run();
#if UNITY_2021_3_OR_NEWER
        UnityTest.Run();
#endif
        return Check.Report();
    }
}
