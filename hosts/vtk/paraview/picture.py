"""Makes the picture of docs/hosts/vtk.md: pvpython picture.py <plugin> <picture>. Needs a display, such as Xvfb's."""

import sys

import numpy as np
from paraview.simple import (
    ColorBy, CreateRenderView, GetColorTransferFunction, GetScalarBar, LoadPlugin, Render, SaveScreenshot, Show,
    TrivialProducer,
)
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData


def square():
    """People on a square, most of them around three stages: points, each drawn as a vertex."""
    random = np.random.default_rng(3)
    stages = [((-9, 4), 2.0), ((6, 6), 2.8), ((3, -6), 3.6)]
    people = [random.normal(at, spread, (450, 2)) for at, spread in stages]
    people.append(random.uniform((-17, -11), (17, 11), (450, 2)))
    places = np.zeros((1800, 3), np.float32)
    places[:, :2] = np.concatenate(people)
    points, vertices, data = vtkPoints(), vtkCellArray(), vtkPolyData()
    points.SetData(numpy_to_vtk(places, deep=True))
    vertices.SetData(1, numpy_to_vtkIdTypeArray(np.arange(len(places)), deep=True))
    data.SetPoints(points)
    data.SetVerts(vertices)
    return data


def main(plugin, picture):
    LoadPlugin(plugin, ns=globals())
    source = TrivialProducer()
    source.GetClientSideObject().SetOutput(square())
    near = ThrongNeighbours(Input=source, Radius=1.0, Kernel="Linear", Planar=1, GeneratePairs=1)  # noqa: F821
    view = CreateRenderView(
        ViewSize=[1000, 640], Background=[0.09, 0.1, 0.13], UseColorPaletteForBackground=0, OrientationAxesVisibility=0
    )
    people, pairs = Show(near[0], view), Show(near[1], view)
    people.PointSize = 5
    pairs.Opacity = 0.55
    for shown in (people, pairs):
        ColorBy(shown, ("POINTS", "Density"))
    colours = GetColorTransferFunction("Density")
    colours.ApplyPreset("Viridis (matplotlib)", True)
    colours.RescaleTransferFunction(0, 16)
    bar = GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle, bar.RangeLabelFormat, bar.Visibility = "people per square metre", "", "%.0f", 1
    Render(view)
    view.CameraPosition, view.CameraFocalPoint = [0, 0, 50], [0, 0, 0]
    view.CameraParallelProjection, view.CameraParallelScale = 1, 11
    SaveScreenshot(picture, view, OverrideColorPalette="", CompressionLevel="9")


main(*sys.argv[1:])
