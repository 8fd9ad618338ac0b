import { createHash } from 'node:crypto';
import { Refusal } from './errors.ts';

/** The versions of an object that a change was decided upon; `*`: any. */
export type ExpectedVersion = '*' | readonly string[];

/**
 * A digest of what can be changed of an object, and of nothing else: when it was used last is no reason to refuse a change, and neither is
 * a change that was taken back.
 */
export const versionOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);

/** Under the lock of the object. Who expects nothing overwrites what is there, as ever. */
export function requireVersion(expected: ExpectedVersion | undefined, content: unknown): void {
  if (expected === undefined || expected === '*' || expected.includes(versionOf(content))) return;
  throw new Refusal(
    'precondition_failed',
    'This object has changed since you read it. Read it again and repeat the change.',
  );
}
