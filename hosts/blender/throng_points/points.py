"""The points of a mesh as NumPy arrays. Blender copies them in one go; no point is touched one by one."""

from typing import Any, Dict, Optional, Tuple

import numpy as np

from .refused import Refused

#: For each type of attribute: what Blender calls its values, their type, and how many one has.
KINDS: Dict[str, Tuple[str, Any, int]] = {
    "INT": ("value", np.int32, 1),
    "FLOAT": ("value", np.float32, 1),
    "FLOAT_VECTOR": ("vector", np.float32, 3),
}


def positions(mesh: Any) -> Any:
    """Where the points are, of shape (n, 3)."""
    flat = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3)


def set_positions(mesh: Any, values: Any) -> None:
    mesh.vertices.foreach_set("co", np.ascontiguousarray(values, np.float32).ravel())
    mesh.update()


def attribute(mesh: Any, name: str, kind: str, domain: str = "POINT") -> Optional[Any]:
    """The attribute of that name, None if there is none. One of another type is somebody else's, and refused."""
    found = mesh.attributes.get(name)
    if found is not None and (found.data_type, found.domain) != (kind, domain):
        raise Refused(
            f'the mesh has an attribute "{name}" of another kind: {found.data_type} of {found.domain},'
            f" not {kind} of {domain}"
        )
    return found


def read(mesh: Any, name: str, kind: str) -> Optional[Any]:
    """The values of an attribute of points, None if there is none."""
    found = attribute(mesh, name, kind)
    if found is None:
        return None
    field, number, width = KINDS[kind]
    flat = np.empty(len(found.data) * width, number)
    found.data.foreach_get(field, flat)
    return flat.reshape(-1, width) if width > 1 else flat


def write(mesh: Any, name: str, kind: str, values: Any, domain: str = "POINT") -> None:
    """Sets an attribute, which is made if there is none."""
    found = attribute(mesh, name, kind, domain) or mesh.attributes.new(name, kind, domain)
    field, number, _ = KINDS[kind]
    found.data.foreach_set(field, np.ascontiguousarray(values, number).ravel())
    mesh.update()
