/* Tables: sorted by a click on a heading, filtered by a word. They are whole without this script. */
const FEW_ROWS = 8;
const SHORT_NAME = /^\S{1,12} [↑↓]$/;
const numberOf = (cell) => (cell.dataset.value === undefined ? NaN : Number(cell.dataset.value));
const byColumn = (column, numeric, sign) => (one, other) => {
  const [first, second] = [one.cells[column], other.cells[column]];
  if (!numeric) return sign * first.textContent.localeCompare(second.textContent, "en", { numeric: true });
  const [a, b] = [numberOf(first), numberOf(second)];
  return Number.isNaN(a) || Number.isNaN(b) ? Number.isNaN(a) - Number.isNaN(b) : sign * (a - b);
};
const sortable = (table) => {
  const heads = all("thead th", table);
  heads.forEach((head, column) => {
    const numeric = head.classList.contains("number");
    const button = made("button", { type: "button" }, ...head.childNodes);
    button.classList.toggle("short", SHORT_NAME.test(head.textContent));
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const now = before ? { ascending: "descending", descending: "ascending" }[before] : head.dataset.first;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", now);
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort(byColumn(column, numeric, now === "ascending" ? 1 : -1)));
    });
  });
};
const filterable = (box) => {
  const rows = [...box.querySelector("tbody").rows];
  if (rows.length <= FEW_ROWS) return;
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const status = made("output", { textContent: plural(rows.length, "row") });
  status.setAttribute("aria-live", "polite");
  const field = made("input", { type: "search", autocomplete: "off" });
  field.addEventListener("input", () => {
    const word = field.value.trim().toLowerCase();
    rows.forEach((row) => { row.hidden = !texts.get(row).includes(word); });
    const shown = rows.filter((row) => !row.hidden).length;
    status.textContent = word ? `${counted(shown)} of ${plural(rows.length, "row")}` : plural(rows.length, "row");
  });
  box.prepend(made("div", { className: "filter" }, made("label", {}, "Filter ", field), status));
};
/* A table as text: what is seen, with numbers in full in CSV. */
const cellsOf = (row, full) => [...row.cells].map((cell) => {
  if (full && cell.dataset.value !== undefined) return cell.dataset.value;
  const copy = cell.cloneNode(true);
  all("small, svg, .swatch, .icon", copy).forEach((part) => part.remove());
  return copy.textContent.trim().replace(/\s+/g, " ");
});
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const LATEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "↑": "$\\uparrow$", "↓": "$\\downarrow$", "−": "$-$", "†": "$\\dagger$", "‡": "$\\ddagger$" };
const escaped = (text) => text.replace(/[\\~^↑↓−†‡]|[&%$#_{}]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
const FORMATS = {
  CSV: (rows) => rows.map((row) => row.map(quoted).join(",")).join("\n"),
  LaTeX: ([head, ...rows], numeric) => [
    `\\begin{tabular}{${numeric.map((is) => (is ? "r" : "l")).join("")}}`, "\\hline", `${head.map(escaped).join(" & ")} \\\\`, "\\hline",
    ...rows.map((row) => `${row.map(escaped).join(" & ")} \\\\`), "\\hline", "\\end{tabular}",
  ].join("\n"),
  Markdown: ([head, ...rows], numeric) => [head, numeric.map((is) => (is ? "---:" : "---")), ...rows]
    .map((row, at) => `| ${row.map((text) => (at === 1 ? text : text.replaceAll("|", "\\|"))).join(" | ")} |`).join("\n"),
};
const textOf = (table, format) => {
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
  return `${FORMATS[format]([heads.map((head) => head.textContent.trim()), ...rows.map((row) => cellsOf(row, format === "CSV"))], heads.map((head) => head.classList.contains("number")))}\n`;
};
const copied = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = made("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};
const copyable = (box) => {
  const table = box.querySelector("table");
  const status = made("output");
  status.setAttribute("aria-live", "polite");
  const buttons = Object.keys(FORMATS).map((format) => {
    const button = made("button", { type: "button", textContent: format });
    button.setAttribute("aria-label", `Copy as ${format}: ${table.caption.textContent}`);
    button.addEventListener("click", () => copied(textOf(table, format)).then(() => { status.textContent = "Copied."; }));
    return button;
  });
  const bar = made("div", { className: "tools" }, "Copy as ", ...buttons, status);
  if (box.classList.contains("compact") && box.querySelector("small")) {
    const more = made("button", { type: "button", textContent: "Intervals and p" });
    more.setAttribute("aria-pressed", "false");
    more.addEventListener("click", () => more.setAttribute("aria-pressed", String(!box.classList.toggle("compact"))));
    bar.append(more);
  }
  box.querySelector(".scroll").after(bar);
  box.asText = (format) => textOf(table, format);
};
/* On a phone only one of the columns that the reader may choose is shown. */
const narrowable = (box) => {
  const table = box.querySelector("table");
  const heads = [...table.tHead.rows[0].cells];
  const choices = heads.map((head, at) => [head, at]).filter(([head]) => head.classList.contains("optional"));
  const usual = heads.findIndex((head, at) => head.classList.contains("number") && !head.classList.contains("optional") && at > 0 && choices.length && at < choices[0][1]);
  if (!choices.length || usual < 0) return;
  const field = made("select", {}, ...[[heads[usual], usual], ...choices].map(([head, at]) => made("option", { value: at, textContent: head.textContent.trim() })));
  const choose = () => all("tr", table).forEach((row) => [...row.cells].forEach((cell, at) => {
    if (at === usual || choices.some(([, one]) => one === at)) cell.classList.toggle("unchosen", at !== Number(field.value));
  }));
  field.addEventListener("change", choose);
  choose();
  box.prepend(made("div", { className: "filter phone" }, made("label", {}, "Column ", field)));
};
all(".table.live").forEach((box) => { narrowable(box); sortable(box.querySelector("table")); filterable(box); copyable(box); });
const cues = () => all(".scroll").forEach(cue);
cues();
addEventListener("resize", cues);
all("details").forEach((fold) => fold.addEventListener("toggle", cues));
