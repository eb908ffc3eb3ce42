
"use strict";
(() => {
  // Items and what they are found by; read when somebody first looks for something.
  const items = (list) => [...list.querySelectorAll("li[data-state]")].map((item) => {
    const parent = item.parentElement.closest("li[data-state]");
    return { item, parent, file: item.closest("details.file"), state: item.dataset.state,
      counts: "counts" in item.dataset, backlog: "backlog" in item.dataset, text: null };
  });
  // What an item says itself: the items below it say their own.
  const own = (entry) => {
    if (entry.text === null) {
      const parts = entry.item.matches(".sections li")
        ? entry.item.querySelectorAll(":scope > details > summary, :scope > details > .own, :scope > .leaf")
        : [entry.item];
      const file = entry.file?.querySelector("summary h3").textContent ?? "";
      entry.text = [file, ...[...parts].map((part) => part.textContent)].join(" ").replace(/\s+/g, " ").toLowerCase();
    }
    return entry.text;
  };
  const number = (count) => count.toLocaleString("en");

  for (const form of document.querySelectorAll("form.filter")) {
    const list = document.getElementById(form.dataset.list);
    const entries = items(list);
    const of = new Map(entries.map((entry) => [entry.item, entry]));
    const total = entries.filter((entry) => entry.counts).length;
    const status = form.querySelector(".shown");
    let before = null;

    const apply = () => {
      const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const states = new Set([...form.querySelectorAll("[name=state]:checked")].map((box) => box.value));
      const backlog = form.elements.backlog?.checked ?? false;
      const all = form.querySelectorAll("[name=state]").length;
      const active = words.length > 0 || backlog || states.size < all;
      const shown = new Set(), context = new Set();
      let count = 0;
      for (const entry of entries) {
        const hit = !active || (entry.counts && states.has(entry.state) && (!backlog || entry.backlog)
          && words.every((word) => own(entry).includes(word)));
        if (!hit) continue;
        shown.add(entry.item);
        count += entry.counts ? 1 : 0;
        for (let up = entry.parent; up && !context.has(up); up = of.get(up).parent) context.add(up);
      }
      const files = new Set();
      for (const { item, file } of entries) {
        const hit = shown.has(item);
        item.hidden = !hit && !context.has(item);
        item.classList.toggle("context-only", active && !hit);
        if (!item.hidden && file) files.add(file);
      }
      for (const file of list.querySelectorAll("details.file")) file.hidden = active && !files.has(file);
      // What was found is unfolded; without a filter everything is as it was.
      const folds = [...list.querySelectorAll("details:not(.texts)")];
      if (active && before === null) before = folds.map((fold) => fold.open);
      if (active) for (const item of [...files, ...context]) (item.matches("details") ? item : item.querySelector("details")).open = true;
      if (!active && before !== null) { folds.forEach((fold, nth) => { fold.open = before[nth]; }); before = null; }
      status.textContent = `${number(count)} of ${number(total)} shown`;
    };

    let waiting;
    form.addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(apply, event.target.type === "search" ? 120 : 0);
    });
    form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
    form.addEventListener("reset", () => setTimeout(apply, 0));
    form.addEventListener("click", (event) => {
      const open = { unfold: true, fold: false }[event.target.name];
      if (open === undefined) return;
      for (const fold of list.querySelectorAll("details:not(.texts)")) fold.open = open;
      before = null;
    });
    form.hidden = false;
    apply();
  }

  // A link into a fold, or to something that a filter hides, shows it.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) for (const form of document.querySelectorAll("form.filter")) form.reset();
    setTimeout(() => {
      for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      target.scrollIntoView();
    }, 0);
  };
  addEventListener("hashchange", reveal);
  reveal();

  // On paper everything is unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const fold of folded) fold.open = true;
  });
  addEventListener("afterprint", () => { for (const fold of folded) fold.open = false; });
})();
