"""The pictures of docs/hosts/blender.md. hosts/blender/render starts it inside Blender:

    blender --background --factory-startup --python-exit-code 1 --python pictures.py -- MODULES FOLDER [NAME ...]

MODULES has the package throng. Each function below makes points, lets the add-on measure or move them, and shows the
attributes by nodes, as a user would. Made for Blender 3.4.
"""

import sys
from pathlib import Path
from typing import Any, Callable, Dict, Sequence, Tuple

arguments = sys.argv[sys.argv.index("--") + 1 :]
sys.dont_write_bytecode = True
sys.path[:0] = [arguments[0], str(Path(__file__).resolve().parent)]

import bpy  # noqa: E402
import numpy as np  # noqa: E402
import throng_points  # noqa: E402
from mathutils import Vector  # noqa: E402
from PIL import Image  # noqa: E402

SIZE = (640, 360)
#: From few to many: blue, teal, yellow, red.
RAMP = ((0.02, 0.07, 0.35), (0.02, 0.3, 0.38), (0.9, 0.55, 0.06), (0.7, 0.03, 0.02))


def points(name: str, positions: Any) -> Any:
    """An object whose mesh has these points, active."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(positions))
    mesh.vertices.foreach_set("co", np.ascontiguousarray(positions, np.float32).ravel())
    mesh.update()
    one = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(one)
    bpy.context.view_layer.objects.active = one
    return one


def usual(one: Any) -> Any:
    """Between which two densities most points are."""
    values = np.empty(len(one.data.vertices), np.float32)
    one.data.attributes["point_density"].data.foreach_get("value", values)
    return np.percentile(values, (5, 98))


def coloured(attribute: str, low: float, high: float, colours: Sequence[Tuple[float, ...]]) -> Any:
    """A material that shows an attribute between two values by these colours."""
    material = bpy.data.materials.new(attribute)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.5
    value = nodes.new("ShaderNodeAttribute")
    value.attribute_name = attribute
    ranged = nodes.new("ShaderNodeMapRange")
    ranged.inputs["From Min"].default_value, ranged.inputs["From Max"].default_value = low, high
    ramp = nodes.new("ShaderNodeValToRGB")
    elements = ramp.color_ramp.elements
    while len(elements) < len(colours):
        elements.new(0.5)
    for i, colour in enumerate(colours):
        elements[i].position = i / (len(colours) - 1)
        elements[i].color = (*colour, 1)
    links.new(value.outputs["Fac"], ranged.inputs["Value"])
    links.new(ranged.outputs["Result"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    return material


class Shape:
    """The geometry nodes of an object, one behind the other."""

    def __init__(self, one: Any) -> None:
        modifier = one.modifiers.new("shape", "NODES")
        self.group = bpy.data.node_groups.new("shape", "GeometryNodeTree")
        modifier.node_group = self.group
        self.group.inputs.new("NodeSocketGeometry", "Geometry")
        self.group.outputs.new("NodeSocketGeometry", "Geometry")
        self.last = self.group.nodes.new("NodeGroupInput").outputs[0]

    def node(self, kind: str, **inputs: Any) -> Any:
        """A node, whose inputs are numbers or other nodes' outputs."""
        node = self.group.nodes.new(kind)
        for name, value in inputs.items():
            socket = node.inputs[name.replace("_", " ")]
            if isinstance(value, bpy.types.NodeSocket):
                self.group.links.new(value, socket)
            else:
                socket.default_value = value
        return node

    def attribute(self, name: str, kind: str) -> Any:
        node = self.group.nodes.new("GeometryNodeInputNamedAttribute")
        node.data_type = kind
        node.inputs["Name"].default_value = name
        return next(socket for socket in node.outputs if socket.enabled)

    def then(self, kind: str, socket: int = 0, **inputs: Any) -> "Shape":
        node = self.node(kind, **inputs)
        self.group.links.new(self.last, node.inputs[socket])
        self.last = node.outputs[0]
        return self

    def end(self, material: Any) -> None:
        self.then("GeometryNodeSetMaterial", Material=material)
        out = self.group.nodes.new("NodeGroupOutput")
        self.group.links.new(self.last, out.inputs[0])


def stage(eye: Tuple[float, ...], at: Tuple[float, ...], angle: float) -> None:
    """A camera that looks at a place, a sun, and an even sky."""
    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = eye
    camera.rotation_euler = (Vector(at) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
    camera.data.angle = np.radians(angle)
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.rotation_euler = np.radians((40, 15, 30))
    sun.data.energy, sun.data.angle = 3, np.radians(3)
    for one in (camera, sun):
        scene.collection.objects.link(one)
    scene.camera = camera
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.9, 0.92, 0.96, 1)


def density() -> None:
    """A spiral of forty thousand points, coloured by how dense it is around each."""
    random = np.random.default_rng(3)
    count = 40_000
    out = random.random(count) ** 0.6 * 10
    arm = random.integers(0, 3, count) * 2 * np.pi / 3 + out * 0.55
    turn = arm + random.normal(size=count) * 0.9 / (0.6 + out * 0.35)
    height = random.normal(size=count) * (0.12 + 0.4 * np.exp(-out))
    one = points("spiral", np.stack((out * np.cos(turn), out * np.sin(turn), height), 1))
    one.data.throng.radius = 0.5
    bpy.ops.throng.density()
    Shape(one).then("GeometryNodeMeshToPoints", Radius=0.05).end(coloured("point_density", *usual(one), RAMP))
    stage((0, -22, 17), (0, -2.4, 0), 48)


def neighbours() -> None:
    """Points in a ball, by how many are near each, and edges between those that are."""
    random = np.random.default_rng(5)
    places = random.normal(size=(500, 3))
    places *= (random.random((500, 1)) ** 0.45 * 3) / np.linalg.norm(places, axis=1)[:, None]
    one = points("cloud", places * (1.8, 1.2, 0.9))
    one.data.throng.radius = 0.75
    bpy.ops.throng.neighbours()
    bpy.ops.throng.edges()
    edges = next(found for found in bpy.data.objects if found.data == one.data.throng.edges)
    Shape(one).then("GeometryNodeMeshToPoints", Radius=0.085).end(coloured("neighbours", 1, 12, RAMP))
    tubes = Shape(edges).then("GeometryNodeMeshToCurve")
    circle = tubes.node("GeometryNodeCurvePrimitiveCircle", Resolution=6, Radius=0.014)
    tubes.then("GeometryNodeCurveToMesh", Profile_Curve=circle.outputs[0])
    tubes.end(coloured("length", 0.1, 0.75, ((0.1, 0.12, 0.16), (0.55, 0.6, 0.68))))
    stage((0, -15.5, 5), (0, 0, -0.1), 42)


def flock() -> None:
    """Three thousand points that fly as a flock, after 280 steps."""
    random = np.random.default_rng(7)
    one = points("flock", (random.random((3000, 3)) - 0.5) * (24, 14, 8))
    settings = one.data.throng
    settings.radius = 1.2
    rules = settings.flock
    rules.radius, rules.apart, rules.range = 1.6, 0.8, 7
    rules.separation, rules.cohesion, rules.alignment, rules.home = 0.08, 0.012, 0.12, 0.006
    bpy.context.scene.frame_set(1)
    bpy.ops.throng.flock_begin()
    bpy.context.scene.frame_set(281)
    bpy.ops.throng.density()
    shape = Shape(one)
    cone = shape.node("GeometryNodeMeshCone", Vertices=6, Radius_Bottom=0.13, Depth=0.6)
    turned = shape.node("FunctionNodeAlignEulerToVector", Vector=shape.attribute("flock_velocity", "FLOAT_VECTOR"))
    turned.axis = "Z"
    shape.then("GeometryNodeInstanceOnPoints", Instance=cone.outputs[0], Rotation=turned.outputs[0])
    shape.then("GeometryNodeRealizeInstances")
    shape.end(coloured("point_density", *usual(one), RAMP))
    stage((5, -22, 14), (-1, 0.3, 0), 46)


PICTURES: Dict[str, Callable[[], None]] = {"density": density, "neighbours": neighbours, "flock": flock}


def render(path: Path) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 48
    scene.cycles.use_denoising = False
    scene.cycles.seed = 1
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"
    scene.render.image_settings.compression = 100
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    # A third of the bytes: what is left out is noise.
    pixels = Image.open(path).quantize(96, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    pixels.save(path, optimize=True)


throng_points.register()
for name in arguments[2:] or PICTURES:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    PICTURES[name]()
    render(Path(arguments[1], f"blender-{name}.png"))
