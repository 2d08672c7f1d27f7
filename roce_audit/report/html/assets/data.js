// The report as objects. Texts are put into the page as text only; pictures were made and escaped before.
const raw = JSON.parse(document.getElementById("data").textContent);

const named = (row, names) => Object.fromEntries(names.map((name, i) => [name, row[i]]));

const FINDING = ["id", "rule", "severity", "owner", "about", "message", "spread", "status", "cause", "places", "more", "members", "fix", "reach"];
const findings = raw.findings.map((row, i) => ({ ...named(row, FINDING), index: i, consequences: [] }));
for (const finding of findings) {
  if (finding.cause !== null) findings[finding.cause].consequences.push(finding);
  finding.topic = finding.rule.split("/")[0];
  finding.members = finding.members.map((member) => (typeof member === "number" ? raw.ports[member][0] : member));
}

const devices = raw.devices.map((row) => ({ ...named(row, ["name", "kind", "platform", "fabric", "model", "path", "complete", "count"]), ports: [] }));
const deviceOf = new Map(devices.map((device) => [device.name, device]));
const PORT = ["id", "device", "name", "description", "speed", "mtu", "roce", "evidence", "peer", "cable", "path", "line"];
const ports = raw.ports.map((row, i) => ({ ...named(row, PORT), drawing: raw.drawing_of[i] }));
const portOf = new Map(ports.map((port) => [port.id, port]));
for (const port of ports) deviceOf.get(port.device)?.ports.push(port);

// port or device -> its findings; a link concerns both of its ends
const concerned = new Map();
const note = (key, finding) => {
  if (!concerned.has(key)) concerned.set(key, new Set());
  concerned.get(key).add(finding);
};
for (const finding of findings) {
  for (const member of finding.members) {
    for (const id of member.split(" <-> ")) {
      note(id, finding);
      const device = portOf.get(id)?.device ?? (deviceOf.has(id) ? id : id.slice(0, Math.max(id.indexOf(":"), 0)));
      if (device) note(device, finding);
    }
  }
}

const RANK = { error: 0, warning: 1, info: 2, unknown: 3 };
const findingsOf = (id) => [...(concerned.get(id) ?? [])];
const isOpen = (finding) => !finding.status;
const worst = (list) => list.filter((f) => isOpen(f) && f.severity !== "unknown").reduce((best, f) => (best === "" || RANK[f.severity] < RANK[best] ? f.severity : best), "");
const worstOf = (id) => worst(findingsOf(id));

// everything one may search a finding by, in lower case; made when it is first needed
const haystack = (finding) => (finding.words ??= [
  finding.rule, finding.about, finding.message, finding.owner, finding.status, ...finding.members, ...finding.places.map((p) => p[0]),
  raw.rules[finding.rule]?.[0] ?? "",
].join("\n").toLowerCase());
