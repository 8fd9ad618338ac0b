import { expect } from 'vitest';
import type { Book } from '../../packages/server/src/core/books/difference.ts';
import { verifyBooks } from '../../packages/server/src/core/books/verify.ts';
import type { RealService } from './process.ts';
import type { TestService } from './service.ts';

/** The last step of a test: entries, operations, domains and the registry say the same, or the difference is shown. */
export async function booksAgree(t: Pick<TestService, 'house'>, wanted?: readonly Book[]): Promise<void> {
  const { differences, skipped } = await verifyBooks(t.house, wanted);
  expect(differences, 'the five books differ').toEqual([]);
  expect(skipped, 'a registry could not be compared').toEqual([]);
}

/** The same for a service that is a process of its own: it must run, for the registry to be asked. */
export async function realBooksAgree(service: RealService): Promise<void> {
  if (!service.isAlive) await service.start();
  const { code, output } = await service.namehold(['verify']);
  expect(code, output).toBe(0);
}
