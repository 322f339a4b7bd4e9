/* Metric against metric: the figure of the first two metrics, with the dots and names of those that the reader chooses. */
const GOLDEN = 0x9e3779b1; /* the golden ratio as a share of 32 bits */
const MOST_TOLD = 8;

const listing = (names) => names.slice(0, MOST_TOLD).join(", ") + (names.length > MOST_TOLD ? ` and ${counted(names.length - MOST_TOLD)} more` : "");

/* Which dots are drawn where there are too many: squares times the golden ratio lie evenly, and the smallest are taken. */
const sampled = (dots, most) => {
  const place = (at) => Math.imul(Math.imul(at, at), GOLDEN) >>> 0;
  const kept = new Set([...dots.keys()].sort((one, other) => place(one) - place(other)).slice(0, most));
  return dots.filter((_, at) => kept.has(at));
};

const outputsOf = (known, ignoring, x, y) => {
  const number = (system, at) => system * known.cases.length + at;
  const ignored = new Set(ignoring.map(([system, at]) => number(system, at)));
  return known.systems.flatMap((name, system) => known.cases.map((caseName, at) => ({
    system: name, case: caseName, x: known.values[x][system][at], y: known.values[y][system][at], ignores: ignored.has(number(system, at)),
  }))).filter((row) => row.x !== null && row.y !== null);
};

const layersOf = (marks, known, coloured, others, crosses) => {
  const [own, grey, crossed] = structuredClone(marks.layers);
  const places = known.systems.map((name, at) => [name, marks.colours[at]]).filter(([name, place]) => place !== marks.others && coloured.some((row) => row.system === name)).sort((one, other) => one[1] - other[1]);
  own.encoding.color.scale.domain = colourDomain(places);
  own.encoding.color.legend.values = places.map(([name]) => name);
  const layers = [[grey, "others", others], [own, "coloured", coloured], [crossed, "crosses", crosses]];
  return layers.filter(([, , rows]) => rows.length).map(([layer, name]) => ({ ...layer, data: { name } }));
};

const scattered = (template, marks, known, x, y) => {
  const everything = outputsOf(known, marks.ignoring, x, y);
  if (!everything.length) return null;
  const drawn = sampled(everything, marks.most);
  const [dots, crosses] = [false, true].map((ignores) => drawn.filter((row) => row.ignores === ignores));
  const grey = new Set(known.systems.filter((_, at) => marks.colours[at] === marks.others));
  const [coloured, others] = [false, true].map((without) => dots.filter((row) => grey.has(row.system) === without));
  const namesOf = (rows) => [...new Set(rows.map((row) => row.system))];
  const isWhole = drawn.length === everything.length;
  const whose = marks.left_out ? ` of the best ${plural(known.systems.length, "system")}` : "";
  const outputs = isWhole ? `${plural(drawn.length, "output")}${whose}`
    : `${counted(drawn.length)} of ${plural(everything.length, "output")}${whose}, drawn at random`;
  const marked = crosses.length ? `; ${crosses.length} of them ${crosses.length === 1 ? "ignores" : "ignore"} the gold` : "";
  const heading = (metric) => `${known.metrics[metric]}${known.lower[metric] ? " (lower is better)" : ""}`;
  const { title, data, ...rest } = template;
  const spec = {
    ...rest,
    ...(isWhole && !whose ? {} : { title: { text: "", subtitle: outputs } }),
    datasets: { coloured, others, crosses: crosses.map((row) => ({ ...row, kind: `ignores the gold (${crosses.length})` })) },
    layer: layersOf(marks, known, coloured, others, crosses),
    description: `${known.metrics[y]} against ${known.metrics[x]}, a dot for each output: ${outputs}${marked}; systems: ${listing(namesOf(drawn))}`,
  };
  spec.layer.forEach(({ encoding }) => { [encoding.x.title, encoding.y.title] = [heading(x), heading(y)];
    [encoding.tooltip[2].title, encoding.tooltip[3].title] = [known.metrics[x], known.metrics[y]];
  });
  return spec;
};

all(".metric-chooser").forEach((box) => {
  const [form, chart] = [box.querySelector("form"), box.querySelector(".chart")];
  const status = form.querySelector("output");
  const marks = read(box.querySelector(".marks"));
  let known = null;
  let template = null;
  box.chosen = (x, y) => {
    template ??= specOf(chart);
    if (x === marks.start[0] && y === marks.start[1]) return template;
    known ??= read(document.getElementById(box.dataset.values).querySelector(".values"));
    return scattered(template, marks, known, x, y);
  };
  const choose = () => {
    const [x, y] = ["x", "y"].map((name) => Number(form.elements[name].value));
    const spec = x === y ? null : box.chosen(x, y);
    status.textContent = x === y ? "Choose two different metrics." : spec ? "" : "No output has a value of both metrics.";
    if (spec) show(chart, spec);
  };
  form.hidden = false;
  form.addEventListener("change", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
});
