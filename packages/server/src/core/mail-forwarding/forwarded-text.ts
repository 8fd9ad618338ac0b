import type { Language } from '../notices/kinds.ts';
import { domainText } from '../notices/name-text.ts';
import { catchAll } from './forward.ts';

/** More addresses than these are counted. */
const addressesNamed = 3;

/** The addresses of a domain that would be forwarded, for its recipient. Null: none is known. */
export function forwardedText(
  domainName: string,
  localParts: readonly string[],
): Readonly<Record<Language, string>> | null {
  const host = domainText(domainName);
  const named = localParts.filter((part) => part !== catchAll);
  const shown = named.slice(0, addressesNamed).map((part) => `${part}@${host}`);
  const more = named.length - shown.length;
  const others = localParts.includes(catchAll);
  if (shown.length === 0 && !others) return null;
  const listed = (moreText: string, anyText: string) =>
    [...shown, ...(more > 0 ? [moreText] : []), ...(others ? [anyText] : [])].join(', ');
  return {
    en: listed(`${more} more at ${host}`, `any ${shown.length > 0 ? 'other ' : ''}address at ${host}`),
    id: listed(`${more} alamat lain di ${host}`, `semua alamat${shown.length > 0 ? ' lainnya' : ''} di ${host}`),
  };
}
