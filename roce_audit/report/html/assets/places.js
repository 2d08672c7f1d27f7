// Devices and ports.
const missing = (words) => ({ title: "Not in this report", parts: [h("p", {}, words), h("p", {}, h("a", { href: "#/" }, "To the overview"))] });

const table = (heads, rows, draw, name) => {
  const inside = h("tbody", {});
  const made = h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), inside));
  return [made, growing(inside, rows, draw, 200, name)];
};

const devicesView = (query) => {
  const holder = h("div", {});
  const told = h("p", { class: "quiet" });
  const search = h("input", { type: "search", "aria-label": "Search devices", placeholder: "Search name, platform, fabric", value: query.get("q") ?? "" });
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    history.replaceState(null, "", `#/devices${search.value ? `?q=${encodeURIComponent(search.value)}` : ""}`);
    const found = devices.filter((d) => words.every((w) => `${d.name} ${d.platform} ${d.fabric} ${d.kind} ${d.model}`.toLowerCase().includes(w)));
    holder.replaceChildren(...table(["device", "fabric", "platform", "model", "ports", "findings", "worst"], found, (device) => {
      const open = findingsOf(device.name).filter((f) => isOpen(f) && f.cause === null && f.severity !== "unknown");
      return h("tr", {}, h("th", { scope: "row" }, deviceLink(device.name)), h("td", {}, device.fabric), h("td", {}, `${device.platform} ${device.kind}`),
        h("td", {}, device.model), h("td", {}, device.count.toLocaleString("en")), h("td", {}, open.length.toLocaleString("en")),
        h("td", {}, badge(worst(open))));
    }, "devices"));
    told.textContent = `${many(found.length, "device")} of ${devices.length.toLocaleString("en")}`;
    say(told.textContent);
  };
  search.addEventListener("input", apply);
  return { title: "Devices", parts: [h("div", { class: "filters" }, search), told, holder], ready: apply };
};

// Causes first; a consequence only where its cause concerns something else.
const concerning = (id) => {
  const found = findingsOf(id);
  const here = new Set(found);
  return found.filter((f) => f.cause === null || !here.has(findings[f.cause])).sort((a, b) => !isOpen(a) - !isOpen(b) || RANK[a.severity] - RANK[b.severity] || a.index - b.index);
};

const findingsSection = (id) => {
  const found = concerning(id);
  const known = found.filter((finding) => finding.severity !== "unknown");
  const doubts = found.filter((finding) => finding.severity === "unknown");
  const list = h("div", {});
  const parts = [h("h2", {}, `Findings (${known.length.toLocaleString("en")})`), list];
  if (known.length) parts.push(growing(list, known, (finding) => article(finding), 100, "findings"));
  else list.append(h("p", {}, "None."));
  if (doubts.length) {
    const hidden = h("div", {});
    const fold = h("details", { class: "finding unknown" }, h("summary", {}, badge("unknown"), `${many(doubts.length, "rule")} could not be judged here`), h("div", { class: "body" }, hidden));
    fold.addEventListener("toggle", () => { if (fold.open && !hidden.children.length) hidden.append(...doubts.map((f) => article(f))); });
    parts.push(fold);
  }
  return parts;
};

const ROCE = { yes: "yes", no: "no", undecided: "unclear", not_data: "not a data port" };

const farEnd = (port) => (portOf.has(port.peer) ? portLink(port.peer) : port.peer);

const deviceView = (name) => {
  const device = deviceOf.get(name);
  if (!device) return missing(`There is no device ${name} in this report.`);
  const heads = ["port", "description", "speed", "MTU", "RoCE", "far end", "cable", "worst"];
  const order = [...device.ports].sort((a, b) => (RANK[worstOf(a.id)] ?? 9) - (RANK[worstOf(b.id)] ?? 9) || (a.roce === "not_data") - (b.roce === "not_data"));
  return { title: name, parts: [
    facts([["fabric", device.fabric], ["platform", `${device.platform} ${device.kind}`], ["model", device.model], ["file", h("code", {}, device.path)],
      ["complete", device.complete || "no: what a fragment does not say counts as unknown"]]),
    ...findingsSection(name), h("h2", {}, `Ports (${device.count.toLocaleString("en")})`),
    device.count > device.ports.length ? h("p", { class: "quiet" }, `Listed are ${device.ports.length.toLocaleString("en")} with failed checks: roce-audit show ${name} shows all.`) : null,
    ...table(heads, order, (port) => h("tr", {}, h("th", { scope: "row" }, portLink(port.id, port.name)), h("td", {}, port.description), h("td", {}, port.speed),
      h("td", {}, port.mtu), h("td", {}, ROCE[port.roce]), h("td", {}, farEnd(port)), h("td", {}, port.cable), h("td", {}, badge(worstOf(port.id)))), "ports"),
  ] };
};

const portView = (id) => {
  const port = portOf.get(id);
  if (!port) return missing(`There is no port ${id} in this report.`);
  const drawn = port.drawing === null || port.drawing < 0 ? [] : raw.drawings[port.drawing].map(([heading, number]) => picture([heading, raw.pictures[number]]));
  return { title: id, parts: [
    facts([["device", deviceLink(port.device)], ["description", port.description], ["speed", port.speed], ["MTU", port.mtu],
      ["carries RoCE", ROCE[port.roce] + (port.evidence && port.roce !== "not_data" ? `: ${port.evidence}` : "")],
      ["far end", farEnd(port)], ["cable", port.cable], ["at", h("code", {}, `${port.path}:${port.line}`)]]),
    ...findingsSection(id), drawn.length ? h("h2", {}, "What it does with each class") : null, h("div", { class: "pictures" }, drawn),
    port.drawing < 0 ? h("p", { class: "quiet" }, `Not drawn, for this report has many ports: roce-audit show ${id} says it in words.`) : null,
  ] };
};
