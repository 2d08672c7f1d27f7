"""The HTML report in a real browser: filters, search, deep links, keyboard, hostile names, 10,000 findings."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from report_samples import finding, full, member, report
from site_samples import evil_site, site

from roce_audit.engine.findings import Location, Report
from roce_audit.report import Options, render
from roce_audit.report.drawing import DrawnPath

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.skipif(BROWSER is None or DRIVER is None, reason="no chromium and chromedriver on PATH"),
]

Open = Callable[..., Any]
EVIL = "</script><img src=x onerror=\"document.title='owned'\">"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    selenium = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    options = selenium.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = selenium.Chrome(options=options, service=Service(DRIVER))
    driver.set_window_size(1200, 900)
    yield driver
    driver.quit()


@pytest.fixture
def shown(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a report from disk; at the end the console must be empty."""

    def open_(made: Report, hash_: str = "", **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text("".join(render("html", made, Options(**options))), encoding="utf-8")
        browser.get("about:blank")
        browser.get(f"file://{file}{hash_}")
        return browser

    yield open_
    assert browser.get_log("browser") == []


def texts(browser: Any, css: str) -> list[str]:
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", css
    )
    return found


def visible(browser: Any, css: str) -> bool:
    return bool(browser.find_element("css selector", css).is_displayed())


def goto(browser: Any, hash_: str) -> None:
    browser.execute_async_script(
        "const done = arguments[1]; addEventListener('hashchange', () => setTimeout(done), {once: true});"
        "location.hash = arguments[0];",
        hash_,
    )


def decided(browser: Any, css: str, wanted: Callable[[list[str]], bool]) -> list[str]:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 60).until(lambda driver: wanted(texts(driver, css)))
    return texts(browser, css)


def three() -> Report:
    return report(
        finding("pfc/priority-off", fingerprint="aa", members=(member("Ethernet1/1", 5),)),
        finding("mtu/below-roce", fingerprint="bb", severity="warning", owner="host", message="MTU 1500 on the host."),
        finding("ecn/off", fingerprint="cc", severity="info", message="no marks"),
        finding("ecn/unseen", fingerprint="dd", severity="none", verdict="unknown", unknown_because="no line"),
        finding("ets/x", fingerprint="ee", severity="warning", baselined=True),
        finding("fleet/odd", fingerprint="ff", because_of="aa", message="a consequence with the word walrus"),
    )


def test_filters(shown: Open) -> None:
    page = shown(three(), "#/findings", site=site())
    assert texts(page, ".finding .quiet")[0].startswith("pfc/priority-off")
    assert len(texts(page, ".finding")) == 3
    assert texts(page, "#told") == ["3 causes shown, 2 hidden by the filters"]
    page.find_element("css selector", 'input[value="error"]').click()
    decided(page, ".finding", lambda found: len(found) == 2)
    assert page.execute_script("return location.hash") == "#/findings?severity=warning%2Cinfo"
    page.find_element("css selector", 'input[value="unknown"]').click()
    assert "no line" in "".join(decided(page, ".finding", lambda found: len(found) == 3))
    page.find_element("css selector", 'select[name="owner"] option[value="host"]').click()
    (only,) = decided(page, ".finding", lambda found: len(found) == 1)
    assert "mtu/below-roce" in only
    page.find_element("css selector", 'select[name="owner"] option[value=""]').click()
    page.find_element("css selector", 'select[name="status"] option[value="accepted"]').click()
    (only,) = decided(page, ".finding", lambda found: "ets/x" in "".join(found))
    assert "in the baseline" in only


def test_search_finds_words_members_and_consequences(shown: Open) -> None:
    page = shown(three(), "#/findings", site=site())
    box = page.find_element("css selector", "#search")
    for words, rule in (
        ("1500 HOST", "mtu/below-roce"),
        ("leaf1:ethernet1/1", "pfc/priority-off"),
        ("walrus", "pfc/priority-off"),
    ):
        box.clear()
        box.send_keys(words)
        decided(page, ".finding", lambda found, rule=rule: len(found) == 1 and rule in found[0])  # type: ignore[misc]
    assert texts(page, "#status")[0].startswith("1 cause shown")
    box.send_keys(" nowhere")
    decided(page, "#told", lambda found: found[0].startswith("0 causes"))
    page.refresh()
    assert page.find_element("css selector", "#search").get_attribute("value") == "walrus nowhere"


def test_deep_links(shown: Open) -> None:
    port = quote("leaf1:Ethernet1/1", safe="")
    page = shown(three(), f"#/port/{port}", site=site())
    assert texts(page, "h1:not(#overview-title)") == ["leaf1:Ethernet1/1"]
    assert not visible(page, "#overview")
    assert len(texts(page, "figure svg")) >= 4
    assert "pfc/priority-off" in "".join(texts(page, "#view .finding"))
    goto(page, "#/device/leaf1")
    assert len(texts(page, "tbody tr")) == 8
    assert texts(page, "tbody th")[0] == "Ethernet1/1"  # the one with the finding
    goto(page, "#/finding/aa")
    assert "Without PFC the class drops packets." in texts(page, "#view .body")[0]
    assert "walrus" in "".join(texts(page, "#view .finding"))
    assert page.title.startswith("pfc/priority-off")
    goto(page, "#/devices")
    assert texts(page, "tbody th") == ["leaf1", "gpu1"]
    goto(page, "#/port/nowhere%3A%E0%A4%A")
    assert "There is no port" in texts(page, "#view")[0]
    goto(page, "#/")
    assert visible(page, "#overview")
    assert not visible(page, "#view")


def test_details_open_by_keyboard_and_slash_searches(shown: Open) -> None:
    from selenium.webdriver.common.keys import Keys

    page = shown(full(), "#/", site=site())
    page.find_element("css selector", "body").send_keys("/")
    assert page.switch_to.active_element.get_attribute("id") == "search"
    summary = page.find_element("css selector", ".finding summary")
    summary.send_keys(Keys.ENTER)
    (body,) = decided(page, ".finding .body", lambda found: len(found) == 1)
    assert "leaf1.cfg:57" in body
    assert "both ends in one step" in body
    assert texts(page, 'nav a[aria-current="page"]') == ["Findings"]


def test_the_overview_names_the_worst_causes(shown: Open) -> None:
    page = shown(three(), "#/", site=site())
    assert " ".join(texts(page, ".worst li")[0].split()).startswith("error leaf1 Ethernet1/")
    page.find_element("css selector", ".worst a").click()
    decided(page, "#view h1", lambda found: found[0].startswith("pfc/priority-off"))
    assert page.execute_script("return location.hash") == "#/finding/aa"


def test_a_finding_is_found_by_the_first_letters_of_its_fingerprint(shown: Open) -> None:
    page = shown(report(finding(fingerprint="abcdef0123"), finding(fingerprint="abcdeff123")), "#/finding/abcdef0")
    assert page.title.startswith("pfc/priority-off")
    goto(page, "#/finding/abcdef")
    assert "There is no finding" in texts(page, "#view")[0]


def test_the_skip_link_stays_on_the_page(shown: Open) -> None:
    page = shown(three(), "#/findings", site=site())
    page.execute_script("document.querySelector('.skip').focus()")
    page.switch_to.active_element.send_keys("\n")
    assert page.switch_to.active_element.text == "Findings"
    assert page.execute_script("return location.hash") == "#/findings"


def test_everything_has_a_name_for_a_screen_reader(shown: Open) -> None:
    page = shown(three(), "#/findings", site=site())
    nameless = """
        return [...document.querySelectorAll('input, select, button, svg, a')].filter((e) =>
          !(e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels.length))).map((e) => e.outerHTML)"""
    for hash_ in ("#/devices", "#/device/leaf1", f"#/port/{quote('leaf1:Ethernet1/1', safe='')}", "#/findings", "#/"):
        goto(page, hash_)
        assert page.execute_script(nameless) == []
        headings = [h for h in page.find_elements("css selector", "h1") if h.is_displayed()]
        assert len(headings) == 1
        assert page.switch_to.active_element == headings[0]


def test_the_theme_can_be_chosen(shown: Open) -> None:
    page = shown(three(), "#/", site=site())
    colour = "return getComputedStyle(document.body).backgroundColor"
    button = page.find_element("css selector", "#theme")
    seen = {}
    for _ in range(3):
        button.click()
        seen[button.text] = page.execute_script(colour)
    assert seen["Theme: light"] != seen["Theme: dark"]
    assert "Theme: system" in seen


def test_a_narrow_window_does_not_scroll_sideways(shown: Open) -> None:
    page = shown(three(), "#/", site=site())
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 700, "deviceScaleFactor": 1, "mobile": False}
    )
    for hash_ in ("#/findings", "#/devices", f"#/port/{quote('leaf1:Ethernet1/1', safe='')}", "#/"):
        goto(page, hash_)
        assert page.execute_script("return document.documentElement.scrollWidth") <= 360
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_hostile_names_do_nothing(shown: Open) -> None:
    bad = finding(
        fingerprint="aa",
        device=EVIL,
        subject=EVIL,
        message=EVIL,
        why=EVIL,
        members=(replace(member("x", 1), id=EVIL, device=EVIL, subject=EVIL),),
        locations=(Location(EVIL, 1, EVIL, "primary", EVIL),),
    )
    page = shown(report(bad), "#/", site=evil_site(EVIL))
    for hash_ in ("#/findings", "#/finding/aa", "#/devices", f"#/device/{quote(EVIL)}", f"#/port/{quote(EVIL)}", "#/"):
        goto(page, hash_)
        assert page.title != "owned"
        assert page.find_elements("css selector", "img") == []
    goto(page, f"#/findings?q={quote(EVIL)}&topic={quote(EVIL)}")
    assert page.find_elements("css selector", "img") == []


def test_ten_thousand_findings(shown: Open) -> None:
    many = [
        finding(
            f"pfc/r{i % 40}",
            fingerprint=f"f{i}",
            severity=("error", "warning", "info")[i % 3],
            members=(member(f"Ethernet{i}", i, f"leaf{i % 300}"),),
        )
        for i in range(10_000)
    ]
    page = shown(report(*many), "#/findings")
    assert decided(page, "#told", bool) == ["10,000 causes shown, 0 hidden by the filters"]
    # only what is looked at is in the page; the rest comes on scrolling
    assert len(texts(page, ".finding")) < 1_000
    before = len(texts(page, ".finding"))
    page.execute_script("window.scrollTo(0, document.documentElement.scrollHeight)")
    decided(page, ".finding", lambda found: len(found) > before)
    page.find_element("css selector", "#search").send_keys("leaf17 ethernet317")
    found = decided(page, "#told", lambda told: not told[0].startswith("10,000"))
    assert found[0].startswith("11 causes shown")  # 317, and 3170 to 3179 on leaf170 to leaf179


def test_the_page_of_a_finding_shows_its_path_and_five_devices_fit_beside_each_other(shown: Open) -> None:
    boxes = "".join(f'<li class="device"><h3>d{i}</h3></li>' for i in range(5))
    path = DrawnPath("a → b", True, ("aa", "zz"), f'<ol class="hops">{boxes}</ol>')
    page = shown(three(), site=replace(site(), paths=(path, replace(path, findings=()))))
    assert texts(page, "#overview .path[open] summary") == ["a → b breaks"]
    lefts = (
        "return [...document.querySelectorAll('#overview .path[open] li')].map((e) => e.getBoundingClientRect().left)"
    )
    metrics = {"height": 900, "deviceScaleFactor": 1, "mobile": False}
    try:
        for width, columns in ((1280, 5), (400, 1)):
            page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, **metrics})
            assert len(set(page.execute_script(lefts))) == columns
            assert page.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    goto(page, "#/finding/aa")
    assert texts(page, "#view .path summary") == ["a → b breaks"]
    goto(page, "#/finding/bb")
    assert texts(page, "#view .path summary") == []
