// Colours of routes: golden-ratio steps keep the hues of consecutive routes apart.

const LIGHT = [38, 46, 32];
const DARK = [62, 70, 56];

/** Return a text colour that is readable on a route's colour. */
export function textColour(colour: string): string {
  const [hue, saturation, lightness] = colour.match(/[\d.]+/g)!.map(Number);
  const chroma = (1 - Math.abs(lightness / 50 - 1)) * (saturation / 100);
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    const value = lightness / 100 - (chroma / 2) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4);
  return luminance > 0.18 ? "#0b0f14" : "#ffffff";
}

export function routeColour(k: number, dark: boolean): string {
  const hue = (209 + 222.4922 * k) % 360;
  return `hsl(${hue.toFixed(0)} ${[80, 62, 70][k % 3]}% ${(dark ? DARK : LIGHT)[k % 3]}%)`;
}
