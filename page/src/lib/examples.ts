// What to try when there is no file at hand.
import bakery from "../../../examples/bakery.csv?raw";
import type { Source } from "./draft.svelte";

export type Example = { name: string; why: string; source: Source };

export const EXAMPLES: Example[] = [
  {
    name: "Bakery",
    why: "40 shops on a map, two of them want more than a van holds",
    source: { format: "csv", text: bakery, name: "bakery" },
  },
  {
    name: "Star",
    why: "a benchmark on which splitting saves a lot",
    source: { benchmark: "SD8" },
  },
  {
    name: "Random town",
    why: "200 customers, half a vehicle each",
    source: { customers: 200, capacity: 100, low: 0.1, high: 0.9, seed: 7 },
  },
  {
    name: "Large",
    why: "2,000 customers",
    source: { customers: 2000, capacity: 1000, low: 0.01, high: 0.3, seed: 7 },
  },
];
