import { expect, test } from 'vitest';
import { decideByOrders, type LostOrder } from '../../src/core/operations/decide-by-orders.ts';
import type { FoundOrder } from '../../src/core/ports/registry.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
const found = (more: Partial<FoundOrder> = {}): FoundOrder => ({
  id: '7',
  verb: null,
  at: at(0),
  state: 'done',
  operationId: null,
  ...more,
});
const own = { operationId: 'op_1' };

type Case = [string, Partial<LostOrder>, ReturnType<typeof decideByOrders>['kind']];

const cases: Case[] = [
  ['no order', { orders: [] }, 'not_executed'],
  ['no order, too early to be visible', { orders: [], visibleAfterMs: 60_000, now: at(59) }, 'wait'],
  ['no order, visible by now', { orders: [], visibleAfterMs: 60_000, now: at(60) }, 'not_executed'],
  ['a failed order', { orders: [found({ state: 'failed' })] }, 'not_executed'],
  [
    'a failed order, and a later one may not be visible',
    { orders: [found({ ...own, state: 'failed' })], visibleAfterMs: 60_000 },
    'wait',
  ],
  ['an open order', { orders: [found({ state: 'open' })] }, 'wait'],
  ['an open order, long after', { orders: [found({ state: 'open' })], now: at(86_400) }, 'wait'],
  ['a charge', { orders: [found()] }, 'wait'],
  ['a charge without effect, long after', { orders: [found()], now: at(600) }, 'action_required'],
  ['a charge and a failed order', { orders: [found({ state: 'failed' }), found({ id: '8' })] }, 'wait'],
  ['our own order, done', { orders: [found(own)] }, 'executed'],
  ['our own order, done, without effect long after', { orders: [found(own)], now: at(600) }, 'action_required'],
  ['our own order, open', { orders: [found({ ...own, state: 'open' })] }, 'wait'],
  [
    'our own order, failed, beside a charge of another',
    { orders: [found({ ...own, state: 'failed' }), found()] },
    'not_executed',
  ],
  ["another operation's order", { orders: [found({ operationId: 'op_2' })] }, 'not_executed'],
  ['an order for something else', { orders: [found({ verb: 'renew' })] }, 'not_executed'],
  ['an order of the same kind', { orders: [found({ verb: 'register' })] }, 'wait'],
  ['an earlier registration', { orders: [found({ at: at(-86_400) })] }, 'wait'],
  ['an earlier renewal', { verb: 'renew', orders: [found({ at: at(-86_400) })] }, 'not_executed'],
  ['an earlier restore', { verb: 'restore', orders: [found({ at: at(-601) })] }, 'not_executed'],
  ['a renewal within the difference of the clocks', { verb: 'renew', orders: [found({ at: at(-599) })] }, 'wait'],
  ['a renewal without a time', { verb: 'renew', orders: [found({ at: null })] }, 'wait'],
];

test.each(cases)('decides about a lost order: %s', (_, more, kind) => {
  const lost: LostOrder = {
    verb: 'register',
    operationId: own.operationId,
    name: 'a.org',
    orders: [],
    sent: { first: at(0), last: at(0) },
    now: at(1),
    visibleAfterMs: 0,
    ...more,
  };
  expect(decideByOrders(lost).kind).toBe(kind);
});

test('counts from the last command that was sent', () => {
  const lost: LostOrder = {
    verb: 'renew',
    operationId: own.operationId,
    name: 'a.org',
    orders: [],
    sent: { first: at(0), last: at(100) },
    now: at(130),
    visibleAfterMs: 60_000,
  };
  expect(decideByOrders(lost).kind).toBe('wait');
  expect(decideByOrders({ ...lost, now: at(160) }).kind).toBe('not_executed');
});
