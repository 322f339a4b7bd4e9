/* Two systems case by case: the figure of the first two systems, with the rows and names of those that the reader chooses. */
const MOST_NAMED = 40;

const compared = (known, a, b, metric) => {
  const [one, other] = [known.systems[a], known.systems[b]];
  const sign = known.lower[metric] ? -1 : 1;
  return known.cases
    .map((name, at) => ({ case: name, first: known.values[metric][a][at], second: known.values[metric][b][at] }))
    .filter((row) => row.first !== null && row.second !== null)
    .map((row) => ({ ...row, difference: row.first - row.second }))
    .map((row) => ({ ...row, gain: sign * row.difference }))
    .map((row) => ({ ...row, better: row.gain > 0 ? one : row.gain < 0 ? other : "equal" }))
    .sort((x, y) => y.gain - x.gain);
};

const chosen = (template, known, a, b, metric) => {
  const [one, other] = [known.systems[a], known.systems[b]];
  const found = compared(known, a, b, metric);
  const count = (name) => found.filter((row) => row.better === name).length;
  const label = (name) => `${plural(count(name), "case")}: ${name} is better`;
  const labels = { [one]: label(one), [other]: label(other) };
  const mean = found.reduce((sum, row) => sum + row.difference, 0) / found.length;
  const signed = (digits) => `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(digits)}`;
  const spec = structuredClone(template);
  const [bars, zero, line, words] = spec.layer;
  const few = found.length <= MOST_NAMED;
  spec.datasets = {
    rows: found.map(({ case: name, difference, first, second, better }) => ({ case: name, difference, first, second, better: labels[better] ?? "equal" })),
    zero: [{ difference: 0 }],
    mean: [{ difference: mean, label: `mean ${signed(3)}` }],
  };
  bars.data.name = "rows";
  zero.data.name = "zero";
  line.data.name = words.data.name = "mean";
  const { x, color } = bars.encoding;
  x.scale = { ...x.scale, domain: found.map((row) => row.case), paddingInner: few ? 0.15 : 0 };
  x.axis = few ? { labelAngle: -90, labelLimit: 90, title: null } : null;
  color.scale.domain = Object.values(labels);
  spec.layer.forEach((layer) => { layer.encoding.y.title = `${known.metrics[metric]}: ${one} − ${other}`; });
  spec.description = `Differences of ${one} and ${other} by ${known.metrics[metric]} on ${plural(found.length, "case")}, sorted; `
    + `${Object.values(labels).join("; ")}; equal: ${plural(count("equal"), "case")}; mean ${signed(4)}`;
  return { spec, rows: found.length };
};

all(".chooser").forEach((box) => {
  const [form, chart] = [box.querySelector("form"), box.querySelector(".chart")];
  const told = form.querySelector("output");
  let known = null;
  let template = null;
  box.chosen = (a, b, metric) => chosen(template ??= specOf(chart), known ??= read(box.querySelector(".values")), a, b, metric);
  const choose = () => {
    const [a, b, metric] = ["a", "b", "metric"].map((name) => Number(form.elements[name].value));
    const found = a === b ? { rows: 0 } : box.chosen(a, b, metric);
    told.textContent = a === b ? "Choose two different systems." : found.rows ? "" : "These two share no case with this metric.";
    if (found.rows) show(chart, found.spec);
  };
  form.hidden = false;
  form.addEventListener("change", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
});
