import { createHash } from 'node:crypto';
import { Refusal } from './errors.ts';

/** The versions of an object that a change accepts; `*`: any. */
export type ExpectedVersion = '*' | readonly string[];

/**
 * A digest of the fields of an object that can be changed, and nothing else: a later use, or a change that was reverted, is no reason to
 * refuse a change.
 */
export const versionOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);

/** Under the lock of the object. A caller that names no version overwrites the present one. */
export function requireVersion(expected: ExpectedVersion | undefined, content: unknown): void {
  if (expected === undefined || expected === '*' || expected.includes(versionOf(content))) return;
  throw new Refusal(
    'precondition_failed',
    'This object has changed since you read it. Read it again and repeat the change.',
  );
}
