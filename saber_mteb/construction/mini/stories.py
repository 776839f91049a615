"""The surfaces problems are dressed in; no story has anything to do with any mathematics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from saber_mteb.construction.mini.family import Story

if TYPE_CHECKING:
    from random import Random


def opening(rng: Random, story: Story) -> str:
    """Draw one of the sentences that can stand before any problem."""
    return rng.choice(story.openings)


def dressed(rng: Random, story: Story, text: str) -> str:
    """Put an opening before every second text, so that a form exists with and without a story."""
    return f"{opening(rng, story)} {text}" if rng.random() < 0.5 else text


STORIES: tuple[Story, ...] = (
    Story(
        key="library",
        hero="Mira",
        rival="Jonas",
        place="the town library",
        thing="book",
        things="books",
        openings=(
            "Mira found this problem on the last page of a borrowed book.",
            "On a quiet afternoon in the town library, Jonas passes this question to Mira.",
            "The librarian offers a free membership to anyone who can answer the following.",
        ),
    ),
    Story(
        key="harbour",
        hero="Astrid",
        rival="Henrik",
        place="the old harbour",
        thing="crate",
        things="crates",
        openings=(
            "While the ferry is delayed, Astrid and Henrik pass the time with a puzzle.",
            "The harbour master pins a new question to the notice board every Monday.",
            "Astrid chalks the following problem on the side of a crate at the old harbour.",
        ),
    ),
    Story(
        key="bakery",
        hero="Pilar",
        rival="Tomás",
        place="the corner bakery",
        thing="roll",
        things="rolls",
        openings=(
            "The corner bakery prints a riddle on every paper bag; here is today's.",
            "Pilar thinks about this question while the oven heats up.",
            "Tomás will pay for breakfast if Pilar solves the following problem.",
        ),
    ),
    Story(
        key="observatory",
        hero="Nadia",
        rival="Emil",
        place="the mountain observatory",
        thing="photograph",
        things="photographs",
        openings=(
            "Clouds hide the stars, so the night shift at the observatory turns to mathematics.",
            "Nadia left this question for Emil in the log book of the observatory.",
            "Between two exposures Emil and Nadia discuss the following problem.",
        ),
    ),
    Story(
        key="orchard",
        hero="Wanda",
        rival="Piotr",
        place="the hillside orchard",
        thing="basket",
        things="baskets",
        openings=(
            "Wanda and Piotr rest in the shade of the orchard and try a problem.",
            "During the harvest Piotr asks everyone the same question.",
            "The label of a cider bottle from the hillside orchard carries this problem.",
        ),
    ),
    Story(
        key="theatre",
        hero="Lucia",
        rival="Marco",
        place="the puppet theatre",
        thing="ticket",
        things="tickets",
        openings=(
            "In the interval of the play a puppet challenges the audience with this question.",
            "Lucia scribbles a problem on the back of her theatre ticket.",
            "Marco has to answer the following before he may enter the puppet theatre.",
        ),
    ),
    Story(
        key="railway",
        hero="Sana",
        rival="Rafiq",
        place="the railway museum",
        thing="carriage",
        things="carriages",
        openings=(
            "On the long train ride home Sana sets Rafiq a problem.",
            "The railway museum gives a poster to every visitor who solves this.",
            "Rafiq reads the following question in a magazine left in the carriage.",
        ),
    ),
    Story(
        key="aquarium",
        hero="Keiko",
        rival="Haruto",
        place="the city aquarium",
        thing="fish",
        things="fish",
        openings=(
            "Keiko and Haruto wait for the seals to be fed and work on a question.",
            "A quiz at the city aquarium ends with the following problem.",
            "Haruto claims that only dolphins can solve this; Keiko disagrees.",
        ),
    ),
    Story(
        key="workshop",
        hero="Ingrid",
        rival="Lars",
        place="the clockmaker's workshop",
        thing="gear",
        things="gears",
        openings=(
            "An apprentice at the clockmaker's workshop must first solve this problem.",
            "Ingrid engraves a question inside every clock that she repairs.",
            "While the glue dries, Lars puts the following to Ingrid.",
        ),
    ),
    Story(
        key="market",
        hero="Amara",
        rival="Kofi",
        place="the night market",
        thing="lantern",
        things="lanterns",
        openings=(
            "A stall at the night market sells riddles; this is the most expensive one.",
            "Amara bets Kofi a lantern that he cannot solve the following.",
            "By lantern light Kofi copies this problem into his notebook.",
        ),
    ),
    Story(
        key="chess",
        hero="Viktor",
        rival="Ana",
        place="the chess club",
        thing="medal",
        things="medals",
        openings=(
            "After a drawn game Viktor and Ana settle the matter with a problem.",
            "The chess club closes each evening with a question for all members.",
            "Ana needs a full minute of her clock time for the following.",
        ),
    ),
    Story(
        key="choir",
        hero="Beatrix",
        rival="Olivier",
        place="the village choir",
        thing="song sheet",
        things="song sheets",
        openings=(
            "The conductor of the village choir warms up the singers with a puzzle.",
            "Beatrix found this question between two song sheets.",
            "Olivier hums while he thinks about the following problem.",
        ),
    ),
)
