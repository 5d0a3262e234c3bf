"""What every box file is made of: tables that know their keys, and where their numbers come from."""

from pydantic import BaseModel, ConfigDict

from simkit.spec import Provenance


class Table(BaseModel):
    """A table of a box file: no key that it does not name, and every value of exactly its type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Sourced(Table):
    """A table whose numbers, also those further down, have one provenance."""

    provenance: Provenance
    source: str = ""
