type Rgb = readonly [number, number, number];

/** The contrast that text needs against its background (WCAG 2.2, 1.4.3). */
const readable = 4.5;
const steps = 40;

/**
 * Returns the colour itself if it is readable on the background. Otherwise it returns the nearest readable mixture with
 * black or white. Both arguments are `#rrggbb`.
 */
export function readableOn(background: string, colour: string): string {
  const [ground, given] = [rgbOf(background), rgbOf(colour)];
  const end: Rgb = luminance(ground) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let step = 0; step < steps; step++) {
    const mixed = mix(given, end, step / steps);
    if (contrast(mixed, ground) >= readable) return hexOf(mixed);
  }
  return hexOf(end);
}

/** Returns the contrast of two colours by WCAG's formula, from 1 to 21. */
export function contrastOf(a: string, b: string): number {
  return contrast(rgbOf(a), rgbOf(b));
}

const rgbOf = (hex: string): Rgb => {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
};

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const part = (at: 0 | 1 | 2) => Math.round(from[at] + (to[at] - from[at]) * share);
  return [part(0), part(1), part(2)];
};

function contrast(a: Rgb, b: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(rgb: Rgb): number {
  const linear = (part: number) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}
