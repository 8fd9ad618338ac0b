/** RFC 4180. In addition, a text that a spreadsheet would read as a formula gets a leading apostrophe. */

/** Also after `;` and tabs, which some programs read as the separator of cells, and after characters that are not shown (Cf). */
const formula = /(^|[;|\t\r\n])(?=["'\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const special = /[",;\t\r\n]/;

/** A text that another party may have written. */
export function cell(text: string): string {
  const safe = text.replace(formula, "$1'").replace(/^[\t\r\n]/, "'$&");
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Our own numbers, dates and ids stay unchanged: a minus before an amount is no formula. */
export const csvRow = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
