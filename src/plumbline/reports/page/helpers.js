/* What the other scripts share. */
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const read = (element) => JSON.parse(element.textContent);
const made = (tag, facts = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), facts);
  element.append(...children);
  return element;
};
const counted = (count) => count.toLocaleString("en");
const plural = (count, word) => `${counted(count)} ${word}${count === 1 ? "" : "s"}`;

/* Rows of figures stand in the page by columns; repeated strings are stored once. */
const column = (packed) => (Array.isArray(packed) ? packed : packed.at.map((place) => packed.words[place]));
const rowsOf = ({ rows, columns }) => {
  const fields = Object.entries(columns).map(([field, packed]) => [field, column(packed)]);
  return Array.from({ length: rows }, (_, at) => Object.fromEntries(fields.map(([field, values]) => [field, values[at]])));
};
const specOf = (chart) => {
  const spec = read(document.getElementById(chart.dataset.spec));
  spec.datasets = Object.fromEntries(Object.entries(spec.datasets).map(([name, packed]) => [name, rowsOf(packed)]));
  return spec;
};
/* What is wider than its box says so. */
const cue = (box) => {
  const scrolls = box.scrollWidth > box.clientWidth + 1;
  if (scrolls && !box.nextElementSibling?.classList.contains("more")) {
    const note = made("p", { className: "more", textContent: "Scroll to the right for more →" });
    box.after(note);
  }
  box.classList.toggle("scrolls", scrolls);
};
/* As lines.colour_domain: each name stands at the place of its colour, unseen names stand between. */
const COLOURS = 8;
const colourDomain = (places) => {
  const at = [];
  places.forEach(([name, place]) => {
    let free = place;
    while (at[free] !== undefined) free += COLOURS;
    at[free] = name;
  });
  return Array.from(at, (name, place) => name ?? "\u2063".repeat(place + 1));
};
