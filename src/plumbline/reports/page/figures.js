/* Figures: drawn when they come near, in the colours of the page; no text is ever run as code. */
const themes = read(document.getElementById("themes"));
const isDark = matchMedia("(prefers-color-scheme: dark)");
const isPrint = matchMedia("print");
const figures = new Map();
const [NARROWEST, WIDEST] = [240, 960];
const PADDING = { left: 5, top: 5, right: 14, bottom: 5 }; /* the last label of an axis is centred at its end, and fitting does not see it */
const PANEL = 300; /* pixels of a panel beside others */
const TALL = 1000; /* pixels; half a page of paper would make letters too small */
const [FEWEST, MOST] = [5, 14]; /* letters of a name */
const [CELL, ROW] = [36, 18]; /* pixels of a number in a matrix, and of its rows without numbers */
const [LETTER, SYMBOL] = [6.2, 30]; /* pixels of a letter, and of a legend's symbol with what is around it */
const ERRORS_ONLY = 1;

const optionsOf = (theme) => ({
  mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false, logLevel: ERRORS_ONLY,
  config: { ...themes[theme], aria: false }, tooltip: { disableDefaultStyle: true },
});
const themeNow = () => (isDark.matches && !isPrint.matches ? "dark" : "light");

/* Of long labels the middle is left out, as in figures.cutting. */
const cutLabel = (longest, field = "label") => {
  const [head, tail] = [Math.ceil((longest - 1) / 2), Math.floor((longest - 1) / 2)];
  return `replace(datum.${field}, regexp('^(.{${head}}).{2,}(.{${tail}})$', 'su'), '$1…$2')`;
};

/* The width of a box without what it keeps free at its sides. */
const roomOf = (chart) => {
  const { paddingLeft, paddingRight } = getComputedStyle(chart);
  return Math.floor(chart.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
};
/* Where the page is small, a figure of one area is narrowed, and its legend goes below; others scroll in their box. */
const below = (channel, room) => {
  if (!channel.legend) return channel;
  const longest = Math.max(...(channel.scale?.domain ?? []).map((name) => String(name).length));
  const columns = longest * LETTER + SYMBOL > room / 2 ? 1 : 2;
  const letters = Math.max(Math.floor((room / columns - SYMBOL) / LETTER), FEWEST);
  return { ...channel, legend: { ...channel.legend, orient: "bottom", columns, labelExpr: cutLabel(letters), labelLimit: 0 } };
};
const legendsBelow = (view, room) => ({
  ...view,
  ...(view.layer && { layer: view.layer.map((layer) => legendsBelow(layer, room)) }),
  ...(view.encoding && { encoding: Object.fromEntries(Object.entries(view.encoding).map(([name, channel]) => [name, below(channel, room)])) }),
});
const encodingsOf = (view) => [view.encoding, ...(view.layer ?? []).flatMap(encodingsOf)].filter(Boolean);
/* A matrix keeps its colours in narrow cells: numbers that would run into each other are left out, and long names are cut. */
const slimmed = (spec, room) => {
  const of = encodingsOf(spec).find(({ x, y }) => [x, y].every((side) => side?.type === "nominal" && side.scale?.domain));
  if (!of) return spec;
  const [columns, rows] = [of.x, of.y].map((side) => side.scale.domain);
  const longest = Math.min(Math.max(...rows.map((name) => String(name).length)), MOST);
  const slim = structuredClone(spec);
  encodingsOf(slim).forEach(({ y }) => { if (y?.axis) y.axis.labelExpr = cutLabel(longest); });
  if ((room - longest * LETTER) / columns.length >= CELL) return slim;
  if (slim.layer) slim.layer = slim.layer.filter(({ mark }) => mark.type !== "text");
  return { ...slim, height: Math.min(slim.height, rows.length * ROW) };
};
/* Names beside marks: where they stand at both sides of the drawing, each side may take a quarter of the room. */
const isBeside = ({ encoding }) => encoding?.text?.field === "short";
const shortened = (spec, room) => {
  const beside = spec.layer?.filter(isBeside) ?? [];
  const longest = beside.length > 1 ? Math.floor(room / 4 / LETTER) : Infinity;
  const cut = (view) => ({ ...view, transform: [...(view.transform ?? []), { calculate: cutLabel(longest, "short"), as: "short" }] });
  return longest < Infinity ? { ...spec, layer: spec.layer.map((view) => (isBeside(view) ? cut(view) : view)) } : spec;
};
const narrowed = (wide, room) => {
  const width = Math.max(room, NARROWEST);
  const spec = shortened(slimmed(wide, width), width);
  return { ...legendsBelow(spec, width), width, padding: PADDING, autosize: { type: "fit-x", contains: "padding" }, config: { ...spec.config, axis: { labelOverlap: true, labelSeparation: 5 }, legend: { layout: { bottom: { direction: "vertical", anchor: "start" } } } } };
};
/* Figures of several panels: as many side by side as there is room for; the first of each row has the names of the rows. */
const panelsOf = (spec, data = spec.data) => (spec.hconcat ?? spec.vconcat ?? []).flatMap((one) => {
  const own = { ...(data && { data }), ...one }; /* panels share the data of what holds them */
  return one.hconcat || one.vconcat ? panelsOf(own) : [own];
});
const stacked = (spec, room, columns, width) => {
  const { hconcat, vconcat, ...rest } = spec;
  const panels = structuredClone(panelsOf(spec));
  const rows = panels.flatMap(encodingsOf).map((encoding) => encoding.y).filter(Boolean);
  const names = rows.some((y) => y.axis === null) ? rows.find((y) => y.axis)?.axis : null;
  panels.forEach((panel, at) => {
    panel.width = width;
    if (names) encodingsOf(panel).filter(({ y }) => y).forEach(({ y }) => { y.axis = at % columns ? null : names; });
  });
  const concat = panels.map((panel) => legendsBelow(panel, room));
  return { ...rest, concat, columns, config: { ...spec.config, axis: { labelOverlap: true, labelSeparation: 5 } } };
};
/* Vega only logs what goes wrong while it draws, and leaves the figure empty: here it is an error. The library hands out no
   class of views, so it is that of a first, empty one. */
let usualView = null;
const listening = async (errors) => {
  usualView ??= window.vegaEmbed(made("div"), { data: { values: [] }, mark: "point" }, optionsOf("light")).then(({ view }) => view.constructor);
  const View = await usualView;
  const [error, nothing] = [(...messages) => errors.push(...messages), () => {}];
  const logger = { error, warn: nothing, info: nothing, debug: nothing, level: () => ERRORS_ONLY };
  return class extends View {
    constructor(runtime, options) { super(runtime, { ...options, logger }); }
  };
};
const embed = async (target, spec, theme) => {
  const errors = [];
  const viewClass = await listening(errors);
  const embedded = await window.vegaEmbed(target, spec, { ...optionsOf(theme), viewClass });
  if (!errors.length) return embedded;
  embedded.finalize();
  throw errors[0] instanceof Error ? errors[0] : new Error(errors[0]);
};

const renew = async (chart, known, spec) => {
  known.embedded?.finalize();
  known.embedded = await embed(chart, spec, themeNow());
  chart.setAttribute("role", "img");
  chart.toggleAttribute("data-tall", chart.querySelector("svg").height.baseVal.value > TALL);
  chart.querySelector("svg").setAttribute("aria-hidden", "true");
};
const stack = async (chart, known, room) => {
  const columns = Math.max(1, Math.floor(room / PANEL));
  const guess = Math.floor(room / columns / 2);
  await renew(chart, known, stacked(known.spec, room, columns, guess));
  const around = chart.querySelector("svg").width.baseVal.value - columns * guess; /* names, titles, gaps */
  await renew(chart, known, stacked(known.spec, room, columns, Math.max(Math.floor((room - around) / columns), NARROWEST / 2)));
};
const draw = async (chart) => {
  const known = figures.get(chart);
  known.spec ??= specOf(chart);
  const look = `${themeNow()} ${chart.clientWidth} ${known.version}`;
  if (known.look === look) return;
  known.look = look;
  try {
    const room = roomOf(chart);
    await renew(chart, known, chart.dataset.widens ? narrowed(known.spec, Math.min(room, WIDEST)) : known.spec);
    if (chart.dataset.narrows && chart.scrollWidth > chart.clientWidth) await renew(chart, known, narrowed(known.spec, room));
    if (chart.dataset.stacks && !isPrint.matches && chart.scrollWidth > chart.clientWidth) await stack(chart, known, room);
    chart.tabIndex = chart.scrollWidth > chart.clientWidth ? 0 : -1;
    cue(chart);
    known.tools.hidden = false;
  } catch (error) {
    known.embedded = null;
    known.tools.hidden = true;
    chart.removeAttribute("role");
    chart.textContent = `This figure could not be drawn: ${error.message}`;
  }
  chart.dataset.drawn = themeNow();
};
const show = (chart, spec) => {
  const known = figures.get(chart);
  Object.assign(known, { spec, version: known.version + 1 });
  return draw(chart);
};
const save = async (chart, kind) => {
  await draw(chart);
  const embedded = await embed(made("div"), figures.get(chart).spec, "light");
  const address = await embedded.view.toImageURL(kind, kind === "png" ? 2 : 1);
  made("a", { href: address, download: `${chart.closest("figure").id}.${kind}` }).click();
  embedded.finalize();
};

const near = new IntersectionObserver((seen) => seen.forEach((entry) => {
  if (!entry.isIntersecting) return;
  near.unobserve(entry.target);
  draw(entry.target);
}), { rootMargin: "400px" });
all(".chart").forEach((chart) => {
  const figure = chart.closest("figure");
  const buttons = ["svg", "png"].map((kind) => {
    const button = made("button", { type: "button", textContent: kind.toUpperCase() });
    button.setAttribute("aria-label", `Save as ${kind.toUpperCase()}: ${figure.querySelector("figcaption b").textContent}`);
    button.addEventListener("click", () => save(chart, kind));
    return button;
  });
  const tools = made("div", { className: "tools" }, "Save as ", ...buttons);
  figures.set(chart, { spec: null, embedded: null, look: "", version: 0, tools });
  figure.append(tools);
  near.observe(chart);
});

/* Those that are far away are drawn one by one while the reader does nothing, but for the few that take seconds. */
const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
const drawRest = () => {
  const next = [...figures].find(([chart, known]) => !known.look && !chart.dataset.large);
  if (next) idle(() => draw(next[0]).then(drawRest));
  else document.documentElement.dataset.drawn = "all";
};
addEventListener("load", drawRest);
const drawAll = () => [...figures.keys()].forEach(draw);
const redraw = () => [...figures].filter(([, known]) => known.look).forEach(([chart]) => draw(chart));
isDark.addEventListener("change", redraw);
isPrint.addEventListener("change", drawAll);
addEventListener("beforeprint", drawAll);
let resized;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(redraw, 200); });
