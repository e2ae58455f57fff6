"""The page's types of what the server answers, made of the server's own models. Write them with
`python -m tests.companion_api.page.answer_types` whenever `companion_api/answers.py` changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from companion_api import answers

FILE = Path(answers.__file__).parent / "web" / "js" / "answers.d.ts"
HEAD = "// Made of companion_api/answers.py by tests/companion_api/page/answer_types.py; not to be changed by hand.\n"
MODELS: tuple[type[BaseModel], ...] = (answers.Board, answers.Past, answers.Happening)
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def written() -> str:
    """All models as TypeScript, by name."""
    _, document = models_json_schema([(model, "serialization") for model in MODELS])
    parts = [_declared(name, schema) for name, schema in sorted(document["$defs"].items())]
    return HEAD + "\n" + "\n".join(parts)


def _declared(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_type(schema)};\n"
    fields = [_field(key, value, "default" in value) for key, value in schema["properties"].items()]
    if schema.get("additionalProperties") is True:
        fields.append("  [more: string]: any;")
    return f"export interface {name} {{\n" + "\n".join(fields) + "\n}\n"


def _field(key: str, schema: dict[str, Any], left_out: bool) -> str:
    """What may be left out is never null: it is there or it is not."""
    optional = "?" if left_out else ""
    told = _type(schema)
    return f"  {key}{optional}: {told.removesuffix(' | null') if left_out else told};"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " | ".join(f'"{value}"' for value in schema.get("enum", [schema.get("const")]))
    kind = schema.get("type")
    if kind == "array":
        return _list(schema)
    if kind == "object":
        return (
            f"Record<string, {_type(extra)}>"
            if isinstance(extra := schema.get("additionalProperties"), dict)
            else ("Record<string, any>")
        )
    return _PLAIN.get(str(kind), "any")


def _list(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(each) for each in schema['prefixItems'])}]"
    inner = _type(schema.get("items", {}))
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
