/* Figures: drawn when they come near, in the colours of the page; no text is ever run as code. */
const themes = read(document.getElementById("themes"));
const isDark = matchMedia("(prefers-color-scheme: dark)");
const isPrint = matchMedia("print");
const figures = new Map();
const NARROWEST = 240;
const ERRORS_ONLY = 1;

const optionsOf = (theme) => ({
  mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false, logLevel: ERRORS_ONLY,
  config: { ...themes[theme], aria: false }, tooltip: { disableDefaultStyle: true },
});
const themeNow = () => (isDark.matches && !isPrint.matches ? "dark" : "light");

/* Where the page is small, a figure of one area is narrowed, and its legend goes below; others scroll in their box. */
const narrowed = (spec, room) => ({
  ...spec,
  width: Math.max(room, NARROWEST),
  autosize: { type: "fit-x", contains: "padding" },
  config: { ...spec.config, legend: { orient: "bottom", columns: 2, labelLimit: 120 }, axis: { labelOverlap: true } },
});
const embed = (target, spec, theme) => window.vegaEmbed(target, spec, optionsOf(theme));

const renew = async (chart, known, spec) => {
  known.embedded?.finalize();
  known.embedded = await embed(chart, spec, themeNow());
  chart.setAttribute("role", "img");
  chart.querySelector("svg").setAttribute("aria-hidden", "true");
};
const draw = async (chart) => {
  const known = figures.get(chart);
  known.spec ??= specOf(chart);
  const look = `${themeNow()} ${chart.clientWidth} ${known.version}`;
  if (known.look === look) return;
  known.look = look;
  try {
    await renew(chart, known, known.spec);
    if (chart.dataset.narrows && chart.scrollWidth > chart.clientWidth) await renew(chart, known, narrowed(known.spec, chart.clientWidth));
    chart.dataset.drawn = themeNow();
    chart.tabIndex = chart.scrollWidth > chart.clientWidth ? 0 : -1;
  } catch (error) {
    chart.textContent = `This figure could not be drawn: ${error.message}`;
  }
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
  figures.set(chart, { spec: null, embedded: null, look: "", version: 0 });
  const buttons = ["svg", "png"].map((kind) => {
    const button = made("button", { type: "button", textContent: kind.toUpperCase() });
    button.setAttribute("aria-label", `Save as ${kind.toUpperCase()}: ${figure.querySelector("figcaption b").textContent}`);
    button.addEventListener("click", () => save(chart, kind));
    return button;
  });
  figure.append(made("div", { className: "tools" }, "Save as ", ...buttons));
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
