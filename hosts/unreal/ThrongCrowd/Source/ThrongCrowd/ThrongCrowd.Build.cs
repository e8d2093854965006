// Not "Throng": Unreal makes a macro of a module's name, THRONG_API, which is one of the library's.
using System.IO;
using UnrealBuildTool;

public class ThrongCrowd : ModuleRules
{
    public ThrongCrowd(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine" });

        // Where the library is installed: include/, lib/ and, on Windows, bin/.
        string Installed = Path.Combine(PluginDirectory, "Source", "ThirdParty", "Throng");
        PrivateIncludePaths.Add(Path.Combine(Installed, "include"));
        if (Target.Platform == UnrealTargetPlatform.Win64)
        {
            PublicAdditionalLibraries.Add(Path.Combine(Installed, "lib", "throng.lib"));
            RuntimeDependencies.Add("$(BinaryOutputDir)/throng.dll", Path.Combine(Installed, "bin", "throng.dll"));
        }
        else if (Target.Platform == UnrealTargetPlatform.Linux)
        {
            PublicAdditionalLibraries.Add(Path.Combine(Installed, "lib", "libthrong.so"));
            RuntimeDependencies.Add(Path.Combine(Installed, "lib", "libthrong.so.0.1"));
        }
        else
        {
            throw new BuildException("Throng is for Windows and Linux here");
        }
    }
}
