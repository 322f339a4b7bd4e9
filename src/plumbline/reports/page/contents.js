/* The contents: which section is being read; folded away where the screen is small. */
const contents = document.querySelector(".contents");
contents.open = matchMedia("(min-width: 72rem)").matches;
const links = new Map(all("a", contents).map((link) => [link.hash.slice(1), link]));
const reading = new IntersectionObserver((seen) => seen.forEach((entry) => {
  const link = links.get(entry.target.id);
  if (!link || !entry.isIntersecting) return;
  links.forEach((other) => other.removeAttribute("aria-current"));
  link.setAttribute("aria-current", "true");
}), { rootMargin: "0px 0px -75% 0px" });
all("main section").forEach((section) => reading.observe(section));
/* On paper nothing can be unfolded: what is short is printed, and what is not says so. */
const MOST_PRINTED = 100;
const unfolded = [];
addEventListener("beforeprint", () => all(".fold:not([open])").forEach((fold) => {
  if (fold.querySelector("tbody").rows.length > MOST_PRINTED) return;
  fold.open = true;
  unfolded.push(fold);
}));
addEventListener("afterprint", () => unfolded.splice(0).forEach((fold) => { fold.open = false; }));
document.documentElement.dataset.ready = "yes";
