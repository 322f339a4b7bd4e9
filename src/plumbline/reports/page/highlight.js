/* One system, seen everywhere: where the pointer is on its name or its mark, whatever belongs to others fades. A click keeps it, Escape ends it. */
const NAMES = ["system", "better", "worse"];
const datumOf = (mark) => { const item = mark.__data__; return item?.datum ?? item?.items?.[0]?.datum; };
const namesOfMark = (mark) => {
  const datum = datumOf(mark);
  if (!datum || typeof datum !== "object") return [];
  return NAMES.map((field) => datum[field]).filter((name) => typeof name === "string");
};
const systemOf = (target) => {
  const cell = target.closest?.("[data-system], tr:has(> th[data-system])");
  if (cell) return cell.dataset.system ?? cell.querySelector("th[data-system]").dataset.system;
  return target.closest?.(".chart svg") ? namesOfMark(target)[0] ?? null : null;
};
let pinned = null;
let shown = null;
const highlight = (name) => {
  if (name === shown) return;
  shown = name;
  all("tr").forEach((row) => {
    const own = name !== null && [...row.querySelectorAll("[data-system]")].some((cell) => cell.dataset.system === name);
    row.classList.toggle("chosen", own);
  });
  all(".chart svg").forEach((svg) => {
    const marks = all("path, text", svg).map((mark) => [mark, namesOfMark(mark)]).filter(([, names]) => names.length);
    const here = name !== null && marks.some(([, names]) => names.includes(name));
    marks.forEach(([mark, names]) => mark.classList.toggle("faded", here && !names.includes(name)));
  });
};
document.addEventListener("pointerover", (event) => highlight(systemOf(event.target) ?? pinned));
document.addEventListener("focusin", (event) => highlight(systemOf(event.target) ?? pinned));
document.addEventListener("click", (event) => {
  if (event.target.closest("button, a, input, select, summary, label")) return;
  const name = systemOf(event.target);
  pinned = name === pinned ? null : name;
  highlight(pinned);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { pinned = null; highlight(null); }
});
