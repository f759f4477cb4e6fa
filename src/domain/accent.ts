// A product's accent colour, made readable on its page's backgrounds.

export const LIGHT_BACKGROUND = '#ffffff';
export const DARK_BACKGROUND = '#0e1116';
/** The slightly offset background of code, tables and forms. */
export const LIGHT_SURFACE = '#f6f7f9';
export const DARK_SURFACE = '#171b22';

/** WCAG 2.2, success criterion 1.4.3: text of any size. */
const CONTRAST_MIN = 4.5;
/** Smaller than one step of a hexadecimal digit. */
const LIGHTNESS_STEP = 1 / 1_024;

/** The colour for text and links on light and on dark; adjusted only as far as contrast requires. */
export function accentColours(hex: string): { light: string; dark: string } {
  return {
    light: untilReadable(hex, [LIGHT_BACKGROUND, LIGHT_SURFACE], 0),
    dark: untilReadable(hex, [DARK_BACKGROUND, DARK_SURFACE], 1),
  };
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Binary search towards black or white, where every colour is readable. */
function untilReadable(hex: string, backgrounds: readonly string[], end: 0 | 1): string {
  if (isReadable(hex, backgrounds)) return hex;
  const { hue, saturation, lightness } = toHsl(hex);
  let [unreadable, readable] = [lightness, end as number];
  while (Math.abs(readable - unreadable) > LIGHTNESS_STEP) {
    const middle = (readable + unreadable) / 2;
    if (isReadable(toHex({ hue, saturation, lightness: middle }), backgrounds)) readable = middle;
    else unreadable = middle;
  }
  return toHex({ hue, saturation, lightness: readable });
}

function isReadable(hex: string, backgrounds: readonly string[]): boolean {
  return backgrounds.every((background) => contrast(hex, background) >= CONTRAST_MIN);
}

/** WCAG's relative luminance. */
function luminance(hex: string): number {
  const [red, green, blue] = toChannels(hex).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The hue is in sixths of the circle. */
type Hsl = Readonly<{ hue: number; saturation: number; lightness: number }>;

function toHsl(hex: string): Hsl {
  const [red, green, blue] = toChannels(hex);
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  const lightness = most - spread / 2;
  if (spread === 0) return { hue: 0, saturation: 0, lightness };
  const saturation = spread / (1 - Math.abs(2 * lightness - 1));
  if (most === red) return { hue: (green - blue) / spread, saturation, lightness };
  if (most === green) return { hue: 2 + (blue - red) / spread, saturation, lightness };
  return { hue: 4 + (red - green) / spread, saturation, lightness };
}

function toHex({ hue, saturation, lightness }: Hsl): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const place = (offset + hue * 2 + 12) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/** Red, green and blue from 0 to 1. */
function toChannels(hex: string): [number, number, number] {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}
