/** RFC 4180, with one more rule: a text that a spreadsheet would take for a formula stands behind an apostrophe. */

const formula = /^[=+\-@\t\r\n]/;
const special = /[",\r\n]/;

/** A text that somebody else may have written. */
export function cell(text: string): string {
  const safe = formula.test(text.trimStart()) || formula.test(text) ? `'${text}` : text;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Our own figures, dates and ids stand as they are: a minus before an amount is no formula. */
export const csvRow = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
