"""Completion scripts: the words of the program in the syntax of bash, zsh and fish. They run nothing but the shell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from roce_audit.cli.words import Slot, Verb

_NAME = "roce-audit"


def bash(verbs: Sequence[Verb]) -> Iterator[str]:
    """For bash 4 and later, without the bash-completion package."""
    yield f"# bash completion for {_NAME}; made by `{_NAME} completion bash`"
    yield "_roce_audit() {"
    yield '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" verb="" word words="" files="" i'
    yield '  if [[ $prev == "=" ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi'
    yield '  if [[ $cur == "=" ]]; then cur=""; fi'
    yield "  for ((i = 1; i < COMP_CWORD; i++)); do"
    yield '    word="${COMP_WORDS[i]}"'
    yield "    if [[ $word == -* ]]; then continue; fi"
    yield '    if [[ -z $verb ]]; then verb="$word"'
    subjects = [verb for verb in verbs if verb.subjects]
    for verb in subjects:
        yield f'    elif [[ $verb == {verb.path[0]} && " {" ".join(verb.subjects)} " == *" $word "* ]]; then verb="{verb.path[0]} $word"'
    yield "    fi"
    yield "  done"
    yield '  case "$verb $prev" in'
    for then, patterns in _values(verbs).items():
        yield f"    {'|'.join(patterns)}) {then}return ;;"
    yield "  esac"
    yield '  case "$verb" in'
    yield f'    "") words="{" ".join(verb.path[0] for verb in verbs if len(verb.path) == 1)} --help --version" ;;'
    for verb in verbs:
        words = [name for option in verb.options for name in option.names if name.startswith("--")]
        words += [*verb.subjects, *(choice for slot in verb.positionals for choice in slot.choices)]
        files = " files=yes" if any(slot.kind == "file" for slot in verb.positionals) else ""
        yield f'    "{" ".join(verb.path)}") words="{" ".join(words)}"{files} ;;'
    yield "  esac"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$cur"))'
    yield '  if [[ -n $files && $cur != -* ]]; then COMPREPLY+=($(compgen -f -- "$cur")); fi'
    yield "}"
    yield f"complete -o filenames -F _roce_audit {_NAME}"


def _values(verbs: Sequence[Verb]) -> Mapping[str, Sequence[str]]:
    """What bash does for the value of an option -> the verbs and options of which that holds: long lists stand there once."""
    found: dict[str, list[str]] = {}
    for verb in verbs:
        for option in verb.options:
            words = f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$cur")); '
            then = {"choice": words, "file": 'COMPREPLY=($(compgen -f -- "$cur")); ', "word": ""}.get(option.kind)
            if then is not None:
                found.setdefault(then, []).extend(f'"{" ".join(verb.path)} {name}"' for name in option.names)
    return found


def zsh(verbs: Sequence[Verb]) -> Iterator[str]:
    """For zsh's completion system: the file `_roce-audit` in a folder of fpath."""
    yield f"#compdef {_NAME}"
    yield f"# made by `{_NAME} completion zsh`"
    yield from _zsh_level(verbs, ())
    yield '_roce_audit "$@"'


def _zsh_level(verbs: Sequence[Verb], above: tuple[str, ...]) -> Iterator[str]:
    here = [verb for verb in verbs if verb.path[:-1] == above]
    for verb in here:
        if verb.subjects:
            yield from _zsh_level(verbs, verb.path)
    yield f"{_function(above)}() {{"
    yield "  local line state"
    yield "  _arguments -C '1:what:->verb' '*::argument:->rest'"
    yield "  case $state in"
    yield "    verb)"
    yield "      local -a words"
    yield "      words=("
    yield from (f"        {_quoted(f'{verb.path[-1]}:{verb.help}')}" for verb in here)
    yield "      )"
    yield "      _describe what words ;;"
    yield "    rest)"
    yield "      case $line[1] in"
    for verb in here:
        if verb.subjects:
            yield f"        {verb.path[-1]}) {_function(verb.path)} ;;"
            continue
        specs = [spec for option in verb.options for spec in _zsh_option(option)]
        specs += [
            _quoted(f"{_zsh_place(slot, i)}:{slot.what}:{_zsh_values(slot)}")
            for i, slot in enumerate(verb.positionals, 1)
        ]
        yield f"        {verb.path[-1]}) _arguments {' '.join(specs)} ;;"
    yield "      esac ;;"
    yield "  esac"
    yield "}"


def _function(path: tuple[str, ...]) -> str:
    return "_".join(["_roce_audit", *path])


def _zsh_place(slot: Slot, number: int) -> str:
    return "*" if slot.what == "PATH" else str(number)


def _zsh_option(option: Slot) -> Iterator[str]:
    for name in option.names:
        value = "" if option.kind == "flag" else f":{option.what}:{_zsh_values(option)}"
        equals = "=" if value and name.startswith("--") else ""
        text = option.help.replace("[", "(").replace("]", ")").replace(":", ",")
        yield _quoted(f"*{name}{equals}[{text}]{value}")


def _zsh_values(slot: Slot) -> str:
    if slot.kind == "choice":
        return f"({' '.join(slot.choices)})"
    return "_files" if slot.kind == "file" else ""


def fish(verbs: Sequence[Verb]) -> Iterator[str]:
    """For fish: the file `roce-audit.fish` in its completions folder."""
    yield f"# fish completion for {_NAME}; made by `{_NAME} completion fish`"
    yield f"complete -c {_NAME} -f"
    for verb in verbs:
        outer = [f"__fish_seen_subcommand_from {word}" for word in verb.path[:-1]]
        before = "; and ".join(outer) if outer else "__fish_use_subcommand"
        inside = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in verb.path)
        yield f"complete -c {_NAME} -n {_quoted(before)} -a {verb.path[-1]} -d {_quoted(verb.help)}"
        for option in verb.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            yield f"complete -c {_NAME} -n {_quoted(inside)} {names}{_fish_values(option)} -d {_quoted(option.help)}"
        for slot in verb.positionals:
            if slot.kind in ("file", "choice"):
                yield f"complete -c {_NAME} -n {_quoted(inside)}{' -F' if slot.kind == 'file' else _fish_values(slot, '')}"


def _fish_values(slot: Slot, only: str = " -x") -> str:
    if slot.kind == "choice":
        return f"{only} -a {_quoted(' '.join(slot.choices))}"
    return {"file": " -r -F", "word": " -x", "flag": ""}[slot.kind]


def _quoted(text: str) -> str:
    """In single quotes; an apostrophe leaves them for a moment, as all three shells take it."""
    return "'" + text.replace("'", "'\\''") + "'"
