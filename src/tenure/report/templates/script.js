"use strict";

// Index: the square under the pointer or the focus is spelled out below the matrix.
const data = document.getElementById("attempt-data");
const readout = document.getElementById("readout");
if (data && readout) {
  const attempts = JSON.parse(data.textContent);
  const show = (event) => {
    const link = event.target.closest("[data-page]");
    const found = link && attempts[link.dataset.page];
    if (!found) return;
    const [name, ...parts] = readout.children;
    name.textContent = found.title;
    parts[0].textContent = found.row;
    parts[1].textContent = found.label ? `${found.outcome}: ${found.label}` : found.outcome;
    parts[2].textContent = found.usage;
  };
  if (Object.keys(attempts).length) {
    readout.hidden = false;
    readout.children[1].textContent = "Point at a square, or move to it with the keyboard.";
    document.addEventListener("pointerover", show);
    document.addEventListener("focusin", show);
  }
}

// Attempt: the gateway log, a build's nodes or a product's plans can be narrowed.
const filter = document.querySelector(".filter");
if (filter) {
  const [words, notable] = filter.querySelectorAll("input");
  const rows = [...document.querySelectorAll(".log tbody tr, .build .findings > li, .grow .findings > li")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, n) => {
      row.hidden =
        (notable.checked && !row.classList.contains("notable")) || !wanted.every((w) => texts[n].includes(w));
      shown += row.hidden ? 0 : 1;
    });
    filter.querySelector("output").textContent = `${shown} of ${rows.length}`;
  };
  filter.hidden = false;
  filter.addEventListener("input", apply);
  apply();
}

// Build: the edges of the node under the pointer or the focus stand out.
const graph = document.querySelector(".graph");
if (graph) {
  const edges = [...graph.querySelectorAll(".edge")];
  const mark = (event) => {
    const box = event.target.closest("[data-node]");
    for (const edge of edges) {
      const near = box && [edge.dataset.start, edge.dataset.end].includes(box.dataset.node);
      edge.classList.toggle("near", Boolean(near));
    }
  };
  graph.addEventListener("pointerover", mark);
  graph.addEventListener("pointerleave", mark);
  graph.addEventListener("focusin", mark);
}

// A link into a folded part opens it and all that it lies in.
const unfold = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target && target.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
};
addEventListener("hashchange", unfold);
unfold();
