/** `%text%` for ilike, with the wildcards of the text itself escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
