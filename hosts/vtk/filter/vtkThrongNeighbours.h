// A filter for VTK: the number of neighbours of each point, the density there, the distance to the
// nearest other point, and pairs of neighbours as lines. See docs/hosts/vtk.md.
#ifndef vtkThrongNeighbours_h
#define vtkThrongNeighbours_h

#include "vtkThrongModule.h" // VTKTHRONG_EXPORT

#include <vtkPointSetAlgorithm.h>

/// Port 0 has the input with three more arrays of its points: "Neighbours", without the point
/// itself; "Density", points per unit of area or volume; "NearestDistance", -1 if there is no other
/// point. Port 1 has a line for each pair of neighbours if GeneratePairs is on.
///
/// Points in doubles are kept as floats relative to the middle of all points. If the library
/// refuses something, such as a coordinate that is not finite, the filter reports an error with its
/// sentence.
class VTKTHRONG_EXPORT vtkThrongNeighbours : public vtkPointSetAlgorithm {
public:
    static vtkThrongNeighbours* New();
    vtkTypeMacro(vtkThrongNeighbours, vtkPointSetAlgorithm);
    void PrintSelf(ostream& os, vtkIndent indent) override;

    /// Points at most this far apart are neighbours; default 1.
    vtkSetClampMacro(Radius, double, 0.0, 1e18);
    vtkGetMacro(Radius, double);

    enum { FLAT = 0, LINEAR = 1, POLY6 = 2 };
    /// The weight of a neighbour at distance d in the density: 1, 1 - d / Radius, or (1 - d * d /
    /// (Radius * Radius)) cubed, the default.
    vtkSetClampMacro(Kernel, int, FLAT, POLY6);
    vtkGetMacro(Kernel, int);
    void SetKernelToFlat() { this->SetKernel(FLAT); }
    void SetKernelToLinear() { this->SetKernel(LINEAR); }
    void SetKernelToPoly6() { this->SetKernel(POLY6); }

    /// Whether z is ignored, and densities are per area.
    vtkSetMacro(Planar, bool);
    vtkGetMacro(Planar, bool);
    vtkBooleanMacro(Planar, bool);

    /// The name of an array with the points' radii: distances are then between surfaces, and 0
    /// where two points overlap. None: points have no size.
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
