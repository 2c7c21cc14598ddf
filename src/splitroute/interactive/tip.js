// A box with text next to the pointer: showTip(text, event), or showTip("") to hide it.
const showTip = (() => {
  "use strict";
  const OFFSET = 14; // pixels
  const box = document.createElement("div");
  box.className = "tip";
  box.hidden = true;
  document.body.append(box);

  return (text, event) => {
    box.hidden = !text;
    if (!text) return;
    box.textContent = text;
    const { width, height } = box.getBoundingClientRect();
    const right = event.clientX + OFFSET;
    const x = right + width < innerWidth ? right : event.clientX - OFFSET - width;
    const y = Math.min(event.clientY + OFFSET, innerHeight - height - 4);
    box.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
  };
})();
