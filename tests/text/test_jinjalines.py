"""Templates of Jinja whose loops and conditions are known come to plain lines, each with where it stands."""

from __future__ import annotations

from roce_audit.text.jinja.lines import rendered

_NESTED = 6
_MANY = 2_000


def test_a_loop_over_known_values_comes_to_a_line_for_each() -> None:
    text = (
        "{% for port in ports %}\ninterface {{ port }}\n{% if trust %}\n  qos trust dscp\n{% endif %}\n{% endfor %}\n"
    )
    made = rendered(text, {"ports": ["Ethernet1", "Ethernet2"], "trust": True})
    assert made == [
        (1, "interface Ethernet1"),
        (3, "  qos trust dscp"),
        (1, "interface Ethernet2"),
        (3, "  qos trust dscp"),
    ]


def test_a_block_that_hangs_on_what_is_not_known_stays_as_it_is_written() -> None:
    text = "{% for port in ports %}\ninterface {{ port }}\n{% endfor %}\n"
    assert [line for _, line in rendered(text, {})] == text.rstrip("\n").split("\n")


def test_loops_without_end_in_sight_are_not_followed() -> None:
    """A million million turns, none of which writes a line."""
    heads = "".join(f"{{% for x{number} in ports %}}\n" for number in range(_NESTED))
    text = heads + "{% set y = 1 %}\n" + "{% endfor %}\n" * _NESTED
    assert [line for _, line in rendered(text, {"ports": list(range(100))})] == text.rstrip("\n").split("\n")


def test_conditions_within_a_line_and_what_a_loop_knows_of_its_turns() -> None:
    text = (
        '{% for tc in range(first, 5) %}\n"{{ tc }}": "{% if tc == paused %}{{ tc }}{% else %}0{% endif %}"'
        "{% if not loop.last %},{% endif %}\n"
        "{% endfor %}\n{% if a %}x{% endif %}{% if unknown %}y{% endif %}\n"
    )
    made = [line for _, line in rendered(text, {"first": 3, "paused": 4, "a": False})]
    assert made == ['"3": "0",', '"4": "4"', "{% if unknown %}y{% endif %}"]


def test_numbers_without_end_are_not_gone_through() -> None:
    assert len(rendered("{% for x in range(999999999) %}\ny\n{% endfor %}\n", {})) < _MANY
