// Pan and zoom of the map; marks of customers and depots keep their size.
(() => {
  "use strict";
  const map = document.querySelector("svg.map");
  if (!map) return;
  const PAN_STEP = 60; // pixels per arrow key
  const ZOOM_STEP = 1.4; // per key or button
  const MAX_ZOOM = 200;
  const DRAG_PIXELS = 4; // less is a click
  const FIT_SHARE = 1.25; // of the view over what is fitted into it
  const { x, y, width, height } = map.viewBox.baseVal;
  const home = { x, y, width, height };
  let view = home;

  function show(next) {
    view = next;
    map.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    const zoom = home.width / view.width;
    map.style.setProperty("--k", Math.max(1, zoom) ** 0.3 / map.getScreenCTM().a);
  }
  const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());

  function move(dx, dy) {
    const scale = map.getScreenCTM().a;
    show({ ...view, x: view.x - dx / scale, y: view.y - dy / scale });
  }
  function zoom(factor, point) {
    const size = Math.min(2 * home.width, Math.max(home.width / MAX_ZOOM, view.width / factor));
    const by = size / view.width;
    const { x: px, y: py } = point ?? { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    show({
      x: px - (px - view.x) * by, y: py - (py - view.y) * by,
      width: size, height: view.height * by,
    });
  }

  /** Show the routes that are selected, or everything. */
  function fit() {
    const boxes = [...map.querySelectorAll(".lines .lit")].map((line) => {
      const { x: left, y: top, width: across, height: down } = line.getBBox();
      const { a: scale } = line.transform.baseVal[0].matrix;
      return [left, top, left + across, top + down].map((value) => value * scale);
    });
    if (!boxes.length) return show(home);
    const least = (k) => Math.min(...boxes.map((box) => box[k]));
    const most = (k) => Math.max(...boxes.map((box) => box[k]));
    const share = Math.max((most(2) - least(0)) / home.width, (most(3) - least(1)) / home.height, 0.02);
    const size = { width: home.width * share * FIT_SHARE, height: home.height * share * FIT_SHARE };
    show({ x: (least(0) + most(2) - size.width) / 2, y: (least(1) + most(3) - size.height) / 2, ...size });
  }

  const pointers = new Map();
  let dragged = 0;
  map.addEventListener("pointerdown", (event) => {
    if (!pointers.size) dragged = 0;
    pointers.set(event.pointerId, event);
  });
  map.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const other = [...pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    const distance = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY) || 1;
    const dx = event.clientX - before.clientX;
    const dy = event.clientY - before.clientY;
    dragged += Math.abs(dx) + Math.abs(dy);
    if (dragged < DRAG_PIXELS) return;
    if (!map.hasPointerCapture(event.pointerId)) map.setPointerCapture(event.pointerId);
    if (other) zoom(distance(event) / distance(before), at(other));
    else move(dx, dy);
    pointers.set(event.pointerId, event);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    map.addEventListener(kind, (event) => pointers.delete(event.pointerId));
  }
  // The end of a drag is no click; others look at defaultPrevented.
  map.addEventListener("click", (event) => dragged >= DRAG_PIXELS && event.preventDefault());
  map.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(1.0015 ** -Math.max(-300, Math.min(300, event.deltaY)), at(event));
  }, { passive: false });
  map.addEventListener("dblclick", (event) => zoom(2, at(event)));

  const keys = {
    ArrowLeft: () => move(PAN_STEP, 0), ArrowRight: () => move(-PAN_STEP, 0),
    ArrowUp: () => move(0, PAN_STEP), ArrowDown: () => move(0, -PAN_STEP),
    "+": () => zoom(ZOOM_STEP), "=": () => zoom(ZOOM_STEP), "-": () => zoom(1 / ZOOM_STEP), 0: () => show(home),
  };
  map.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });

  const buttons = document.createElement("div");
  buttons.className = "zoom";
  for (const [text, title, act] of [
    ["+", "Zoom in", keys["+"]], ["−", "Zoom out", keys["-"]], ["Fit", "Show all, or what is selected", fit],
  ]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.title = title;
    button.setAttribute("aria-label", title);
    button.addEventListener("click", act);
    buttons.append(button);
  }
  map.after(buttons);

  // The visits of the selected route are numbered.
  document.addEventListener("focuschange", ({ detail: customers }) => {
    for (const label of map.querySelectorAll(".order")) label.remove();
    customers.forEach((customer, k) => {
      const mark = map.querySelector(`g[data-customer="${customer}"]`);
      const label = document.createElementNS(map.namespaceURI, "text");
      label.setAttribute("class", "order");
      label.setAttribute("y", -4 - mark.querySelector("circle").getAttribute("r"));
      label.textContent = [mark.querySelector(".order")?.textContent, k + 1].filter(Boolean).join(", ");
      mark.querySelector(".order")?.remove();
      mark.append(label);
    });
  });
  new ResizeObserver(() => show(view)).observe(map);
})();
