/** Backgrounds of text and buttons in a brand's colour; the design tokens of the pages. */
export const surfaces = {
  light: { ink: '#ffffff', backgrounds: ['#fbfaf7', '#ffffff', '#f3f1ec'], softOn: '#ffffff', softShare: 0.1 },
  dark: { ink: '#10131c', backgrounds: ['#131417', '#1a1c20', '#0e0f11'], softOn: '#131417', softShare: 0.16 },
} as const;
export type Theme = keyof typeof surfaces;

/** WCAG 2.2, 1.4.3. */
export const leastContrast = 4.5;

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text);

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** This share of the first, the rest of the second. */
function mix(one: string, other: string, share: number): string {
  const [first, second] = [channels(one), channels(other)];
  const mixed = first.map((value, at) => Math.round(value * share + second[at]! * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The pale form of it, the background of selected items. */
export const soft = (colour: string, theme: Theme): string =>
  mix(colour, surfaces[theme].softOn, surfaces[theme].softShare);

/** The lowest contrast over all places where it is text, or has text on it. */
export function worstContrast(colour: string, theme: Theme): number {
  const { ink, backgrounds } = surfaces[theme];
  return Math.min(...[...backgrounds, ink, soft(colour, theme)].map((other) => contrast(colour, other)));
}

const steps = 128;

/** The same colour, darkened on light pages and lightened on dark ones only as far as needed. */
export function nearestReadable(colour: string, theme: Theme): string {
  const end = theme === 'light' ? '#000000' : '#ffffff';
  for (let step = 0; step < steps; step++) {
    const tried = mix(end, colour, step / steps);
    if (worstContrast(tried, theme) >= leastContrast) return tried;
  }
  return end;
}
