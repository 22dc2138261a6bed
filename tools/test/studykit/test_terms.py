# SPDX-License-Identifier: BSD-2-Clause
"""Terms of the glossary in a page."""

from mcpi.studykit.terms import PLAIN, Terms, glossary


def test_a_term_says_what_it_means_once() -> None:
    terms, seen = Terms(), Terms.new()
    said = str(terms("T_p < T_e; T_p again, Owners and an owner", seen))
    assert said.startswith('<abbr title="processing time of the path in µs">T_p</abbr> &lt; <abbr')
    assert said.count("<abbr") == 3 and ">Owners</abbr> and an owner" in said
    assert "<abbr" not in terms("T_p", seen) and "<abbr" in terms("T_p")
    assert [name for name, _ in terms.listed()] == ["owner", "T_e", "T_p"]


def test_only_whole_words_of_one_sense_are_terms() -> None:
    terms = Terms()
    for text in ("ALLOW", "all", "sampled", "XT_p", "out of order", "bcache.victim", "a window"):
        assert "<abbr" not in terms(text), text
    assert "<abbr" in terms("ALL") and "<abbr" in terms("OUT → PIN")
    assert not PLAIN & set(glossary())


def test_meanings_are_plain_text() -> None:
    assert len(glossary()) > 60
    for name, said in glossary().items():
        assert not set("`*[]") & set(said) and said == said.strip(), name
    assert glossary()["path guard"] == glossary()["classifier"]
