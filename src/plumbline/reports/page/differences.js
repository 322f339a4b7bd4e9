/* Two systems case by case: the figure of the first two systems, with the rows and names of those that the reader chooses. */
const MOST_NAMED = 40;
const [HEAD, TAIL] = [7, 6]; /* letters of both ends of a long name beside the axis */

const [FIRST, SECOND, NEITHER] = [0, 1, 2]; /* numbers, since every word may be the name of a system */
const ROUNDED = 1e-6; /* the page has six digits of each value */

const compared = (known, a, b, metric) => {
  const sign = known.lower[metric] ? -1 : 1;
  const equal = ({ first, second, gain }) =>
    Math.abs(gain) <= known.eps + (known.eps && ROUNDED * Math.max(Math.abs(first), Math.abs(second)));
  return known.cases
    .map((name, at) => ({ case: name, first: known.values[metric][a][at], second: known.values[metric][b][at] }))
    .filter((row) => row.first !== null && row.second !== null)
    .map((row) => ({ ...row, difference: row.first - row.second }))
    .map((row) => ({ ...row, gain: sign * row.difference }))
    .map((row) => ({ ...row, better: equal(row) ? NEITHER : row.gain > 0 ? FIRST : SECOND }))
    .sort((x, y) => y.gain - x.gain);
};

const clipped = (name) => name.replace(new RegExp(`^(.{${HEAD}}).{2,}(.{${TAIL}})$`, "su"), "$1…$2");

const chosen = (template, known, a, b, metric) => {
  const [one, other] = [known.systems[a], known.systems[b]];
  const differences = compared(known, a, b, metric);
  const within = known.eps ? `equal within ${known.eps}` : "equal";
  const labels = [`${one} is better`, `${other} is better`, within]
    .map((label, side) => `${plural(differences.filter((row) => row.better === side).length, "case")}: ${label}`);
  const mean = differences.reduce((sum, row) => sum + row.difference, 0) / differences.length;
  const signed = (digits) => `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(digits)}`;
  const spec = structuredClone(template);
  const [bars, grey, zero, line, meanLabel] = spec.layer;
  const few = differences.length <= MOST_NAMED;
  const labelled = (rows) => rows.map(({ case: name, difference, first, second, better }) => ({ case: name, difference, first, second, better: labels[better] }));
  spec.datasets = {
    decided: labelled(differences.filter((row) => row.better !== NEITHER)),
    equal: labelled(differences.filter((row) => row.better === NEITHER)),
    zero: [{ difference: 0 }],
    mean: [{ difference: mean, label: `mean ${signed(3)}` }],
  };
  zero.data.name = "zero";
  line.data.name = meanLabel.data.name = "mean";
  const end = mean < 0 === known.lower[metric];
  meanLabel.encoding.x.value = end ? "width" : 0;
  Object.assign(meanLabel.mark, { align: end ? "right" : "left", baseline: mean < 0 ? "top" : "bottom", dy: mean < 0 ? 4 : -3 });
  bars.data.name = "decided";
  grey.data.name = "equal";
  bars.encoding.color.scale.domain = colourDomain([[labels[FIRST], known.colours[a]], [labels[SECOND], known.colours[b]]]);
  bars.encoding.color.legend.values = [labels[FIRST], labels[SECOND]];
  [bars, grey].forEach(({ encoding: { tooltip } }) => { [tooltip[2].title, tooltip[3].title] = [one, other]; });
  grey.encoding.opacity.scale.domain = [labels[NEITHER]];
  [bars, grey].forEach(({ encoding: { x } }) => {
    x.scale = { ...x.scale, domain: differences.map((row) => row.case), paddingInner: few ? 0.15 : 0 };
    x.axis = few ? { labelAngle: -90, labelExpr: cutLabel(15), labelLimit: 0, title: null } : null;
  });
  spec.layer.forEach((layer) => { layer.encoding.y.title = `${known.metrics[metric]}: ${clipped(one)} − ${clipped(other)}`; });
  spec.description = `Differences of ${one} and ${other} by ${known.metrics[metric]} on ${plural(differences.length, "case")}, sorted; `
    + `${labels.join("; ")}; mean ${signed(4)}`;
  return { spec, rows: differences.length };
};

all(".chooser").forEach((box) => {
  const [form, chart] = [box.querySelector("form"), box.querySelector(".chart")];
  const status = form.querySelector("output");
  let known = null;
  let template = null;
  box.chosen = (a, b, metric) => chosen(template ??= specOf(chart), known ??= read(box.querySelector(".values")), a, b, metric);
  const choose = () => {
    const [a, b, metric] = ["a", "b", "metric"].map((name) => Number(form.elements[name].value));
    const drawing = a === b ? { rows: 0 } : box.chosen(a, b, metric);
    status.textContent = a === b ? "Choose two different systems." : drawing.rows ? "" : "These two share no case with this metric.";
    if (drawing.rows) show(chart, drawing.spec);
  };
  form.hidden = false;
  form.addEventListener("change", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
});
