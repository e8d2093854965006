// Tips on marks, legends that hide, and light or dark; drawing.js has made all by then.
(() => {
  const root = document.documentElement;
  const tip = document.getElementById("tip");

  // Light or dark: the system's choice, until the reader chooses.
  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const name = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  try { root.dataset.theme = localStorage.getItem("throng-theme") || ""; } catch { /* kept nowhere */ }
  if (!root.dataset.theme) delete root.dataset.theme;
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("throng-theme", root.dataset.theme); } catch { /* kept nowhere */ }
    name();
  });
  system.addEventListener("change", name);
  name();

  const centre = mark => {
    const box = mark.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2, box];
  };
  const shown = svg => [...svg.querySelectorAll(".m[data-at]")].filter(mark => !mark.closest(".off"));
  let current = null;

  function show(mark) {
    if (mark === current) return;
    hide();
    current = mark;
    mark.classList.add("at");
    const series = mark.closest(".s");
    const drawing = mark.closest(".drawing");
    if (drawing.querySelectorAll(".line").length) {
      drawing.dataset.only = series.dataset.s;
      drawing.querySelectorAll(".s").forEach(s => s.classList.toggle("only", s.dataset.s === series.dataset.s));
    }
    tip.textContent = mark.getAttribute("aria-label");
    tip.hidden = false;
    const [x, , box] = centre(mark);
    const width = tip.offsetWidth, height = tip.offsetHeight;
    const above = box.top - height - 10;
    tip.style.left = Math.max(8, Math.min(x - width / 2, root.clientWidth - width - 8)) + "px";
    tip.style.top = (above > 56 ? above : box.bottom + 10) + "px";
  }
  function hide() {
    if (!current) return;
    current.classList.remove("at");
    delete current.closest(".drawing").dataset.only;
    current = null;
    tip.hidden = true;
  }

  // Marks are smaller than fingers, so the nearest mark within reach counts. Bars have an inside.
  function nearest(svg, x, y, reach) {
    let best = null, least = reach * reach;
    for (const mark of shown(svg)) {
      const [cx, cy, box] = centre(mark);
      if (mark.closest(".bar")) {
        if (y >= box.top - 6 && y <= box.bottom + 6 && x >= box.left - 6) return mark;
        continue;
      }
      const far = (cx - x) ** 2 + (cy - y) ** 2;
      if (far < least) { least = far; best = mark; }
    }
    return best;
  }
  for (const svg of document.querySelectorAll(".drawing svg")) {
    const point = reach => event => {
      const mark = nearest(svg, event.clientX, event.clientY, reach);
      if (mark) show(mark); else hide();
    };
    svg.addEventListener("pointermove", event => { if (event.pointerType !== "touch") point(22)(event); });
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("click", point(32));

    // One stop of the tabulator a chart; arrows go along a line and from line to line.
    const marks = svg.querySelectorAll(".m[data-at]");
    marks.forEach((mark, index) => { mark.tabIndex = index ? -1 : 0; });
    svg.addEventListener("focusin", event => { if (event.target.matches(".m")) show(event.target); });
    svg.addEventListener("focusout", hide);
    svg.addEventListener("keydown", event => {
      const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
      if (event.key === "Escape") { hide(); return; }
      const step = steps[event.key], here = event.target;
      if (!step || !here.matches(".m")) return;
      event.preventDefault();
      const lines = [...svg.querySelectorAll(".s:not(.off)")].map(s => [...s.querySelectorAll(".m")])
        .filter(line => line.length);
      const row = lines.findIndex(line => line.includes(here));
      if (row < 0) return;
      const place = lines[row].indexOf(here);
      const line = lines[(row + step[1] + lines.length) % lines.length];
      const to = line[Math.max(0, Math.min(place + step[0], line.length - 1))];
      here.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    });
  }
  addEventListener("scroll", hide, { passive: true });

  for (const button of document.querySelectorAll("[data-toggle]")) {
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", on);
      for (const series of button.closest(".chart").querySelectorAll(".drawing .s")) {
        if (series.dataset.s === button.dataset.toggle) series.classList.toggle("off", !on);
      }
    });
  }
})();
