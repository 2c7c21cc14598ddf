// Pan, zoom and hover by touch, mouse and keyboard.

export interface Point {
  x: number;
  y: number;
}

export interface Gestures {
  move: (dx: number, dy: number) => void;
  zoom: (factor: number, at?: Point) => void;
  reset: () => void;
  hover: (at: Point) => void;
  leave: () => void;
}

const PAN_STEP = 60; // pixels per arrow key
const ZOOM_STEP = 1.3; // per plus key

/** Svelte action that handles gestures on an element. */
export function gestures(element: HTMLElement, handlers: Gestures): { destroy: () => void } {
  const fingers = new Map<number, Point>();
  const listeners = new AbortController();

  const keys: Record<string, () => void> = {
    ArrowLeft: () => handlers.move(PAN_STEP, 0),
    ArrowRight: () => handlers.move(-PAN_STEP, 0),
    ArrowUp: () => handlers.move(0, PAN_STEP),
    ArrowDown: () => handlers.move(0, -PAN_STEP),
    "+": () => handlers.zoom(ZOOM_STEP),
    "=": () => handlers.zoom(ZOOM_STEP),
    "-": () => handlers.zoom(1 / ZOOM_STEP),
    "0": () => handlers.reset(),
  };

  function position(event: MouseEvent): Point {
    const corner = element.getBoundingClientRect();
    return { x: event.clientX - corner.left, y: event.clientY - corner.top };
  }

  function move(event: PointerEvent): void {
    const now = position(event);
    const before = fingers.get(event.pointerId);
    if (!before) return handlers.hover(now);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const distance = (a: Point) => Math.hypot(a.x - other.x, a.y - other.y) || 1;
      handlers.zoom(distance(now) / distance(before), other);
    } else {
      handlers.move(now.x - before.x, now.y - before.y);
    }
    fingers.set(event.pointerId, now);
  }

  function release(event: PointerEvent): void {
    fingers.delete(event.pointerId);
    if (event.pointerType === "touch") handlers.hover(position(event)); // a tap counts as hovering
  }

  function on<K extends keyof HTMLElementEventMap>(
    kind: K,
    handle: (event: HTMLElementEventMap[K]) => void,
  ): void {
    element.addEventListener(kind, handle, { signal: listeners.signal, passive: false });
  }

  on("wheel", (event) => {
    event.preventDefault();
    handlers.zoom(1.0015 ** -Math.max(-300, Math.min(300, event.deltaY)), position(event));
  });
  on("pointerdown", (event) => {
    fingers.set(event.pointerId, position(event));
    element.setPointerCapture(event.pointerId);
  });
  on("pointermove", move);
  on("pointerup", release);
  on("pointercancel", release);
  on("pointerleave", (event) => {
    if (event.pointerType !== "touch") handlers.leave(); // lifting a finger leaves too
  });
  on("dblclick", (event) => handlers.zoom(2, position(event)));
  on("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });

  return { destroy: () => listeners.abort() };
}
