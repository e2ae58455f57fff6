"""The page's files come small, are not sent twice, and are read again when they change."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

import companion_api
from companion_api.page_files import PageFiles, WordFiles, strip_comments


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("<p>hello</p>" * 99)
    (tmp_path / "page" / "a.js").write_text("export const a = 1;\n")
    (tmp_path / "secret.js").write_text("secret")
    return tmp_path / "page"


def client(folder: Path) -> TestClient:
    return TestClient(Starlette(routes=[Mount("/under", PageFiles(folder)), Mount("/", PageFiles(folder))]))


def test_a_folder_is_its_index_and_comes_small(folder: Path) -> None:
    for path in ("/", "/under/"):
        answer = client(folder).get(path)
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) < 99
        assert answer.text == "<p>hello</p>" * 99
    plain = client(folder).get("/a.js", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.headers["content-type"].startswith("text/javascript")


def test_what_a_phone_has_is_not_sent_again_until_it_changes(folder: Path) -> None:
    phone = client(folder)
    tag = phone.get("/a.js").headers["etag"]
    again = phone.get("/a.js", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    (folder / "a.js").write_text("export const a = 2;\n")
    os.utime(folder / "a.js", ns=(1, 1))
    assert phone.get("/a.js", headers={"if-none-match": tag}).text == "export const a = 2;\n"


@pytest.mark.parametrize("path", ["/b.js", "/..%2fsecret.js", "/%2e%2e/secret.js", "/a.js%00", "/a.js/x"])
def test_there_is_nothing_else(path: str, folder: Path) -> None:
    assert client(folder).get(path).status_code == 404


def test_a_file_is_kept_once_however_it_is_asked_for(folder: Path) -> None:
    files = PageFiles(folder)
    phone = TestClient(Starlette(routes=[Mount("/", files)]))
    for number in range(50):
        assert phone.get(f"/x{number}/%2e%2e/a.js").status_code == 200
        assert phone.get(f"/.{'/' * number}/a.js").status_code == 200
    assert len(files._cached) == 1


def test_parts_of_the_words_are_kept_once(tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text('{"end.x": "later", "board": "now"}')
    words = WordFiles(tmp_path)
    phone = TestClient(Starlette(routes=[Mount("/", words)]))
    assert phone.get("/first/en.json").json() == {"board": "now"}
    assert phone.get("/rest/en.json").json() == {"end.x": "later"}
    for number in range(20):
        assert phone.get(f"/y{number}/%2e%2e/rest/en.json").json() == {"end.x": "later"}
        assert phone.get(f"/y{number}/rest/en.json").status_code == 404
    assert len(words._cached) == 2


def test_nothing_is_posted_to_a_file(folder: Path) -> None:
    assert client(folder).post("/a.js").status_code == 405


WEBS = [Path(companion_api.__file__).parent / folder for folder in ("web/js", "hall/web/hall")]


@pytest.mark.parametrize(
    "path", [path for web in WEBS for path in sorted(web.rglob("*.js"))], ids=lambda path: path.name
)
def test_modules_lose_their_remarks_and_nothing_else(path: Path) -> None:
    """Every line that is no remark is still there, in its place."""
    plain, small = path.read_text().splitlines(), strip_comments(path.read_bytes()).decode().splitlines()
    assert len(small) == len(plain)
    inside = False
    for before, after in zip(plain, small, strict=True):
        inside = inside or before.lstrip().startswith("/**")
        if not inside and not before.lstrip().startswith("//"):
            assert re.sub(r"/\*\* @(?:type|param)\b[^\n]*?\*/ ?", "", before).lstrip(" \t") == after
        if inside and "*/" in before:
            code = before.split("*/", 1)[1].strip()
            inside = False
            assert not code or code.split("/**")[0].strip() in after
