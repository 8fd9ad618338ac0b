/** The ASCII form of a domain name, by the browser (UTS 46); undefined if it is invalid. */
export function asciiOf(name: string): string | undefined {
  try {
    const { hostname } = new URL(`http://${name}/`);
    return hostname === '' ? undefined : hostname;
  } catch {
    return undefined;
  }
}

/** The Unicode form, if it converts back to the same name. */
export function unicodeOf(name: string): string {
  if (!name.includes('xn--')) return name;
  try {
    const read = name
      .split('.')
      .map((label) => (label.startsWith('xn--') ? decode(label.slice(4)) : label))
      .join('.');
    return asciiOf(read) === name ? read : name;
  } catch {
    return name;
  }
}

/** Punycode decoding (RFC 3492, section 6.2) with the parameters of section 5. */
function decode(text: string): string {
  const end = text.lastIndexOf('-');
  const read = [...text.slice(0, Math.max(0, end))].map((each) => each.codePointAt(0) ?? 0);
  let code = 128;
  let at = 0;
  let bias = 72;
  for (let next = end + 1; next < text.length; ) {
    const before = at;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = Number.parseInt(text[next++] ?? '', 36);
      // In Punycode, letters come before digits.
      const value = digit >= 10 ? digit - 10 : digit + 26;
      if (Number.isNaN(value)) throw new RangeError('not Punycode');
      at += value * weight;
      const threshold = Math.min(26, Math.max(1, k - bias));
      if (value < threshold) break;
      weight *= 36 - threshold;
    }
    const length = read.length + 1;
    bias = adapt(at - before, length, before === 0);
    code += Math.floor(at / length);
    at %= length;
    read.splice(at++, 0, code);
  }
  return String.fromCodePoint(...read);
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}

const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Hebrew', 'Arabic', 'Thai', 'Han', 'Hangul'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);

/** Labels with several scripts can imitate other names. Han with Japanese scripts is allowed. */
export const isMixed = (name: string): boolean =>
  name.split('.').some((label) => scripts.filter((script) => script.test(label)).length > 1);
