"""Settings from the command line, else from COMPANION_... in the environment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="COMPANION_", extra="ignore")

    host: str = "0.0.0.0"  # phones must reach it
    port: Annotated[int, Field(ge=0, le=65535)] = 8470
    data: Path = Path.home() / ".piecepack-companion"
    database: str | None = None
    names: tuple[str, ...] = ()  # further host names of this server
    certificate: Path | None = None  # own https certificate with its chain
    certificate_key: Path | None = None  # its key; without them the local authority signs
