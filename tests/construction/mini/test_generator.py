"""The committed tables: reproducible, complete, and graded by known structure alone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from pkgutil import iter_modules
from random import Random
from typing import TYPE_CHECKING

import pytest

import saber_mteb.benchmark
from saber_mteb._errors import SaberError
from saber_mteb.benchmark.domains import Domain
from saber_mteb.construction.mini import families
from saber_mteb.construction.mini.__main__ import main
from saber_mteb.construction.mini.families import all_families
from saber_mteb.construction.mini.generator import MiniTables, generate
from saber_mteb.construction.mini.grades import grades, raw_relevance
from saber_mteb.construction.mini.problems import WorkedProblem
from saber_mteb.construction.mini.stories import STORIES
from saber_mteb.construction.mini.techniques import TECHNIQUES
from saber_mteb.construction.mini.writer import to_bytes

if TYPE_CHECKING:
    from saber_mteb.construction.mini.generator import Row

COMMITTED = Path(saber_mteb.benchmark.__file__).parent / "mini"
FAMILIES = all_families()


def read(name: str) -> tuple[Row, ...]:
    return tuple(map(json.loads, (COMMITTED / name).read_text("utf-8").splitlines()))


@pytest.fixture(scope="module")
def tables() -> MiniTables:
    return MiniTables(queries=read("queries.jsonl"), documents=read("documents.jsonl"))


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_command_reproduces_the_committed_bytes(tmp_path: Path, hash_seed: str) -> None:
    """Two interpreters that order sets differently write what is committed."""
    command = [sys.executable, "-m", "saber_mteb.construction.mini", "--output", str(tmp_path)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    assert len(done.stdout.splitlines()) == 2
    for name in ("queries.jsonl", "documents.jsonl"):
        assert (tmp_path / name).read_bytes() == (COMMITTED / name).read_bytes()


def test_another_seed_gives_other_problems(tmp_path: Path, tables: MiniTables) -> None:
    assert main(["--output", str(tmp_path), "--seed", "another"]) == 0
    other = (tmp_path / "documents.jsonl").read_text("utf-8").splitlines()
    shared = {json.loads(line)["problem"] for line in other} & {
        document["problem"] for document in tables.documents
    }
    assert len(shared) < len(other) / 4


def test_sizes_and_columns(tables: MiniTables) -> None:
    origin = ["topic", "key_idea", "technique", "family", "story"]
    assert len(tables.queries) == 50
    # Ten documents for each pair of first domain and technique: "over about 500 problems".
    cells = {(family.topic[0], family.technique) for family in FAMILIES}
    assert len(tables.documents) == 10 * len(cells)
    assert 480 <= len(tables.documents) <= 540
    for query in tables.queries:
        assert list(query) == [
            *("id", "problem", "solution", "domains", "candidates", "relevance_scores"),
            *origin,
            "groups",
        ]
    for document in tables.documents:
        assert list(document) == ["id", "problem", "solution", *origin]
    for rows in tables.queries, tables.documents:
        assert len({row["id"] for row in rows}) == len(rows)


def test_no_family_module_is_forgotten() -> None:
    modules = {module.name for module in iter_modules(families.__path__)}
    collected = {form.__module__.rsplit(".", 1)[1] for f in FAMILIES for form in f.forms}
    assert collected == modules


def test_families_cover_the_domains() -> None:
    assert len(FAMILIES) >= 40
    assert len({family.key for family in FAMILIES}) == len(FAMILIES)
    first = Counter(family.domains[0] for family in FAMILIES)
    assert all(first[domain] >= 8 for domain in Domain), first
    assert {family.technique for family in FAMILIES} <= TECHNIQUES.keys()
    assert all(family.topic[0] == family.domains[0].value for family in FAMILIES)
    assert all(3 <= len(family.topic) <= 4 for family in FAMILIES)


def test_queries_cover_the_domains(tables: MiniTables) -> None:
    labels = Counter(label for query in tables.queries for label in query["domains"])
    assert labels.keys() == {domain.value for domain in Domain}
    assert min(labels.values()) >= 8
    assert len({query["family"] for query in tables.queries}) == 50


def test_no_two_problems_are_alike(tables: MiniTables) -> None:
    statements = [row["problem"] for row in (*tables.queries, *tables.documents)]
    assert len(set(statements)) == len(statements)
    # At most one candidate of each query has its wording, numbers and story aside.
    openings = [opening for story in STORIES for opening in story.openings]
    nouns = [
        noun
        for story in STORIES
        for noun in (story.hero, story.rival, story.place, story.things, story.thing)
    ]

    def wording(text: str) -> str:
        for opening in openings:
            text = text.removeprefix(opening).strip()
        for noun in sorted(nouns, key=len, reverse=True):
            text = text.replace(noun, "noun")
        return re.sub(r"\d+", "0", text)

    for query in tables.queries:
        candidates = [wording(tables.documents[row]["problem"]) for row in query["candidates"]]
        assert candidates.count(wording(query["problem"])) <= 1


def test_pools(tables: MiniTables) -> None:
    for query in tables.queries:
        rows, groups = query["candidates"], query["groups"]
        assert len(set(rows)) == 30
        assert groups == ["topic-only"] * 10 + ["summary-only"] * 10 + ["both"] * 10
        for row, group in zip(rows, groups, strict=True):
            document = tables.documents[row]
            topic = document["topic"][0] == query["topic"][0]
            technique = document["technique"] == query["technique"]
            assert {(True, False): "topic-only", (False, True): "summary-only"}.get(
                (topic, technique), "both"
            ) == group
            assert topic or technique
    used = {row for query in tables.queries for row in query["candidates"]}
    assert used == set(range(len(tables.documents)))


def test_grades_fill_the_scale(tables: MiniTables) -> None:
    for query in tables.queries:
        scores = query["relevance_scores"]
        assert (min(scores), max(scores)) == (0.0, 5.0)
        assert all(round(score, 6) == score for score in scores)
        assert len(set(scores)) > 15
        topic_only, summary_only, both = (
            sum(scores[start : start + 10]) / 10 for start in (0, 10, 20)
        )
        assert topic_only < summary_only < both


def test_story_and_mathematics_are_independent(tables: MiniTables) -> None:
    """Sharing a story says nothing about relevance: the mean grades differ by chance only."""
    same, other = [], []
    for query in tables.queries:
        pairs = zip(query["candidates"], query["relevance_scores"], strict=True)
        for row, score in pairs:
            (same if tables.documents[row]["story"] == query["story"] else other).append(score)
    assert len(same) > 80
    # Standard error of the mean over some 120 pairs with spread 2 is below 0.2.
    assert abs(sum(same) / len(same) - sum(other) / len(other)) < 0.6


def worked(key: str, form: int, seed: int = 0, story: int = 0) -> WorkedProblem:
    family = next(family for family in FAMILIES if family.key == key)
    draft = family.forms[form](Random(seed), STORIES[story])
    return WorkedProblem(family, form, STORIES[story], family.key_ideas[0], draft)


def test_relevance_by_hand() -> None:
    """Sum and product that telescope: moves (a, b, c) and (b, d, e), topics alike to 2 of 3."""
    query, candidate = worked("alg-telescoping-sum", 0), worked("alg-telescoping-product", 0)
    assert query.family.moves[1] == candidate.family.moves[0] == "cancel-neighbours"
    same = replace(candidate, draft=replace(candidate.draft, solution=query.draft.solution))
    overlap = (1 / 2) / (1 + 1 + 1 / 3 + 1 / 2 + 1 / 3)
    expected = 0.35 + 0.30 * overlap + 0.20 * 2 / 3 + 0.04
    assert raw_relevance(query, same) == pytest.approx(expected)


def test_story_never_changes_relevance() -> None:
    query = worked("alg-cubic-roots", 0)
    dressed = [worked("alg-cubic-roots", 1, story=story) for story in range(len(STORIES))]
    assert len({problem.draft.statement for problem in dressed}) == len(STORIES)
    assert len({raw_relevance(query, problem) for problem in dressed}) == 1


def test_grades_are_scaled_within_the_pool() -> None:
    query = worked("alg-cubic-roots", 0)
    pool = [
        worked("alg-cubic-roots", 1),
        worked("alg-symmetric-system", 1),
        worked("nt-sieve", 0),
        worked("alg-recurrence", 0),
    ]
    scores = grades(query, pool)
    assert sorted(scores, reverse=True) == [scores[0], scores[1], scores[3], scores[2]]
    assert (scores[0], scores[2]) == (5.0, 0.0)


def test_too_few_families_is_one_clear_error() -> None:
    algebra = [family for family in FAMILIES if family.domains[0] is Domain.ALGEBRA]
    with pytest.raises(SaberError, match="0 families of Algebra share their technique"):
        generate(families=algebra)


def test_rows_are_written_as_plain_json_lines() -> None:
    assert to_bytes([{"hero": "Tomás"}]) == '{"hero": "Tomás"}\n'.encode()
