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
document.documentElement.dataset.ready = "yes";
