# Types of the part of mammoth that this project uses; the package has none.
from typing import IO

from . import images as images
from .images import Converter

class Result:
    value: str

def convert_to_html(
    fileobj: IO[bytes], *, convert_image: Converter, include_embedded_style_map: bool, external_file_access: bool
) -> Result: ...
