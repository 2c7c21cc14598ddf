// What more than one part of the page looks at.

const THEME = "splitroute-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");

class Theme {
  chosen = $state(localStorage.getItem(THEME) ?? "auto");
  #system = $state(system.matches);
  dark = $derived(this.chosen === "auto" ? this.#system : this.chosen === "dark");

  constructor() {
    system.addEventListener("change", (event) => (this.#system = event.matches));
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    localStorage.setItem(THEME, this.chosen);
  }
}

export const theme = new Theme();

/** Where in the page one is; kept behind the # of the address, so that links can be shared. */
class Place {
  parts = $state(partsOf(location.hash));

  constructor() {
    window.addEventListener("hashchange", () => (this.parts = partsOf(location.hash)));
  }
}

function partsOf(hash: string): string[] {
  return hash.replace(/^#\/?/, "").split("/").filter(Boolean);
}

export const place = new Place();
