// Moving, zooming and pointing: the same for a finger, two fingers, a mouse and a keyboard.

export interface Point {
  x: number;
  y: number;
}

export interface Gestures {
  move: (dx: number, dy: number) => void;
  zoom: (factor: number, at?: Point) => void;
  reset: () => void;
  point: (at: Point) => void;
  leave: () => void;
}

const STEP = 60; // pixels per arrow key
const CLOSER = 1.3; // per plus key

/** Listens on an element for as long as it is there. */
export function gestures(element: HTMLElement, does: Gestures): { destroy: () => void } {
  const fingers = new Map<number, Point>();
  const listening = new AbortController();

  const keys: Record<string, () => void> = {
    ArrowLeft: () => does.move(STEP, 0),
    ArrowRight: () => does.move(-STEP, 0),
    ArrowUp: () => does.move(0, STEP),
    ArrowDown: () => does.move(0, -STEP),
    "+": () => does.zoom(CLOSER),
    "=": () => does.zoom(CLOSER),
    "-": () => does.zoom(1 / CLOSER),
    "0": () => does.reset(),
  };

  function position(event: MouseEvent): Point {
    const corner = element.getBoundingClientRect();
    return { x: event.clientX - corner.left, y: event.clientY - corner.top };
  }

  function slid(event: PointerEvent): void {
    const now = position(event);
    const before = fingers.get(event.pointerId);
    if (!before) return does.point(now);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (a: Point) => Math.hypot(a.x - other.x, a.y - other.y) || 1;
      does.zoom(apart(now) / apart(before), other);
    } else {
      does.move(now.x - before.x, now.y - before.y);
    }
    fingers.set(event.pointerId, now);
  }

  function released(event: PointerEvent): void {
    fingers.delete(event.pointerId);
    if (event.pointerType === "touch") does.point(position(event)); // a tap points, as a mouse hovers
  }

  function on<K extends keyof HTMLElementEventMap>(
    kind: K,
    act: (event: HTMLElementEventMap[K]) => void,
  ): void {
    element.addEventListener(kind, act, { signal: listening.signal, passive: false });
  }

  on("wheel", (event) => {
    event.preventDefault();
    does.zoom(1.0015 ** -Math.max(-300, Math.min(300, event.deltaY)), position(event));
  });
  on("pointerdown", (event) => {
    fingers.set(event.pointerId, position(event));
    element.setPointerCapture(event.pointerId);
  });
  on("pointermove", slid);
  on("pointerup", released);
  on("pointercancel", released);
  on("pointerleave", (event) => {
    if (event.pointerType !== "touch") does.leave(); // a finger that is lifted leaves too
  });
  on("dblclick", (event) => does.zoom(2, position(event)));
  on("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });

  return { destroy: () => listening.abort() };
}
