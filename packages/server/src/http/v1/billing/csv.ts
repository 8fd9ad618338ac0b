/** RFC 4180, with one more rule: a text that a spreadsheet would take for a formula stands behind an apostrophe. */

/** At the start, and after what another program may take for the end of a cell: some read `;` or a tab as the separator. */
const formula = /(^|[;|\t\r\n])(?=["'\s]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const special = /[",;\t\r\n]/;

/** A text that somebody else may have written. */
export function cell(text: string): string {
  const safe = text.replace(formula, "$1'").replace(/^[\t\r\n]/, "'$&");
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Our own figures, dates and ids stand as they are: a minus before an amount is no formula. */
export const csvRow = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
