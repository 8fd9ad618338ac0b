import { toast } from '../components/toast.tsx';
import { messages } from './messages.ts';
import type { RepairKind } from './read-input.ts';

/** The repairs as text. */
const repairText = (repairs: readonly RepairKind[]): string =>
  [...new Set(repairs)].map((each) => messages().repairs[each]).join(' ');

/** Shows repairs as a toast when the input field is gone. */
export function toastRepairs(repairs: readonly RepairKind[]): void {
  if (repairs.length > 0) toast(repairText(repairs));
}

/** Why a character is ambiguous, and what to type instead. */
export const doubtText = (sign: string): string =>
  messages().ambiguousCharacter(sign, [...new TextEncoder().encode(sign)].map((byte) => `\\${byte}`).join(''));

export function RepairNote({ repairs }: { readonly repairs: readonly RepairKind[] }) {
  return repairs.length > 0 ? <span class="warn-text"> {repairText(repairs)}</span> : null;
}
