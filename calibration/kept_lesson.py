"""The named pictures of a lesson, stored in a folder beside the profile, from which a set is tuned later and fitted
again by a release with other nets."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration import profile_store
from calibration.learned_appearance import identity_of
from calibration.lesson import Lesson
from calibration.lesson_task import STEPS, Named, NamedPage, task_for
from calibration.profile_store import ProfileError
from calibration.teaching_session import PINNED
from rules.pieces import Face, Kind
from rules.sentence import say
from vision.frame import Frame, PictureError, read_frame
from vision.piece import DetectedPiece
from vision.table_reader import TableReader

KIND: Final = "piecepack-companion lesson"


def folder_of(profile: Path, name: str) -> Path:
    """The folder of a set's lesson; every profile has its own lessons."""
    return profile.parent / "lessons" / profile.stem / sha256(name.encode()).hexdigest()[:16]


def is_stored(folder: Path) -> bool:
    return _file(folder).exists()


def store_lesson(lesson: Lesson, folder: Path) -> None:
    """Store a lesson; a different former one in the folder is deleted with its tuning files."""
    draft = folder.with_name(folder.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir(parents=True)
        frames = {id(frame): frame for frame, _ in lesson.pages}
        files = {which: f"{number:02d}.png" for number, which in enumerate(frames, 1)}
        for which, frame in frames.items():
            good, data = cv2.imencode(".png", frame.image)
            if not good:
                raise OSError("the picture cannot be encoded")
            (draft / files[which]).write_bytes(data.tobytes())
        pages = [{"file": files[id(frame)], **_page_to_json(page)} for frame, page in lesson.pages]
        profile_store.write(_file(draft), KIND, {"name": lesson.name, "pages": pages})
        if is_stored(folder) and _file(folder).read_bytes() == _file(draft).read_bytes():
            shutil.rmtree(draft)
            return
        delete_lesson(folder)
        draft.replace(folder)
    except OSError as error:
        raise ProfileError(
            say("{file}: cannot be written ({why}); choose another folder", file=str(folder), why=str(error))
        ) from None


def delete_lesson(folder: Path) -> None:
    """Delete a stored lesson with its tuning files."""
    shutil.rmtree(folder, ignore_errors=True)


def stored_name(folder: Path) -> str:
    """Name of the stored lesson's set."""
    return str(profile_store.read(_file(folder), KIND)["name"])


def stored_lesson(folder: Path, eyes: TableReader) -> Lesson:
    """The stored lesson; ProfileError where its files are damaged."""
    data = profile_store.read(_file(folder), KIND)
    frames: dict[str, Frame] = {}
    try:
        pages = []
        for each in data["pages"]:
            file = Path(str(each["file"])).name
            if file not in frames:
                frames[file] = read_frame(folder / file)
            pages.append((frames[file], _page_from_json(each)))
        return Lesson(str(data["name"]), eyes, pages)
    except (KeyError, TypeError, ValueError, PictureError):
        raise ProfileError(say("{file}: is damaged; teach the set again", file=str(folder))) from None


def _file(folder: Path) -> Path:
    return folder / "lesson.json"


def _page_to_json(page: NamedPage) -> dict[str, Any]:
    return {
        "step": page.step.id,
        "game": page.game,
        "beside": [outline.tolist() for outline in page.beside],
        "pieces": [
            {
                "suit": suit,
                "value": None if rank is None else rank.word,
                "center": each.piece.center.tolist(),
                "outline": each.piece.outline.tolist(),
            }
            for each in page.named
            for suit, rank in (each.name,)
        ],
    }


def _page_from_json(data: dict[str, Any]) -> NamedPage:
    step = task_for(STEPS[data["step"]], len(data["pieces"]))
    face = None if step.face is None else Face(step.face)
    named = []
    for each in data["pieces"]:
        center, outline = (np.array(each[part], np.float64) for part in ("center", "outline"))
        piece = DetectedPiece(Kind(step.kind), center, outline, 1.0, face)
        named.append(Named(piece, identity_of(each["suit"], each["value"]), PINNED))
    beside = tuple(np.array(outline, np.float64) for outline in data.get("beside", ()))
    return NamedPage(step, named, str(data["game"]), beside)
