// The crowd of a world of Unreal. docs/unreal.md
#pragma once

#include "CoreMinimal.h"
#include "Subsystems/WorldSubsystem.h"

#include "ThrongCrowdSubsystem.generated.h"

struct throng_batch;
struct throng_crowd;
struct throng_executor;

/// Who is near whom in a world: give all positions once a frame, then ask. Agents are called by
/// their indices. They are points, or balls if they have radii; touching counts.
///
/// Whatever the library refuses returns false, with a warning that has its sentence, and leaves the
/// crowd and the arrays of answers as they were. Work runs on Unreal's own threads.
UCLASS()
class THRONGCROWD_API UThrongCrowdSubsystem : public UWorldSubsystem {
    GENERATED_BODY()

public:
    void Initialize(FSubsystemCollectionBase& Collection) override;
    void Deinitialize() override;

    /// Forgets all agents. Near the origin positions are most exact: they are kept as floats
    /// relative to it. A planar crowd knows no height.
    UFUNCTION(BlueprintCallable, Category = "Throng")
    bool Configure(FVector Origin, bool bPlanar);

    /// Replaces all agents. Radii: one for each, or none at all. No other call may go on meanwhile.
    UFUNCTION(BlueprintCallable, Category = "Throng")
    bool Update(const TArray<FVector>& Positions, const TArray<float>& Radii);

    // All agents at once; one call of these two at a time.

    /// The neighbours of agent i, no farther than the radius from surface to surface, are
    /// Ids[Offsets[i]] to Ids[Offsets[i + 1] - 1].
    UFUNCTION(BlueprintCallable, Category = "Throng")
    bool Neighbours(float Radius, TArray<int32>& Offsets, TArray<int32>& Ids);

    UFUNCTION(BlueprintCallable, Category = "Throng")
    bool CountNeighbours(float Radius, TArray<int32>& Counts);

    // One question; any number of threads may ask at once.

    UFUNCTION(BlueprintCallable, Category = "Throng")
    bool InBall(FVector Centre, float Radius, TArray<int32>& Ids) const;

    /// The nearest agents, at most 1024 and no farther than Within, the nearest first.
    UFUNCTION(BlueprintCallable, Category = "Throng")
    bool Nearest(FVector Point, int32 Most, float Within, TArray<int32>& Ids,
                 TArray<float>& Distances) const;

    /// The first agent that a ball touches on its straight way, and when, from 0 to 1; INDEX_NONE
    /// if there is none.
    UFUNCTION(BlueprintCallable, Category = "Throng")
    bool FirstHit(FVector From, FVector To, float Radius, int32& Id, float& Time) const;

    /// For all other questions of throng.h, whose rules then hold.
    throng_crowd* Handle() const { return Crowd; }

private:
    uint32 Dimension() const { return bInPlane ? 2 : 3; }
    uint32 Body() const;

    throng_executor* Executor = nullptr;
    throng_crowd* Crowd = nullptr;
    throng_batch* Batch = nullptr;
    bool bInPlane = false;
    bool bHasRadii = false;
};
