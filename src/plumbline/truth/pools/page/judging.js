"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const key = `plumbline judge ${data.page}`;
  let kept = { assessor: "", at: 0, judged: {} };
  try {
    kept = Object.assign(kept, JSON.parse(localStorage.getItem(key) || "{}"));
  } catch {
    // a browser may forbid storage for files: judgements then last as long as the page is open
  }
  let since = performance.now();

  const store = () => {
    try {
      localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      find("progress").dataset.unsaved = "yes";
    }
  };
  const record = (at) => (kept.judged[at] ||= { grade: "", seconds: 0, when: "", note: "" });
  const done = () => data.items.filter((_, at) => kept.judged[at] && kept.judged[at].grade !== "").length;

  const spend = () => {
    record(kept.at).seconds += (performance.now() - since) / 1000;
    since = performance.now();
  };

  const show = () => {
    const item = data.items[kept.at];
    const topic = data.topics[item.case] || "";
    find("topic").textContent = topic || item.case;
    find("about").textContent = `${kept.at + 1} of ${data.items.length}`;
    find("text").textContent = item.text;
    find("text").scrollTop = 0;
    const own = record(kept.at);
    find("note").value = own.note;
    for (const button of find("grades").children) {
      button.setAttribute("aria-pressed", String(own.grade === button.dataset.grade));
    }
    find("progress").textContent = `${done()} of ${data.items.length} judged`;
    find("bar").max = data.items.length;
    find("bar").value = done();
    store();
  };

  const go = (at) => {
    spend();
    kept.at = Math.min(Math.max(at, 0), data.items.length - 1);
    show();
  };
  const judge = (grade) => {
    const own = record(kept.at);
    own.grade = grade;
    own.when = new Date().toISOString();
    go(kept.at + 1);
  };
  const nextOpen = () => {
    const order = data.items.map((_, step) => (kept.at + 1 + step) % data.items.length);
    const open = order.find((at) => !kept.judged[at] || kept.judged[at].grade === "");
    if (open !== undefined) go(open);
  };

  const quoted = (value) => `"${String(value).replaceAll('"', '""')}"`;
  const table = () => {
    const rows = [["case", "item", "assessor", "grade", "seconds", "when", "gold", "note"]];
    data.items.forEach((item, at) => {
      const own = kept.judged[at];
      if (own && own.grade !== "") {
        rows.push([item.case, item.item, kept.assessor || "anonymous", own.grade, own.seconds.toFixed(1), own.when, item.gold ?? "", own.note]);
      }
    });
    return rows.map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
  };
  const save = () => {
    spend();
    store();
    const link = document.createElement("a");
    const name = (kept.assessor || "anonymous").replace(/[^\p{L}\p{N}_-]+/gu, "_");
    link.href = URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
    link.download = `judgements-${name}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  for (const grade of data.grades) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.grade = grade.value;
    button.append(`${grade.label} `, Object.assign(document.createElement("kbd"), { textContent: grade.key }));
    button.addEventListener("click", () => judge(grade.value));
    find("grades").append(button);
  }
  const moves = { b: () => go(kept.at - 1), ArrowLeft: () => go(kept.at - 1), s: () => go(kept.at + 1), ArrowRight: () => go(kept.at + 1), o: nextOpen, e: save, n: () => find("note").focus() };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLInputElement) {
      if (event.key === "Escape" || event.key === "Enter") event.target.blur();
      return;
    }
    const grade = data.grades.find((one) => one.key === event.key);
    const act = grade ? () => judge(grade.value) : moves[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  find("back").addEventListener("click", moves.b);
  find("skip").addEventListener("click", moves.s);
  find("next").addEventListener("click", nextOpen);
  find("save").addEventListener("click", save);
  find("assessor").value = kept.assessor;
  find("assessor").addEventListener("input", () => {
    kept.assessor = find("assessor").value.trim();
    store();
  });
  find("note").addEventListener("input", () => {
    record(kept.at).note = find("note").value;
    store();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) spend();
    since = performance.now();
  });
  show();
  document.documentElement.dataset.drawn = "all";
})();
