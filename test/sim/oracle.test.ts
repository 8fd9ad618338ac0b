import { expect, test } from 'vitest';
import { whenIn } from './events.ts';
import { possibleModesAt } from './modes.ts';
import { dayMs } from './oracle/calendar.ts';
import { type Log, modeChangesOf } from './oracle/renewals.ts';
import type { Ledger } from './player.ts';
import type { Trader } from './resellers.ts';

/** The oracle alone, for cases that clocks and answers leave open: where it may be lenient, and where not. */

const minute = 60_000;

test.each([
  ['as recorded, between the two reads', 50 * minute, 0, 50 * minute],
  ['as recorded, if no clock was wrong', 20 * dayMs, 0, 20 * dayMs],
  ['at the later read, if a clock was ahead', 3 * dayMs + 50 * minute, 3 * dayMs, 60 * minute],
  ['at the earlier read, if a clock was behind', 50 * minute - dayMs, dayMs, 0],
  ['as recorded, if the clock was not that wrong', 4 * dayMs, 3 * dayMs, 4 * dayMs],
])('dates an event %s', (_about, writtenAt, skewMs, at) => {
  expect(whenIn(writtenAt, 0, 60 * minute, skewMs)).toBe(at);
});

const [giver, taker] = [{ level: 0 }, { level: 1 }] as [Trader, Trader];
const name = 'moved.com';
const movedAt = 100 * minute;
const moved = { type: 'domain.moved_in', payload: { domain_name: name, operation_id: 'op_1' }, at: movedAt, by: taker };

function modesAt(at: number, wishes: readonly object[], log: readonly object[]): string[] {
  const ledger = {
    orders: [{ name, beginsWith: 'delete', placedAt: 0, answer: 'accepted' }],
    moves: [{ moveId: 'op_1', beginsWith: 'manual' }],
    wishes: wishes.map((wish) => ({ name, answer: 'accepted', ...wish })),
    skewMs: 0,
  } as unknown as Ledger;
  return possibleModesAt(modeChangesOf(ledger, name, [], log as Log), at).map(({ mode }) => mode);
}

const wish = (buyer: Trader, sentAt: number) => ({ buyer, sentAt, answeredAt: sentAt + 500, mode: 'renew_once' });

test.each([
  ['that was chosen, without another change', [wish(giver, 99 * minute)], [], ['renew_once']],
  ['of the domain at its creation, without a choice', [], [], ['delete']],
  ['of the new reseller, whatever the former one chose', [wish(giver, movedAt - 200)], [moved], ['manual']],
  ['that the new reseller chose', [wish(giver, movedAt - 200), wish(taker, movedAt + minute)], [moved], ['renew_once']],
])('expects the renewal mode %s', (_about, wishes, log, modes) => {
  expect(modesAt(200 * minute, wishes, log)).toEqual(modes);
});
