"""A bi-encoder through sentence-transformers, loaded when the first text needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.systems.base import Finished, OutOfMemory, Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

# 20,000 texts of 392 tokens at once took 1.5 GB, and half as long again as in parts.
_COUNTED_AT_ONCE = 1000


@dataclass(frozen=True)
class SentenceTransformerEncoder:
    """Encodes with the model's own pooling; vectors have length 1, so scores are cosines.

    Attributes:
        model: Folder or hub id.
        revision: Commit on the hub.
        dtype: ``float32``, ``bfloat16`` or ``float16``; always explicit, never the checkpoint's.
        device: As torch names it; None takes what there is.
        query_prompt: Stands before each query.
        document_prompt: Stands before each document.
    """

    model: str
    revision: str | None = None
    dtype: str = "float32"
    device: str | None = None
    query_prompt: str = ""
    document_prompt: str = ""

    def finish(self, text: str, role: Role) -> Finished:
        """Put the prompt of the side before the text."""
        prompt = self.query_prompt if role is Role.QUERY else self.document_prompt
        return Finished(prompt + text)

    @property
    def max_tokens(self) -> int | None:
        """Return where the model cuts, special tokens included; None if it reads everything."""
        limit: float | None = self._loaded.max_seq_length
        return None if limit is None or limit == float("inf") else int(limit)

    def count_tokens(self, texts: Sequence[Finished]) -> NDArray[np.int64]:
        """Return token counts, special tokens included, before any is cut off."""
        import numpy as np

        counts: list[int] = []
        for start in range(0, len(texts), _COUNTED_AT_ONCE):
            part = [finished.text for finished in texts[start : start + _COUNTED_AT_ONCE]]
            counts += map(len, self._token_ids(part))
        return np.array(counts, dtype=np.int64)

    def _token_ids(self, texts: list[str]) -> Iterable[Sequence[int]]:
        tokenizer = self._loaded.tokenizer
        if callable(tokenizer):
            found: Iterable[Sequence[int]] = tokenizer(
                texts,
                truncation=False,
                return_attention_mask=False,
                return_token_type_ids=False,
                verbose=False,
            )["input_ids"]
            return found
        # A static model has the bare tokenizer and reads no special tokens.
        return [e.ids for e in tokenizer.encode_batch(texts, add_special_tokens=False)]

    def encode(self, texts: Sequence[Finished]) -> NDArray[np.float32]:
        """Encode one batch as a whole, shape ``(texts, dimensions)``."""
        import numpy as np
        import torch

        try:
            # An empty prompt: a default one of the checkpoint must not come on top of ours.
            vectors = self._loaded.encode(
                [finished.text for finished in texts],
                prompt="",
                batch_size=len(texts),
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_tensor=True,
            )
        except RuntimeError as error:
            if not _is_out_of_memory(error):
                raise
            if torch.cuda.is_available():
                torch.cuda.empty_cache()
            raise OutOfMemory(str(error).splitlines()[0]) from error
        return np.asarray(vectors.float().cpu().numpy(), dtype=np.float32)

    @property
    def device_used(self) -> str | None:
        """Return where the weights lie, or None as long as they are not loaded."""
        return str(self._loaded.device) if "_loaded" in self.__dict__ else None

    def synchronise(self) -> None:
        """Wait until the device has done what it was given."""
        import torch

        if self._loaded.device.type == "cuda":
            torch.cuda.synchronize(self._loaded.device)

    @cached_property
    def _loaded(self) -> SentenceTransformer:
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ModuleNotFoundError as error:
            raise SaberError(
                f"{error.name} is not installed; dense systems need it: "
                'pip install "saber-mteb[dense]"'
            ) from error
        from transformers.utils import logging as transformers_logging

        # There is one bar, ours.
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            return SentenceTransformer(
                self.model,
                revision=self.revision,
                device=self.device,
                model_kwargs={"dtype": getattr(torch, self.dtype)},
            )
        # The last two are torch's for a device that is unknown or not there.
        except (OSError, ValueError, RuntimeError, AssertionError) as error:
            raise SaberError(
                f"The model '{self.model}' could not be loaded: {error}. Expected a "
                "sentence-transformers folder or hub id, and a device that is there."
            ) from error


def _is_out_of_memory(error: RuntimeError) -> bool:
    """Return whether memory ran out; torch has a class of its own for that only on a GPU."""
    import torch

    said = str(error)
    return isinstance(error, torch.OutOfMemoryError) or any(
        words in said for words in ("can't allocate memory", "not enough memory", "out of memory")
    )
