"""What the add-on adds to Blender and takes away again, its panels, its archive, and what a file keeps."""

import ast
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, List

import bpy
import throng_points
from pack import pack
from support import Case, located, scattered
from throng_points import frames, panel

SOURCES = Path(throng_points.__file__).parent


class Layout:
    """Stands for the layout of a panel, which there is none of without a window. It refuses names that Blender
    would only warn of in a console."""

    def __init__(self, seen: List[str]) -> None:
        self.seen = seen

    def prop(self, data: Any, name: str) -> None:
        self.seen.append(data.bl_rna.properties[name].name)

    def operator(self, name: str, icon: str = "NONE") -> None:
        self.seen.append(getattr(bpy.ops.throng, name.removeprefix("throng.")).get_rna_type().name)

    def label(self, text: str, icon: str = "NONE") -> None:
        self.seen.append(text)

    def row(self, align: bool) -> Any:
        return Layout(self.seen)


class AddOn(Case):
    def handlers(self) -> int:
        return bpy.app.handlers.frame_change_pre.count(frames.on_frame)

    def test_registers_twice_and_leaves_nothing_behind(self) -> None:
        for _ in range(2):
            throng_points.unregister()
            self.assertFalse(hasattr(bpy.types.Mesh, "throng"))
            self.assertEqual(self.handlers(), 0)
            left = [name for name in dir(bpy.types) if "throng" in name.lower()]
            self.assertEqual(left, [])
            throng_points.register()
            self.assertEqual(self.handlers(), 1)
            self.assertEqual(self.mesh(scattered(3)).throng.radius, 1.0)

    def test_other_files_are_computed_too(self) -> None:
        bpy.ops.wm.read_factory_settings()
        self.assertEqual(self.handlers(), 1)

    def test_panels_show_what_there_is(self) -> None:
        mesh = self.mesh(scattered(3))
        mesh.throng.refusal = "a reason"
        seen: List[str] = []
        for one in (panel.ThrongPanel, panel.ThrongFlockPanel):
            self.assertTrue(panel.ThrongPanel.poll(bpy.context))
            one.draw(SimpleNamespace(layout=Layout(seen)), bpy.context)
        for shown in ("a reason", "Radius", "Density", "Edges", "Alignment", "Move with Frames", "Begin", "Rewind"):
            self.assertIn(shown, seen)
        self.assertNotIn("Install throng", seen)

    def test_a_file_keeps_flock_and_settings(self) -> None:
        mesh = self.mesh(scattered(60))
        mesh.throng.flock.alignment = 0.5
        bpy.ops.throng.flock_begin()
        start = bpy.context.scene.frame_current
        bpy.context.scene.frame_set(start + 3)
        moved = located(mesh).tobytes()
        bpy.context.scene.frame_set(start + 1)
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "flock.blend"))
            bpy.ops.wm.save_as_mainfile(filepath=path)
            bpy.ops.wm.read_factory_settings(use_empty=True)
            bpy.ops.wm.open_mainfile(filepath=path)
        mesh = bpy.data.meshes["points"]
        self.assertEqual(mesh.throng.flock.alignment, 0.5)
        bpy.context.scene.frame_set(start + 3)
        self.assertEqual(located(mesh).tobytes(), moved)


class Sources(Case):
    def test_no_loop_goes_over_points(self) -> None:
        """Loops of Python are over settings, steps, axes, meshes and classes; what comes from a mesh's points is
        copied as a whole."""
        for file in SOURCES.glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, (ast.For, ast.comprehension)):
                    over = ast.unparse(node.iter)
                    for word in ("vertices", "data.", "edges", "positions"):
                        self.assertNotIn(word, over.replace("bpy.data.", ""), f"{file.name}: {over}")

    def test_the_archive_has_them_and_no_moment(self) -> None:
        with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(pack(Path(folder))) as archive:
            for file in SOURCES.glob("*.py"):
                self.assertEqual(archive.read(f"throng_points/{file.name}"), file.read_bytes())
            self.assertEqual({one.date_time[0] for one in archive.infolist()}, {1980})
