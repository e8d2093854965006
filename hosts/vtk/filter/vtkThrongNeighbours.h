// A filter of VTK: how many neighbours each point has, how dense it is there, how far away the
// nearest other point is, and the pairs of neighbours as lines. docs/hosts/vtk.md
#ifndef vtkThrongNeighbours_h
#define vtkThrongNeighbours_h

#include "vtkThrongModule.h" // VTKTHRONG_EXPORT

#include <vtkPointSetAlgorithm.h>

/// Port 0 has the input with three more arrays of its points: "Neighbours", without the point
/// itself; "Density", points in a unit of area or volume; "NearestDistance", -1 where there is no
/// other point. Port 1 has a line for each two neighbours, if GeneratePairs is on.
///
/// Points in doubles are kept as floats relative to the middle of all points. What the library
/// refuses, such as a coordinate that is not finite, is an error with its sentence.
class VTKTHRONG_EXPORT vtkThrongNeighbours : public vtkPointSetAlgorithm {
public:
    static vtkThrongNeighbours* New();
    vtkTypeMacro(vtkThrongNeighbours, vtkPointSetAlgorithm);
    void PrintSelf(ostream& os, vtkIndent indent) override;

    /// Points no farther apart are neighbours; 1 unless set.
    vtkSetClampMacro(Radius, double, 0.0, 1e18);
    vtkGetMacro(Radius, double);

    enum { FLAT = 0, LINEAR = 1, POLY6 = 2 };
    /// What a neighbour at distance d counts for in the density: 1, 1 - d / Radius, or
    /// (1 - d * d / (Radius * Radius)) cubed, which it is unless set.
    vtkSetClampMacro(Kernel, int, FLAT, POLY6);
    vtkGetMacro(Kernel, int);
    void SetKernelToFlat() { this->SetKernel(FLAT); }
    void SetKernelToLinear() { this->SetKernel(LINEAR); }
    void SetKernelToPoly6() { this->SetKernel(POLY6); }

    /// Whether z plays no part, and densities are by area.
    vtkSetMacro(Planar, bool);
    vtkGetMacro(Planar, bool);
    vtkBooleanMacro(Planar, bool);

    /// An array of the input's points with their radii: distances are then those between surfaces,
    /// and 0 where two overlap. None: points have no size.
    vtkSetStringMacro(RadiusArrayName);
    vtkGetStringMacro(RadiusArrayName);

    vtkSetMacro(GeneratePairs, bool);
    vtkGetMacro(GeneratePairs, bool);
    vtkBooleanMacro(GeneratePairs, bool);

protected:
    vtkThrongNeighbours();
    ~vtkThrongNeighbours() override;

    int FillOutputPortInformation(int port, vtkInformation* info) override;
    int RequestDataObject(vtkInformation* request, vtkInformationVector** inputs,
                          vtkInformationVector* outputs) override;
    int RequestData(vtkInformation* request, vtkInformationVector** inputs,
                    vtkInformationVector* outputs) override;

private:
    vtkThrongNeighbours(const vtkThrongNeighbours&) = delete;
    void operator=(const vtkThrongNeighbours&) = delete;

    double Radius;
    int Kernel;
    bool Planar;
    bool GeneratePairs;
    char* RadiusArrayName;
};

#endif
