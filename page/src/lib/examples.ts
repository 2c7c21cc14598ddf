// Example instances.
import bakeries from "../../../examples/bakeries.csv?raw";
import bakery from "../../../examples/bakery.csv?raw";
import type { Source } from "./request";

export type Example = { name: string; description: string; source: Source };

export const EXAMPLES: Example[] = [
  {
    name: "Bakery",
    description: "40 shops on a map; two need more than a van load",
    source: { format: "csv", text: bakery, name: "Bakery" },
  },
  {
    name: "Flour",
    description: "24 bakeries with opening hours and unloading times",
    source: { format: "csv", text: bakeries, name: "Flour" },
  },
  {
    name: "Star",
    description: "a benchmark instance where splitting saves a lot",
    source: { benchmark: "SD8", name: "Star" },
  },
  {
    name: "Random town",
    description: "200 customers, half a vehicle load each on average",
    source: { customers: 200, capacity: 100, low: 0.1, high: 0.9, seed: 7, name: "Random town" },
  },
  {
    name: "Large",
    description: "2,000 customers",
    source: { customers: 2000, capacity: 1000, low: 0.01, high: 0.3, seed: 7, name: "Large" },
  },
];
