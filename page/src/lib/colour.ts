// Colours of the routes: steps of the golden ratio keep neighbouring numbers apart in hue.

const LIGHT = [38, 46, 32];
const DARK = [62, 70, 56];

export function routeColour(k: number, dark: boolean): string {
  const hue = (209 + 222.4922 * k) % 360;
  return `hsl(${hue.toFixed(0)} ${[80, 62, 70][k % 3]}% ${(dark ? DARK : LIGHT)[k % 3]}%)`;
}
