// Route and customer in focus, shared by tables and maps.

class CustomerFocus {
  hovered = $state<number | null>(null);
  searched = $state<number | null>(null);
}

/**
 * Focus in one solution. Two solutions of one instance share the customer in focus, but not the
 * route: their vehicles have nothing in common.
 */
export class Focus {
  hoveredRoute = $state<number | null>(null);
  selected = $state<number | null>(null); // route whose visits are listed
  type = $state<string | null>(null); // vehicle type in the legend under the pointer
  readonly #customers: CustomerFocus;

  constructor(customers = new CustomerFocus()) {
    this.#customers = customers;
  }

  /** Return the focus for another solution of the same instance. */
  sibling(): Focus {
    return new Focus(this.#customers);
  }

  /** Route under the pointer, or else the selected one. */
  get route(): number | null {
    return this.hoveredRoute ?? this.selected;
  }
  set route(route: number | null) {
    this.hoveredRoute = route;
  }

  /** Select a route, or deselect it. */
  toggle(route: number): void {
    this.selected = this.selected === route ? null : route;
  }

  /** Customer under the pointer. */
  get customer(): number | null {
    return this.#customers.hovered;
  }
  set customer(customer: number | null) {
    this.#customers.hovered = customer;
  }

  /** Customer searched for: maps zoom to it. */
  get searched(): number | null {
    return this.#customers.searched;
  }
  set searched(customer: number | null) {
    this.#customers.searched = customer;
  }

  /** Customer to highlight. */
  get current(): number | null {
    return this.customer ?? (this.hoveredRoute === null && this.type === null ? this.searched : null);
  }
}
