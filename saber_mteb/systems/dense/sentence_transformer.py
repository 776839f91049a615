"""A bi-encoder through sentence-transformers, loaded when the first text needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from saber_mteb._errors import SaberError
from saber_mteb.systems.base import Finished, OutOfMemory, Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer


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
        """Return where the model cuts, special tokens included."""
        limit: int | None = self._loaded.max_seq_length
        return limit

    def count_tokens(self, texts: Sequence[Finished]) -> NDArray[np.int64]:
        """Return token counts, special tokens included, before any is cut off."""
        import numpy as np

        ids = self._loaded.tokenizer(
            [finished.text for finished in texts],
            truncation=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )["input_ids"]
        return np.fromiter(map(len, ids), dtype=np.int64, count=len(texts))

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
        except torch.OutOfMemoryError as error:
            torch.cuda.empty_cache()
            raise OutOfMemory(str(error).splitlines()[0]) from error
        return np.asarray(vectors.float().cpu().numpy(), dtype=np.float32)

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
        return SentenceTransformer(
            self.model,
            revision=self.revision,
            device=self.device,
            model_kwargs={"dtype": getattr(torch, self.dtype)},
        )
