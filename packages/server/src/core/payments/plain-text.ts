/** Control, zero-width and bidirectional characters, variation selectors and other characters that are not shown. */
const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\s\u0085])\p{Cc}/gu;
/** White space, and characters of no such class that are shown as a blank. */
const blanks = /[\s\u0085\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]+/gu;
const dashes = /[\p{Pd}\u2212]/gu;
const otherDigits = /(?![0-9])\p{Nd}/gu;
/** The Arabic decimal and thousands separators, and slashes that normalisation leaves. */
const separators: Readonly<Record<string, string>> = { '\u066b': '.', '\u066c': ',', '\u2044': '/', '\u2215': '/' };

/**
 * A cell or an id in one written form, so that the same entry has the same key however a program wrote it: NFKC, with ASCII digits, dashes
 * and separators, without characters that are not shown, and with single spaces.
 */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(otherDigits, (digit) => String(digitValue(digit)))
    .replace(/[\u066b\u066c\u2044\u2215]/g, (sign) => separators[sign]!)
    .replace(dashes, '-')
    .replace(hidden, '')
    .replace(blanks, ' ')
    .trim();

/** Decimal digits of a script are a run of ten code points from zero to nine. Runs can follow each other. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}
