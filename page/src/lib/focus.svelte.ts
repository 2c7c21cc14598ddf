// What the pointer, the keyboard or a search is on: tables and map show it alike.

class Places {
  customer = $state<number | null>(null);
  sought = $state<number | null>(null);
}

/**
 * What is looked at in one solution. Two solutions of the same instance share the customer, but not
 * the route: vehicle 19 of one has nothing to do with vehicle 19 of the other.
 */
export class Focus {
  route = $state<number | null>(null);
  readonly #places: Places;

  constructor(places = new Places()) {
    this.#places = places;
  }

  /** For another solution of the same instance. */
  beside(): Focus {
    return new Focus(this.#places);
  }

  /** The customer under the pointer. */
  get customer(): number | null {
    return this.#places.customer;
  }
  set customer(customer: number | null) {
    this.#places.customer = customer;
  }

  /** The customer that was searched for: maps go there. */
  get sought(): number | null {
    return this.#places.sought;
  }
  set sought(customer: number | null) {
    this.#places.sought = customer;
  }

  /** The customer to show. */
  get shown(): number | null {
    return this.customer ?? (this.route === null ? this.sought : null);
  }
}
