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
all(".table.live").forEach((box) => { sortable(box.querySelector("table")); filterable(box); });
