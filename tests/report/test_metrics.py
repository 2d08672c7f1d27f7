"""The metrics and the example alerts of docs/metrics.md: each is there, and each alert can be loaded."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from report_samples import full
from ruamel.yaml import YAML

from roce_audit.report import Options, render

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "metrics.md").read_text(encoding="utf-8")
NAME = re.compile(r"\broce_audit_\w+")


@pytest.fixture(scope="module")
def written() -> str:
    return "".join(render("prometheus", full(), Options(now=datetime(2026, 5, 4, tzinfo=UTC))))


@pytest.fixture(scope="module")
def metrics(written: str) -> set[str]:
    return set(re.findall(r"^# TYPE (\w+) gauge$", written, re.M))


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def alerts() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for block in blocks(TEXT, "yaml"):
        for group in YAML(typ="safe", pure=True).load(block)["groups"]:
            found += group["rules"]
    return found


def test_the_table_names_every_metric_and_no_other(metrics: set[str]) -> None:
    table = "".join(line for line in TEXT.splitlines(keepends=True) if line.startswith("| `roce_audit"))
    assert set(NAME.findall(table)) == metrics


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: alert["alert"])
def test_an_alert_uses_metrics_and_labels_that_exist(alert: dict[str, Any], written: str, metrics: set[str]) -> None:
    assert set(alert) <= {"alert", "expr", "for", "labels", "annotations"}
    assert alert["labels"]["severity"] in ("critical", "warning", "info")
    assert alert["annotations"]["summary"]
    names = NAME.findall(alert["expr"])
    assert names
    assert set(names) <= metrics
    assert alert["expr"].count("(") == alert["expr"].count(")")
    samples = re.findall(r"^(\w+)\{([^}]*)\} ", written, re.M)
    for name, label, value in re.findall(r"(roce_audit_\w+)\{(\w+)=\"(\w+)\"\}", alert["expr"]):
        pairs = {pair for metric, labels in samples if metric == name for pair in labels.split(",")}
        assert f'{label}="{value}"' in pairs


def test_names_of_alerts_are_unique() -> None:
    names = [alert["alert"] for alert in alerts()]
    assert len(names) == len(set(names))


def test_every_metric_that_the_formats_page_shows_exists(metrics: set[str]) -> None:
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    shown = {name for block in blocks(page, "") + blocks(page, "yaml") for name in NAME.findall(block)}
    assert shown - {"roce_audit_prom"} <= metrics


DASHBOARD = json.loads((DOCS / "grafana" / "roce-audit.json").read_text(encoding="utf-8"))


def test_the_dashboard_loads_into_grafana() -> None:
    """What Grafana's importer asks of a dashboard: known panel types, places in the grid, and a data source one can choose."""
    assert DASHBOARD["schemaVersion"] >= 36
    variables = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    assert variables == {"datasource", "instance"}
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        assert panel["type"] in ("stat", "timeseries", "table"), panel["title"]
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not taken & cells, f"{panel['title']} lies over another panel"
        taken |= cells


def test_the_dashboard_shows_metrics_and_labels_that_exist(written: str, metrics: set[str]) -> None:
    labels = {
        name: set(re.findall(r"(\w+)=", inside)) for name, inside in re.findall(r"^(\w+)\{(.*)\} ", written, re.M)
    }
    shown: set[str] = set()
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            names = NAME.findall(target["expr"])
            assert names
            shown.update(names)
            for label in re.findall(r"by \(([\w, ]+)\)", target["expr"]):
                assert set(label.split(", ")) <= labels[names[0]], target["expr"]
            for label, value in re.findall(r"(\w+)=\"(\w+)\"", target["expr"]):
                assert f'{label}="{value}"' in written, target["expr"]
    assert shown <= metrics
    assert {"roce_audit_summary", "roce_audit_findings", "roce_audit_devices_unreached"} <= shown
