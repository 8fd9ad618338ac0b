import { expect } from 'vitest';
import type { Book } from '../../packages/server/src/core/books/difference.ts';
import { verifyBooks } from '../../packages/server/src/core/books/verify.ts';
import type { TestService } from './service.ts';

/** The last step of a test: entries, operations, domains and the registry say the same, or the difference is shown. */
export async function booksAgree(t: Pick<TestService, 'house'>, wanted?: readonly Book[]): Promise<void> {
  const { differences, skipped } = await verifyBooks(t.house, wanted);
  expect(differences, 'the four books differ').toEqual([]);
  expect(skipped, 'a registry could not be compared').toEqual([]);
}
