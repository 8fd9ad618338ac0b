import type { AnswerData } from '@namehold/epp';
import type { Database } from '@namehold/postgres';
import { expect, test } from 'vitest';
import { openMessageCounts } from '../src/poll/message-counts.ts';
import { freeze, thaw } from '../src/poll/stored-data.ts';

type Row = { count: string; id: string | null };

/** A database whose answers the test releases. */
function slowDatabase() {
  const queries: ((row: Row) => void)[] = [];
  const one = () => new Promise<Row>((resolve) => queries.push(resolve));
  return { db: { as: () => ({ one }) } as unknown as Database, asked: queries };
}

test('counts messages once, and again after a change', async () => {
  const { db, asked: queries } = slowDatabase();
  const counts = openMessageCounts(db);
  const first = counts.waiting('a');
  queries[0]!({ count: '0', id: null });
  expect(await first).toBeUndefined();
  expect(await counts.waiting('a')).toBeUndefined();
  expect(queries).toHaveLength(1);
  counts.changed('a');
  const second = counts.waiting('a');
  queries[1]!({ count: '2', id: '7' });
  expect(await second).toEqual({ count: 2, id: '7' });
  expect(queries).toHaveLength(2);
});

test('counts a message that arrives during the count', async () => {
  const { db, asked: queries } = slowDatabase();
  const counts = openMessageCounts(db);
  const early = counts.waiting('a');
  counts.changed('a');
  queries[0]!({ count: '0', id: null });
  await early;
  const late = counts.waiting('a');
  queries[1]?.({ count: '1', id: '7' });
  expect(await late).toEqual({ count: 1, id: '7' });
});

test('counts messages of each registrar separately', async () => {
  const { db, asked: queries } = slowDatabase();
  const counts = openMessageCounts(db);
  const both = [counts.waiting('a'), counts.waiting('b')];
  queries[0]!({ count: '3', id: '1' });
  queries[1]!({ count: '0', id: null });
  expect(await Promise.all(both)).toEqual([{ count: 3, id: '1' }, undefined]);
});

test('returns data in the queue unchanged, dates included', () => {
  const data = {
    object: 'domain',
    type: 'panData',
    name: 'a.org',
    paDate: new Date('2026-03-01T12:00:00.123Z'),
    list: [{ at: new Date(0) }, null, 'x', 1, false],
    text: '2026-03-01T12:00:00.123Z',
  } as unknown as AnswerData;
  expect(thaw(JSON.parse(freeze({ data })))).toEqual({ data });
  const both = { data, ext: { allocationToken: 'x' } };
  expect(thaw(JSON.parse(freeze(both)))).toEqual(both);
});
