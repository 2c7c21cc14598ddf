// Figures show the value of the nearest point, and methods can be hidden in all figures of a section.
(() => {
  "use strict";
  const REACH = 18; // pixels

  for (const bar of document.querySelectorAll(".methods")) {
    bar.hidden = false;
    bar.addEventListener("click", ({ target }) => {
      if (target.dataset.toggle === undefined) return;
      const isShown = target.getAttribute("aria-pressed") !== "true";
      target.setAttribute("aria-pressed", isShown);
      for (const part of bar.closest("section").querySelectorAll(`[data-method="${target.dataset.toggle}"]`)) {
        part.classList.toggle("off", !isShown);
      }
    });
  }

  for (const figure of document.querySelectorAll("figure[data-series]")) {
    const series = JSON.parse(figure.dataset.series);
    const svg = figure.querySelector("svg");
    const ring = document.createElementNS(svg.namespaceURI, "circle");
    ring.setAttribute("class", "ring");
    ring.setAttribute("r", 5);
    const isOff = ({ method }) => figure.querySelector(`[data-method="${method}"]`)?.classList.contains("off");

    function nearest(at, reach) {
      let found = null;
      for (const one of series.filter((other) => !isOff(other))) {
        for (const [x, y, place, value] of one.points) {
          const distance = Math.hypot(x - at.x, y - at.y);
          if (distance <= (found?.distance ?? reach)) found = { distance, x, y, text: `${one.name}\n${place}\n${one.label}: ${value}` };
        }
      }
      return found;
    }
    svg.addEventListener("pointermove", (event) => {
      const screen = svg.getScreenCTM();
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse());
      const point = nearest(at, REACH / screen.a);
      showTip(point?.text ?? "", event);
      if (!point) return ring.remove();
      ring.setAttribute("cx", point.x);
      ring.setAttribute("cy", point.y);
      svg.append(ring);
    });
    svg.addEventListener("pointerleave", (event) => {
      showTip("", event);
      ring.remove();
    });
  }
})();
