"""GGUF file of a model that answers from a script.

It is a language model of one layer with weights that make it a table of successors: the next token depends on the last
one alone. The chat template ends a prompt with the token of a key that the last message contains, and the tokens of the
key's answer follow it. So a server does with it what it does with any model: templates, tokens, sampling, grammars.
"""

from collections.abc import Mapping
from pathlib import Path

import gguf
import numpy as np

TEMPLATE = Path(__file__).with_name("template.jinja")

UNKNOWN, START, END = range(3)
CONTROL = ("<unk>", "<s>", "<|im_end|>", "<|im_start|>")
BYTES = tuple(f"<0x{value:02X}>" for value in range(256))

FORCED = "forced"
"""Key of the answer that a grammar which forbids an end leads to."""

PIECE = 4
"""Characters of a token of an answer, more if these are a token already."""

CONTEXT = 32_768
WIDTH = 32
"""Width of the feed-forward layer, whose weights are zero."""


def write_model(script: Mapping[str, str], path: Path) -> None:
    """Write the model that answers a message which contains a key of `script` with the text of the last such key."""
    keys = [f"<|{key}|>" for key in script]
    control = [*CONTROL, *keys]
    tokens = [*control, *BYTES]
    successors: dict[int, int] = {}
    for key, text in zip(keys, script.values(), strict=True):
        last = tokens.index(key)
        for piece in _pieces(text.replace(" ", "▁"), set(tokens)):
            successors[last] = last = len(tokens)
            tokens.append(piece)
    answers = len(tokens) - len(control) - len(BYTES)
    types = [gguf.TokenType.CONTROL] * len(control) + [gguf.TokenType.BYTE] * len(BYTES)
    types += [gguf.TokenType.NORMAL] * answers
    types[UNKNOWN] = gguf.TokenType.UNKNOWN

    writer = gguf.GGUFWriter(path, "llama")
    # An embedding is one number of 1, so that the output weights are the table.
    size = len(tokens) + len(tokens) % 2
    _write_parameters(writer, size, len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(types)
    writer.add_bos_token_id(START)
    writer.add_eos_token_id(END)
    writer.add_unk_token_id(UNKNOWN)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE.read_text().replace("KEYS", repr(list(script))))
    first = tokens.index(f"<|{FORCED}|>") if FORCED in script else END
    _write_weights(writer, size, len(tokens), successors, forced=successors.get(first, END))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _pieces(text: str, taken: set[str]) -> list[str]:
    """Return the parts of `text`, none of which is another token, since each has one successor; none without any."""
    for size in range(min(PIECE, len(text)), len(text) + 1):
        piece, rest = text[:size], text[size:]
        if piece not in taken:
            following = _pieces(rest, taken | {piece}) if rest else []
            if following or not rest:
                return [piece, *following]
    return []


def _write_parameters(writer: gguf.GGUFWriter, size: int, tokens: int) -> None:
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(size)
    writer.add_block_count(1)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(1)
    writer.add_head_count_kv(1)
    writer.add_rope_dimension_count(size)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(tokens)


def _write_weights(
    writer: gguf.GGUFWriter, size: int, tokens: int, successors: Mapping[int, int], *, forced: int
) -> None:
    table = np.zeros((tokens, size), np.float32)
    for token in range(tokens):
        table[successors.get(token, END), token] = 2
        table[forced, token] += 1
    writer.add_tensor("token_embd.weight", np.eye(tokens, size, dtype=np.float32))
    writer.add_tensor("output.weight", table)
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(size, np.float32))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        writer.add_tensor(f"blk.0.{name}.weight", np.zeros((size, size), np.float32))
    for name, shape in {"ffn_gate": (WIDTH, size), "ffn_up": (WIDTH, size), "ffn_down": (size, WIDTH)}.items():
        writer.add_tensor(f"blk.0.{name}.weight", np.zeros(shape, np.float32))
