// The hash says what is shown: #/, #/findings?q=..., #/finding/ID, #/devices, #/device/NAME, #/port/DEVICE:PORT.
const overview = document.getElementById("overview");
const view = document.getElementById("view");
const status = document.getElementById("status");
const say = (words) => { status.textContent = words; };
const product = document.title;

const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };

const viewFor = (hash) => {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const slash = path.indexOf("/");
  const [kind, rest] = slash < 0 ? [path, ""] : [path.slice(0, slash), decoded(path.slice(slash + 1))];
  const asked = new URLSearchParams(query);
  if (kind === "findings") return findingsView(asked);
  if (kind === "devices") return devicesView(asked);
  if (kind === "finding") return findingView(rest);
  if (kind === "device") return deviceView(rest);
  if (kind === "port") return portView(rest);
  return kind ? missing(`There is no page ${path}.`) : null;
};

let first = true;
const show = () => {
  const made = viewFor(location.hash);
  overview.hidden = made !== null;
  view.hidden = made === null;
  const heading = made === null ? document.getElementById("overview-title") : h("h1", { tabindex: "-1" }, made.title);
  view.replaceChildren(...(made === null ? [] : [heading, ...made.parts.flat().filter(Boolean)]));
  made?.ready?.();
  document.title = made === null ? product : `${made.title} · ${product}`;
  const kind = location.hash.replace(/^#\/?/, "").split(/[/?]/)[0];
  for (const link of document.querySelectorAll("nav a")) {
    const mine = link.getAttribute("href").replace("#/", "");
    const current = mine === kind || (mine === "findings" && kind === "finding") || (mine === "devices" && ["device", "port"].includes(kind));
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!first) { window.scrollTo(0, 0); heading.focus({ preventScroll: true }); }
  first = false;
};

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  if (!document.getElementById("search")) { history.pushState(null, "", "#/findings"); show(); }
  document.getElementById("search").focus();
});

const themes = ["system", "light", "dark"];
const theme = document.getElementById("theme");
const setTheme = (name) => {
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  theme.textContent = `Theme: ${name}`;
};
const kept = () => { try { return localStorage.getItem("roce-audit-theme"); } catch { return null; } };
setTheme(themes.includes(kept()) ? kept() : "system");
theme.hidden = false;
theme.addEventListener("click", () => {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? "system") + 1) % themes.length];
  setTheme(next);
  try { localStorage.setItem("roce-audit-theme", next); } catch { /* a page from disk may not keep anything */ }
});

// an address of its own would leave the page that is shown
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  (view.hidden ? overview : view).querySelector("h1").focus();
});

window.addEventListener("hashchange", show);
show();
