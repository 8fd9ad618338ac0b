import { words } from './words.ts';

/** What the service writes into the ledger by itself, in the reader's language; what a person wrote stays as it is. */
export function sayLine(description: string): string {
  for (const [pattern, said] of words().lines) {
    const found = pattern.exec(description);
    if (found) return said(found.groups ?? {});
  }
  return description;
}
