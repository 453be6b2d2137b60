"use strict";
(() => {
  const form = document.getElementById("search");
  if (form) {
    const input = document.getElementById("q"), found = document.getElementById("found");
    const cards = [...document.querySelectorAll("[data-words]")];
    const groups = [...document.querySelectorAll("[data-group]")];
    const others = [...document.querySelectorAll("[data-section]")];
    const search = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const card of cards) {
        card.hidden = !words.every(word => card.dataset.words.includes(word));
        if (!card.hidden) shown++;
      }
      for (const group of groups) group.hidden = !group.querySelector("[data-words]:not([hidden])");
      for (const other of others) other.hidden = words.length > 0;
      const results = shown === 0 ? "No results" : shown === 1 ? "1 result" : shown + " results";
      found.textContent = words.length === 0 ? "" : results;
    };
    form.hidden = false;
    input.addEventListener("input", search);
    form.addEventListener("submit", event => {
      event.preventDefault();
      const first = document.querySelector("[data-words]:not([hidden]) a");
      if (first && input.value.trim()) first.click();
    });
    document.addEventListener("keydown", event => {
      if (event.key === "/" && document.activeElement !== input) {
        event.preventDefault();
        input.focus();
      } else if (event.key === "Escape" && document.activeElement === input) {
        input.value = "";
        search();
      }
    });
    search();
  }
  for (const svg of document.querySelectorAll("svg.flow")) {
    const nodes = [...svg.querySelectorAll("[data-node]")];
    const edges = [...svg.querySelectorAll("[data-from]")];
    const highlight = at => {
      const lit = new Set(at ? [at] : []);
      for (const edge of edges) {
        const on = edge.dataset.from === at || edge.dataset.to === at;
        edge.classList.toggle("on", on);
        if (on) lit.add(edge.dataset.from).add(edge.dataset.to);
      }
      for (const node of nodes) node.classList.toggle("on", lit.has(node.dataset.node));
      svg.classList.toggle("lit", at !== undefined);
    };
    const at = event => event.target.closest("[data-node]")?.dataset.node;
    const frame = svg.parentElement; // an svg element with a listener for focus would become focusable itself
    frame.addEventListener("mouseover", event => highlight(at(event)));
    frame.addEventListener("mouseleave", () => highlight());
    frame.addEventListener("focusin", event => highlight(at(event)));
    frame.addEventListener("focusout", () => highlight());
  }
})();
