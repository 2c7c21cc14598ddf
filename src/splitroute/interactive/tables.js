// Tables of class `sortable`: columns sort, rows filter, arrow keys step through buttons of rows.
(() => {
  "use strict";
  const MIN_ROWS = 8; // fewer need no filter

  const textOf = (row, column) => row.cells[column].textContent.trim();
  // The number that a cell states: its data-value, 1,234.5, or the minutes of 08:30 and 00:30 +1 d.
  const numberOf = (row, column) => {
    const value = row.cells[column].dataset.value ?? textOf(row, column).replace(/[,†]/g, "");
    const time = /^([+-]?)(\d+):(\d\d)(?: ([+-]\d+) d)?$/.exec(value);
    if (!time) return value === "" ? NaN : Number(value);
    const [, sign, hours, minutes, days = 0] = time;
    return (sign === "-" ? -1 : 1) * (60 * hours + Number(minutes)) + 1440 * days;
  };

  // Numbers by value, and texts so that SD2 comes before SD10; empty cells are last either way.
  function sort(table, column, sign) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const isEmpty = (row) => textOf(row, column) === "";
    const isNumeric = rows.every((row) => isEmpty(row) || !Number.isNaN(numberOf(row, column)));
    const compare = isNumeric
      ? (a, b) => numberOf(a, column) - numberOf(b, column)
      : (a, b) => textOf(a, column).localeCompare(textOf(b, column), undefined, { numeric: true });
    rows.sort((a, b) => isEmpty(a) - isEmpty(b) || sign * compare(a, b));
    body.append(...rows);
  }

  function addSorting(table) {
    const titles = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    titles.forEach((title, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...title.childNodes);
      title.append(button);
      button.addEventListener("click", () => {
        const isAscending = title.getAttribute("aria-sort") === "ascending";
        for (const other of titles) other.removeAttribute("aria-sort");
        title.setAttribute("aria-sort", isAscending ? "descending" : "ascending");
        sort(table, column, isAscending ? -1 : 1);
      });
    });
  }

  function addFilter(table) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < MIN_ROWS) return;
    const bar = document.createElement("div");
    const input = document.createElement("input");
    const count = document.createElement("span");
    bar.className = "filter";
    input.type = "search";
    input.placeholder = "filter rows";
    input.setAttribute("aria-label", `filter rows: ${table.caption?.textContent.trim() ?? ""}`);
    count.setAttribute("role", "status");
    bar.append(input, count);
    const update = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
      show();
    };
    // Styles hide rows too: those that do not belong to what is selected.
    const show = () => {
      const shown = rows.filter((row) => row.getClientRects().length).length;
      count.textContent = shown < rows.length ? `${shown} of ${rows.length} rows` : `${shown} rows`;
    };
    input.addEventListener("input", update);
    document.addEventListener("focuschange", show);
    (table.closest(".scroll") ?? table).before(bar);
    show();
  }

  // One button of all rows is in the tab order, or a long table would be hard to leave.
  function addArrowKeys(table) {
    const buttons = () => [...table.tBodies[0].querySelectorAll("button")].filter((b) => b.getClientRects().length);
    const all = table.tBodies[0].querySelectorAll("button");
    all.forEach((button, k) => (button.tabIndex = k ? -1 : 0));
    table.tBodies[0].addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const shown = buttons();
      const next = shown[shown.indexOf(event.target) + step];
      if (!step || !next) return;
      event.preventDefault();
      next.focus();
    });
    table.tBodies[0].addEventListener("focusin", ({ target }) => {
      for (const button of all) button.tabIndex = button === target ? 0 : -1;
    });
    document.addEventListener("focuschange", () => {
      const shown = buttons();
      if (shown.length && !shown.some((button) => button.tabIndex === 0)) shown[0].tabIndex = 0;
    });
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    addSorting(table);
    addFilter(table);
    addArrowKeys(table);
  }
})();
