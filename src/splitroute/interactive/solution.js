// What is pointed at or selected lights up in the map, the bars and the tables alike.
(() => {
  "use strict";
  const rowsOf = (id) => [...document.querySelectorAll(`#${id} tbody tr`)];
  const visits = rowsOf("visits"); // in the order of the routes, however the table is sorted
  const selection = document.querySelector(".selection");
  const HINT = "Select a route or a customer to see its visits; point at it to see its figures.";
  let selected = null;

  // Everything but the visits, by number.
  const elements = { route: new Map(), customer: new Map() };
  for (const kind of ["route", "customer"]) {
    for (const element of document.querySelectorAll(`[data-${kind}]`)) {
      if (element.closest("#visits")) continue;
      const number = element.dataset[kind];
      elements[kind].set(number, [...(elements[kind].get(number) ?? []), element]);
    }
  }

  const barsOf = new Map(); // by row of the visit
  for (const bar of document.querySelectorAll("[data-visit]")) {
    const row = visits[bar.dataset.visit];
    barsOf.set(row, [...(barsOf.get(row) ?? []), bar]);
  }

  // A target is a route or a customer; pointing at a visit is pointing at its customer.
  function targetOf(element) {
    const visit = visits[element.closest("[data-visit]")?.dataset.visit];
    const customer = visit ?? element.closest("[data-customer]");
    if (customer) return { kind: "customer", number: customer.dataset.customer, visit };
    const route = element.closest("[data-route]");
    return route && { kind: "route", number: route.dataset.route };
  }
  const rowsFor = ({ kind, number }) => visits.filter((row) => row.dataset[kind] === number);
  const isSame = (a, b) => a?.kind === b?.kind && a?.number === b?.number;

  function mark(name, target) {
    for (const element of document.querySelectorAll(`.${name}`)) element.classList.remove(name);
    if (!target) return;
    const rows = rowsFor(target);
    const parts = [...rows, ...(elements[target.kind].get(target.number) ?? [])];
    const other = target.kind === "route" ? "customer" : "route";
    for (const row of rows) parts.push(...(elements[other].get(row.dataset[other]) ?? []));
    if (name === "hover" && target.kind === "customer") parts.push(...rows.flatMap((row) => barsOf.get(row) ?? []));
    for (const element of parts) element.classList.add(name);
  }
  /** Texts of a row by the names of its columns. */
  function textsOf(row) {
    const heads = row.closest("table").tHead.rows[0].cells;
    return Object.fromEntries([...row.cells].map((cell, k) => [heads[k].dataset.name, cell.textContent.trim()]));
  }

  function linesOf(target) {
    if (target.kind === "route") {
      const row = elements.route.get(target.number).find((element) => element.matches("tr"));
      const { route, vehicle, visits: count, load, cost, departure, return: end } = textsOf(row);
      return [
        vehicle ? `Route ${route}, ${vehicle}` : `Route ${route}`,
        `${count} visit${count === "1" ? "" : "s"}, load ${load}`,
        `cost ${cost}`,
        ...(departure ? [`${departure}–${end}`] : []),
      ];
    }
    const texts = (target.visit ? [target.visit] : rowsFor(target)).map(textsOf);
    const missing = elements.customer.get(target.number)?.find((element) => element.matches("tr"));
    const rest = missing && textsOf(missing);
    const { customer, demand, note } = texts[0] ?? rest ?? {};
    if (customer === undefined) return [`Customer ${target.number}`, "no demand"];
    return [
      customer,
      `demand ${demand}`,
      ...texts.map((visit) =>
        `route ${visit.route}, visit ${visit.visit}: ${visit.quantity}` + (visit.start ? `, ${visit.start}–${visit.end}` : "")),
      ...(rest ? [`undelivered ${rest.undelivered}: ${rest.reason}`] : []),
      ...(note ? [note] : []),
    ];
  }

  function select(target) {
    selected = isSame(target, selected) ? null : target;
    mark("lit", selected);
    document.body.classList.toggle("focused", selected !== null);
    selection.replaceChildren(HINT);
    if (selected) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Show all";
      button.addEventListener("click", () => select(null));
      selection.replaceChildren(linesOf({ ...selected, visit: undefined }).join(" · "), button);
    }
    const rows = selected?.kind === "route" ? rowsFor(selected) : [];
    document.dispatchEvent(new CustomEvent("focuschange", { detail: rows.map((row) => row.dataset.customer) }));
  }

  selection.replaceChildren(HINT);

  const isLink = (element) => element.closest("th, .filter, .selection, .zoom, summary");
  let hovered = null;
  function hover(target, event) {
    if (!isSame(target, hovered)) mark("hover", target);
    hovered = target;
    const isTable = event.target.closest?.("table");
    showTip(target && !isTable ? linesOf(target).join("\n") : "", event);
  }
  document.addEventListener("pointermove", (event) => {
    if (event.buttons === 0) hover(targetOf(event.target), event);
  });
  document.documentElement.addEventListener("pointerleave", (event) => hover(null, event));
  document.addEventListener("scroll", () => showTip(""), { capture: true, passive: true });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || isLink(event.target) || String(getSelection())) return;
    const target = targetOf(event.target);
    if (target) select(target);
    else if (event.target.closest(".map")) select(null);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && selected) select(null);
  });
})();
