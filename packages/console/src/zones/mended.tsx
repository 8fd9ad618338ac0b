import { toast } from '../parts/toast.tsx';
import type { Mended } from './typed.ts';
import { words } from './words.ts';

/** What was read differently from how it was typed, in words. */
const mendedText = (mended: readonly Mended[]): string =>
  [...new Set(mended)].map((each) => words().mended[each]).join(' ');

/** Said once more where the field that it was typed into is gone. */
export function tellMended(mended: readonly Mended[]): void {
  if (mended.length > 0) toast(mendedText(mended));
}

/** Why a sign is not taken as it is, and what to type instead. */
export const doubtText = (sign: string): string =>
  words().doubt(sign, [...new TextEncoder().encode(sign)].map((octet) => `\\${octet}`).join(''));

export function MendedNote({ mended }: { readonly mended: readonly Mended[] }) {
  return mended.length > 0 ? <span class="warn-text"> {mendedText(mended)}</span> : null;
}
