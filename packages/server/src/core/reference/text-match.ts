/** `%text%` for ilike, with the wildcards of the text itself made plain. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
