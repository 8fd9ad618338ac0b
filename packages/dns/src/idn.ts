import { NameError } from './error.ts';

// UTS 46 2.3: these three characters separate labels like the full stop.
const OTHER_DOTS = /[\u3002\uff0e\uff61]/g;
const LABEL_OF_LETTERS = /^[A-Za-z0-9_\-\u0080-\u{10ffff}]+$/u;

// The URL host parser reads a last label of digits as an IPv4 number, so a harmless last label is added.
const GUARD = '.guard';

export function plainDots(text: string): string {
  return text.replace(OTHER_DOTS, '.');
}

/** A label with characters beyond ASCII becomes its A-label (UTS 46 mapping, then Punycode). */
export function toAsciiLabel(label: string): string {
  if (!LABEL_OF_LETTERS.test(label))
    throw new NameError(`label "${label}" mixes other characters with escapes or symbols`);
  const ascii = URL.parse(`ws://${label}${GUARD}`)?.hostname ?? '';
  if (!ascii.endsWith(GUARD)) throw new NameError(`label "${label}" is not a valid international label`);
  const mapped = ascii.slice(0, -GUARD.length);
  if (mapped === '' || mapped.includes('.')) throw new NameError(`label "${label}" is not one label after mapping`);
  return mapped;
}
