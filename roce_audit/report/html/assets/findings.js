// Findings: one, and the filtered list of causes.
const source = ([path, line, text, primary, what]) => h("div", { class: primary ? "source primary" : "source" },
  h("div", { class: "where" }, line ? `${path}:${line}` : path, what ? `  ${what}` : ""),
  text ? h("pre", {}, text) : null);

const subjectLink = (id) => id.includes(" <-> ")
  ? h("span", {}, ...id.split(" <-> ").flatMap((end, i) => [i ? " ↔ " : "", subjectLink(end)]))
  : portOf.has(id) ? portLink(id) : deviceOf.has(id) ? deviceLink(id) : document.createTextNode(id);

const MEMBERS = 40;
const members = (finding) => {
  const list = h("span", {});
  const show = (count) => {
    list.replaceChildren();
    finding.members.slice(0, count).forEach((id, i) => list.append(i ? ", " : "", subjectLink(id)));
    const left = finding.members.length - count;
    if (left > 0) list.append(" ", h("button", { type: "button", on: { click: () => show(finding.members.length) } }, `and ${left.toLocaleString("en")} more`));
  };
  show(MEMBERS);
  return list;
};

const body = (finding) => {
  const [title, why, said, page] = raw.rules[finding.rule] ?? ["", "", "", ""];
  const rows = [];
  const row = (name, ...value) => rows.push(h("dt", {}, name), h("dd", {}, ...value));
  row("concerns", members(finding));
  if (finding.spread) row("spread", finding.spread);
  if (finding.reach) row("reach", finding.reach);
  if (finding.fix) {
    const [words, safe, commands] = finding.fix;
    row(commands.length ? "proved fix" : "fix", words, safe ? " (does not disturb traffic)" : "", commands.length ? h("pre", { class: "commands" }, commands.join("\n")) : null);
  }
  if (why) row("why", why);
  if (said) row("source", said);
  const id = h("code", {}, finding.rule);
  row("rule", page ? h("a", { href: page }, id) : id, title ? `  ${title}` : "", finding.owner ? `, owner: ${finding.owner}` : "");
  if (finding.status) row("accepted", finding.status);
  if (finding.cause !== null) row("follows from", findingLink(findings[finding.cause]));
  if (finding.consequences.length) {
    row("consequences", h("ul", {}, finding.consequences.map((other) => h("li", {}, findingLink(other), ` ${other.message}`))));
  }
  row("link", h("a", { href: `#/finding/${finding.id}` }, "this finding"));
  return h("div", { class: "body" }, finding.places.map(source),
    finding.more ? h("p", { class: "quiet" }, `and ${many(finding.more, "more line")} (in the JSON report)`) : null, h("dl", {}, rows));
};

const findingLink = (finding) => h("a", { href: `#/finding/${finding.id}` }, `${finding.severity} ${finding.rule} ${finding.about}`);

const article = (finding, open = false) => {
  const made = h("details", { class: `finding ${finding.severity}`, open, "data-id": finding.id },
    h("summary", {}, badge(finding.severity),
      h("span", {}, h("strong", {}, finding.about), " ", h("span", { class: "quiet" }, finding.rule),
        finding.status ? h("em", {}, ` ${finding.status.split(/[:(]/)[0].trim()}`) : null,
        finding.consequences.length ? h("span", { class: "quiet" }, ` · ${many(finding.consequences.length, "consequence")}`) : null),
      h("span", { class: "said" }, finding.message)));
  const fill = () => { if (made.open && made.children.length === 1) made.append(body(finding)); };
  made.addEventListener("toggle", fill);
  fill();
  return made;
};

const SEVERITIES = ["error", "warning", "info", "unknown"];
const severitiesOf = (query) => (query.get("severity") ?? "error,warning,info").split(",");

// A cause is shown when it, or one of its consequences, has all the words; the filters look at the cause alone.
const matching = (query) => {
  const severities = new Set(severitiesOf(query));
  const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const [topic, owner, status] = ["topic", "owner", "status"].map((name) => query.get(name) ?? "");
  const has = (finding) => words.every((word) => haystack(finding).includes(word));
  return findings.filter((finding) => finding.cause === null
    && severities.has(finding.severity)
    && (!topic || finding.topic === topic) && (!owner || finding.owner === owner)
    && (status === "all" || (status === "accepted" ? !isOpen(finding) : isOpen(finding)))
    && (!words.length || has(finding) || finding.consequences.some(has)));
};

const findingsView = (query) => {
  const causes = findings.filter((finding) => finding.cause === null);
  const list = h("div", { id: "list" });
  const told = h("p", { id: "told", class: "quiet" });
  const select = (name, label, values) => h("label", {}, `${label} `, h("select", { name },
    values.map(([value, text]) => h("option", { value, selected: (query.get(name) ?? "") === value }, text))));
  const distinct = (field) => [["", "all"], ...[...new Set(causes.map((f) => f[field]))].filter(Boolean).sort().map((v) => [v, v])];
  const form = h("form", { class: "filters", role: "search" },
    h("input", { type: "search", name: "q", id: "search", value: query.get("q") ?? "", placeholder: "Search device, port, rule, file, words", "aria-label": "Search findings" }),
    h("fieldset", {}, h("legend", { class: "unseen" }, "Severity"), SEVERITIES.map((severity) => h("label", {},
      h("input", { type: "checkbox", name: "severity", value: severity, checked: severitiesOf(query).includes(severity) }),
      ` ${severity} (${causes.filter((f) => f.severity === severity && isOpen(f)).length.toLocaleString("en")})`))),
    select("topic", "Topic", distinct("topic")), select("owner", "Owner", distinct("owner")),
    select("status", "Status", [["", "open"], ["accepted", "accepted"], ["all", "all"]]));
  let button = null;
  const apply = () => {
    if (!form.isConnected) return; // the page went on while a search was waiting
    const filled = new FormData(form);
    const next = new URLSearchParams();
    for (const name of ["q", "topic", "owner", "status"]) if (filled.get(name)) next.set(name, filled.get(name));
    const severities = filled.getAll("severity").join(",");
    if (severities !== "error,warning,info") next.set("severity", severities);
    history.replaceState(null, "", `#/findings${next.size ? `?${next}` : ""}`);
    const found = matching(next);
    list.replaceChildren();
    button?.remove();
    button = growing(list, found, (finding) => article(finding), 100, "findings");
    list.after(button);
    told.textContent = `${many(found.length, "cause")} shown, ${(causes.length - found.length).toLocaleString("en")} hidden by the filters`;
    say(told.textContent);
  };
  let waiting = 0;
  form.addEventListener("input", (event) => {
    if (event.target.type !== "search") return;
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  form.addEventListener("change", (event) => { if (event.target.type !== "search") apply(); });
  form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
  return { title: "Findings", parts: [form, told, list], ready: apply };
};

// The paths that the overview draws, those of one finding.
const pathsOf = (finding) => [...overview.querySelectorAll(".path")]
  .filter((drawn) => drawn.dataset.findings.split(" ").includes(finding.id))
  .map((drawn) => Object.assign(drawn.cloneNode(true), { open: true }));

const findingView = (id) => {
  const begun = id.length < 6 ? [] : findings.filter((other) => other.id.startsWith(id));
  const finding = findings.find((other) => other.id === id) ?? (begun.length === 1 ? begun[0] : undefined);
  if (!finding) return missing(`There is no finding ${id} in this report.`);
  return { title: `${finding.rule} ${finding.about}`, parts: [article(finding, true), pathsOf(finding), finding.consequences.length ? h("h2", {}, "Consequences") : null,
    finding.consequences.map((other) => article(other))] };
};
