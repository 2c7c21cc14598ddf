// Theme, printing and address of the page.

import { flushSync } from "svelte";

const THEME_KEY = "splitroute-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");

class Theme {
  chosen = $state(localStorage.getItem(THEME_KEY) ?? "auto");
  #system = $state(system.matches);
  dark = $derived(this.chosen === "auto" ? this.#system : this.chosen === "dark");

  constructor() {
    system.addEventListener("change", (event) => (this.#system = event.matches));
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    localStorage.setItem(THEME_KEY, this.chosen);
  }
}

export const theme = new Theme();

const print = window.matchMedia("print");

/** Whether the page is being printed: then lists are complete and open. */
class Printing {
  active = $state(print.matches);

  constructor() {
    // At once: the browser takes its picture right after the event.
    print.addEventListener("change", ({ matches }) => flushSync(() => (this.active = matches)));
  }
}

export const printing = new Printing();

/** Current view, after the # of the URL, so that links can be shared. */
class Address {
  parts = $state(partsOf(location.hash));

  constructor() {
    window.addEventListener("hashchange", () => (this.parts = partsOf(location.hash)));
  }
}

function partsOf(hash: string): string[] {
  return hash.replace(/^#\/?/, "").split("/").filter(Boolean);
}

export const address = new Address();
