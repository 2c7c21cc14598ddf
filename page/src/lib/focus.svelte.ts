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
  route = $state<number | null>(null);
  readonly #customers: CustomerFocus;

  constructor(customers = new CustomerFocus()) {
    this.#customers = customers;
  }

  /** Return the focus for another solution of the same instance. */
  sibling(): Focus {
    return new Focus(this.#customers);
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
    return this.customer ?? (this.route === null ? this.searched : null);
  }
}
