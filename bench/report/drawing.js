"use strict";
// Makes charts and tables of the page's data; packed.py says what is in it. Where all stands was reckoned before
// (layout.py), and drawing.py makes the same elements for pictures.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const numbers = data.numbers.join(",").split(",").map(entry => {
    const [at, csv] = entry.split("=");
    return { at: at.includes(":") ? at : at + ":median_ns", csv };
  });

  // Within a drawing a name that HTML has, too, such as "title", is meant as SVG's.
  function add(parent, name, attributes = {}, words = "") {
    const drawn = name === "svg" || parent.namespaceURI === "http://www.w3.org/2000/svg";
    const made = drawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== "") made.setAttribute(key, value);
    if (words) made.append(words);
    parent.append(made);
    return made;
  }

  // A table: the first cell of a row is its head.
  function addTable(place, { head, rows }) {
    const table = add(place, "table");
    const top = add(add(table, "thead"), "tr");
    for (const words of head) add(top, "th", { scope: "col" }, words);
    const body = add(table, "tbody");
    for (const row of rows) {
      const line = add(body, "tr");
      row.forEach((index, column) => addCell(line, column, index));
    }
  }
  function addCell(line, column, index) {
    const cellOf = ([text, classes, small, number]) => [text, data.words[classes], data.words[small], number];
    const [text, classes, small, number] =
      index < 0 ? cellOf(data.cells[-1 - index]) : [numbers[index].csv, "n", "", index];
    const cell = add(line, column ? "td" : "th", { scope: column ? "" : "row", class: classes },
      small ? text + " " : text);
    if (number !== undefined) {
      const { at, csv } = numbers[number];
      Object.assign(cell.dataset, { at, csv });
      if (text !== csv) cell.title = csv + " in the CSV";
    }
    if (small) add(cell, "small", {}, small);
  }

  const round = value => Math.round(value * 10) / 10;
  const between = ([begin, end], share) => round(begin + share * (end - begin));

  function addLine(to, x1, y1, x2, y2, classes) {
    add(to, "line", { class: classes, x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2) });
  }
  function addText(to, x, y, words, anchor, classes) {
    add(to, "text", { x: round(x), y: round(y), "text-anchor": anchor, class: classes }, words);
  }
  function addPieces(chart, to, pieces = []) {
    for (const [kind, ...fields] of pieces) {
      if (kind === "line") addLine(to, ...fields);
      else if (kind === "text") addText(to, ...fields);
      else addPieces(chart, addGroup(chart, to, fields[0]), fields[1]);
    }
  }
  // What the legend hides: marks, their line, and its name.
  function addGroup(chart, to, index) {
    const [key, , classes] = data.series[chart.series[index]];
    return add(to, "g", { class: chart.kind === "lines" ? "s " + classes : "s", "data-s": key });
  }

  function addTicks(to, drawing, [along, begin, end, beside, own], usual) {
    const at = own || usual;
    for (let i = 0; i < at.length; i += 2) {
      const place = between(drawing[along], at[i] * data.unit);
      if (along === "x") {
        addLine(to, place, begin, place, end, "grid");
        addText(to, place, beside, at[i + 1], "middle", "tick");
      } else {
        addLine(to, begin, place, end, place, "grid");
        addText(to, beside, place + 4, at[i + 1], "end", "tick");
      }
    }
  }

  // Names of rows, and the lines that marks stand on; bars need none.
  function addRows(chart, to, drawing) {
    const [x, below, anchor] = drawing.names, [begin, end] = drawing.x;
    chart.names.forEach(([name, classes], row) => {
      const y = between(drawing.y, row);
      addText(add(to, "g", { class: data.words[classes] }), x, y + below, data.words[name], anchor, "row");
      if (chart.kind === "rows") addLine(to, begin, y, end, y, "track");
    });
  }

  function addMarks(chart, to, drawing, index, first) {
    const group = addGroup(chart, to, index);
    const places = chart.marks[index].map(([across, down]) =>
      [between(drawing.x, across * data.unit), between(drawing.y, chart.kind === "lines" ? down * data.unit : down)]);
    if (chart.kind === "lines") {
      const path = "M" + places.map(place => place.join()).join("L");
      add(group, "path", { class: "line", d: path, "stroke-dasharray": data.series[chart.series[index]][4] });
    }
    places.forEach((place, i) => addMark(chart, group, drawing, index, i, first + i, place));
  }
  // Mark i of a series, which is number `nth` of the chart.
  function addMark(chart, to, drawing, index, i, nth, [x, y]) {
    const [, row, number, behind, ...before] = chart.marks[index][i];
    const { at, csv } = numbers[number];
    const hollow = chart.hollow?.includes(nth) ? " hollow" : "";
    const tip = before.map(word => data.words[word]).join("") + csv + data.words[behind];
    const all = { role: "img", "aria-label": tip, "data-at": at, "data-csv": csv };
    let own = to;
    if (chart.kind !== "lines") {
      const classes = data.words[chart.classes ? chart.classes[nth] : chart.names[row][1]];
      own = add(to, "g", { class: chart.kind === "bars" ? "bar " + classes : classes });
    }
    if (chart.kind === "bars") {
      const begin = drawing.x[0], end = Math.max(x, begin + 1); // less than a pixel would not be seen
      add(own, "path", { class: "m" + hollow, d: `M${begin},${round(y - 8)}H${round(end)}v16H${begin}z`, ...all });
      addText(own, end + 7, y + 4, chart.labels[nth], "start", "value");
      return;
    }
    const reach = chart.reaches?.[nth];
    if (reach !== undefined) addLine(own, x, y, between(drawing.x, reach * data.unit), y, "reach");
    const shape = data.shapes[chart.shaped?.[nth] || data.series[chart.series[index]][3]];
    add(own, "path", { class: "m" + hollow, d: shape, transform: `translate(${x} ${y})`, ...all });
  }

  function addDrawing(place, chart, key, title, about, [name, width, font]) {
    const drawing = chart[name], id = `${key}-${name}`;
    const svg = add(place, "svg", { class: name, viewBox: `0 0 ${width} ${drawing.height}`, role: "group",
      "font-size": font, "aria-labelledby": `${id}-t ${id}-d` });
    add(svg, "title", { id: id + "-t" }, title);
    add(svg, "desc", { id: id + "-d" }, about);
    // Without an empty title browsers lay the drawing's own over the tips of its marks.
    const body = add(svg, "g");
    add(body, "title");
    drawing.ticks.forEach((ticks, index) => addTicks(body, drawing, ticks, chart.ticks[index]));
    addPieces(chart, body, drawing.below);
    if (drawing.names) addRows(chart, body, drawing);
    let first = 0;
    chart.marks.forEach((marks, index) => {
      addMarks(chart, body, drawing, index, first);
      first += marks.length;
    });
    addPieces(chart, body, drawing.above);
    for (const [index, x, y] of drawing.labels || []) {
      addText(addGroup(chart, body, index), x, y, data.series[chart.series[index]][1], "start", "end");
    }
  }

  function addSample(place, shape, width, dash = null) {
    const sample = add(place, "svg", { class: "sample", viewBox: `0 0 ${width} 16`, "aria-hidden": "true" });
    if (dash !== null) add(sample, "path", { class: "line", d: "M1,8H27", "stroke-dasharray": dash });
    add(sample, "path", { class: "m", d: data.shapes[shape], transform: `translate(${width / 2} 8)` });
  }

  // Buttons that hide and show lines, ours before the others; none for a single line.
  function addLegend(place, chart) {
    if (chart.series.length < 2) return;
    const legend = add(place, "div", { class: "legend", role: "group", "aria-label": "Show or hide" });
    const all = chart.series.map(index => data.series[index]);
    for (const side of ["ours", "peer"]) {
      const group = all.filter(([, , classes]) => classes.startsWith(side));
      if (!group.length) continue;
      const buttons = add(legend, "span", { class: "group" });
      for (const [key, title, classes, shape, dash] of group) {
        const lines = chart.kind === "lines";
        const button = add(buttons, "button", { type: "button", class: lines ? classes : side + " c-none",
          "data-toggle": key, "aria-pressed": "true" });
        addSample(button, shape, 28, lines ? dash : null);
        button.append(title);
      }
    }
  }

  // The meaning of the shapes of marks, if the legend does not say it.
  function addShapes(place, chart) {
    if (!chart.meant) return;
    const shapes = add(place, "p", { class: "shapes ours c-crowd" });
    for (const [shape, words] of chart.meant) {
      const item = add(shapes, "span");
      addSample(item, shape, 16);
      item.append(words);
    }
  }

  for (const place of document.querySelectorAll("[data-table]")) addTable(place, data.tables[place.dataset.table]);
  for (const [key, chart] of Object.entries(data.charts)) {
    const place = document.getElementById(key);
    const title = place.querySelector("h4").textContent, about = place.querySelector("p").textContent;
    addLegend(place, chart);
    const drawings = add(place, "div", { class: "drawing" });
    for (const size of data.sizes) addDrawing(drawings, chart, key, title, about, size);
    addShapes(place, chart);
    const details = add(place, "details");
    add(details, "summary", {}, "The numbers");
    addTable(add(details, "div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }), chart);
  }
})();
