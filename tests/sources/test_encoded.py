"""Files that stand in others in code."""

import gzip
from base64 import b64encode

import pytest

from roce_audit.sources.repository.encoded import decoded

_SCRIPT = "#!/bin/sh\nmlnx_qos -i eth0 --trust dscp\n"
_QUOTED = '"#!/bin/sh\\nmlnx_qos -i eth0 --trust dscp\\n"'
_B64 = b64encode(_SCRIPT.encode()).decode()
_GZ64 = b64encode(gzip.compress(_SCRIPT.encode(), mtime=0)).decode()
_WRAPPED = "|\n" + "\n".join(f"      {_B64[n : n + 20]}" for n in range(0, len(_B64), 20))


@pytest.mark.parametrize(
    "url",
    [
        f"data:text/plain;charset=utf-8;base64,{_B64}",
        f"data:;base64,{_GZ64}",
        "data:,%23%21/bin/sh%0Amlnx_qos%20-i%20eth0%20--trust%20dscp%0A",
    ],
)
def test_a_url_becomes_what_stands_in_it(url: str) -> None:
    assert decoded(f"contents:\n  source: {url}\n  mode: 1\n") == f"contents:\n  inline: {_QUOTED}\n  mode: 1\n"
    assert decoded(f'{{"source":"{url}"}}') == f'{{"inline":{_QUOTED}}}'


@pytest.mark.parametrize("data", [_B64, f"'{_B64}'", _GZ64, f"!!binary {_B64}", _WRAPPED])
@pytest.mark.parametrize("encoding", ["b64", "gz+b64", '"base64"'])
def test_what_cloud_init_writes_is_plain(data: str, encoding: str) -> None:
    text = f"#cloud-config\nwrite_files:\n- path: /x\n  content: {data}\n  encoding: {encoding}\n"
    plain = decoded(text)
    assert f"  content: {_QUOTED}\n" in plain
    assert plain.endswith("\n  encoding: text/plain\n")
    assert plain.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "source: data:;base64,=\nsource: data:;base64,AAAA\n",
        "source: https://example.org/data:,x\n",
        f"#cloud-config\nwrite_files:\n- content: {'0' * 40}\n  encoding: b64\n",
        f"content: {_B64}\nencoding: b64\n",
        "source: data:;base64," + b64encode(gzip.compress(b"a" * 300_000, mtime=0)).decode() + "\n",
    ],
)
def test_what_cannot_be_decoded_stays_as_it_is(text: str) -> None:
    assert decoded(text) == text
