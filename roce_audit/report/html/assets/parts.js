// Small parts of pages.
const h = (tag, attributes = {}, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, call] of Object.entries(value)) made.addEventListener(event, call);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...inside.flat().filter((part) => part !== null && part !== undefined && part !== ""));
  return made;
};

const many = (number, word, words = word + "s") => `${number.toLocaleString("en")} ${number === 1 ? word : words}`;
const deviceLink = (name) => h("a", { href: `#/device/${encodeURIComponent(name)}` }, name);
const portLink = (id, text = id) => h("a", { href: `#/port/${encodeURIComponent(id)}` }, text);
const badge = (severity) => (severity ? h("span", { class: `badge ${severity}` }, severity) : h("span", { class: "quiet" }, "none"));
const facts = (pairs) => h("dl", { class: "facts" },
  pairs.filter(([, value]) => value !== "" && value !== null).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));

// A list that grows: a piece at a time, when its end comes into view or by its button.
const growing = (holder, items, draw, size, name) => {
  let shown = 0;
  const button = h("button", { type: "button", class: "more" });
  const more = () => {
    const before = shown;
    shown = Math.min(shown + size, items.length);
    for (let i = before; i < shown; i++) holder.append(draw(items[i]));
    button.textContent = `Show more ${name} (${(items.length - shown).toLocaleString("en")} left)`;
    button.hidden = shown >= items.length;
    if (button.hidden) watch.disconnect();
  };
  const watch = new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting) && !button.hidden) more(); }, { rootMargin: "400px" });
  button.addEventListener("click", more);
  more();
  if (!button.hidden) watch.observe(button);
  return button;
};

const picture = ([heading, svg]) => {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return h("figure", {}, h("figcaption", {}, heading),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": heading }, document.importNode(parsed, true)));
};
