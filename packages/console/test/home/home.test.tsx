import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { setBusinessTime } from '../../src/data/clock.ts';
import Home from '../../src/home/home.tsx';
import { messages } from '../../src/home/messages.ts';
import { messages as common } from '../../src/messages/common.ts';
import { messages as operationMessages } from '../../src/operations/messages.ts';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const domain = (name: string, changes: Partial<Schema<'Domain'>> = {}) =>
  example('Domain', { domain_id: name, domain_name: name, ...changes });

const open = async (
  byStatus: Readonly<Record<string, Schema<'Domain'>[]>> = {},
  operations: readonly Schema<'Operation'>[] = [],
) => {
  page.api
    .respond('get', '/domains', ({ query }) => ({ body: byStatus[query.status ?? ''] ?? [] }))
    .respond('get', '/operations', ({ query }) => ({
      body: operations.filter(({ state }) => !query.state || query.state === state),
    }));
  await page.show(Home, { at: '/app' });
};
/** A user who sees domains and no money. */
const asSupport = () => signIn({ account: { scopes: ['domains:write'] } });

describe('domains that expire', () => {
  test('are listed with expired ones first', async () => {
    asSupport();
    await open({ Expired: [domain('a.example', { order_status: 'Expired' })], Live: [domain('b.example')] });
    const names = page.all('link', /example$/, page.get('region', messages().ending)).map((each) => page.text(each));
    expect(names).toEqual(['a.example', 'b.example']);
  });

  test('are read until 60 days from the business time', async () => {
    asSupport();
    setBusinessTime('2027-01-01T12:00:00Z');
    await open();
    const dates = page.api.sent('get', '/domains').flatMap(({ query }) => query.expiry_date_end ?? []);
    expect(new Set(dates)).toEqual(new Set(['2027-03-02']));
  });

  test('reads the expiring domains again completely after one part failed', async () => {
    asSupport();
    let isDown = true;
    page.api
      .respond('get', '/operations', () => ({ body: [] }))
      .respond('get', '/domains', ({ query }) =>
        isDown && query.status === 'Expired'
          ? { status: 503, body: { code: 'overloaded' } }
          : { body: [domain('a.example')] },
      );
    await page.show(Home, { at: '/app' });
    isDown = false;
    await page.click(page.button(common().retry, page.get('region', messages().ending)));
    expect(page.has('alert')).toBe(false);
  });
});

test('transfers out are listed, transfers in are not', async () => {
  asSupport();
  await open({
    'Pending Transfer': [
      domain('in.example', { state: 'pending' }),
      domain('out.example', { state: 'pending_transfer' }),
    ],
  });
  const card = page.get('region', messages().needed);
  expect([page.has('link', 'out.example', card), page.has('link', 'in.example', card)]).toEqual([true, false]);
});

test('operations that wait for the user are listed, with what they need', async () => {
  asSupport();
  const open_ = { is_final: false, outcome: null, approval: null, attention: null } as const;
  const choices = (...of: string[]) => ({ why: 'Decide.', choices: of }) as unknown as Schema<'Operation'>['attention'];
  const waiting = example('Operation', {
    ...open_,
    operation_id: 'op_1',
    kind: 'update',
    state: 'action_required',
    domain_name: 'a.example',
    attention: choices('approve', 'decline'),
    approval: {
      change: 'unlock',
      wanted: { theft_protection: false },
      asked_by: 'per_sari',
      requester_revoked: false,
      until: '2026-11-16T09:00:00Z',
      answer: null,
      answered_by: null,
      answered_at: null,
      confirmations: [],
    },
  });
  const refused = example('Operation', {
    ...open_,
    operation_id: 'op_2',
    kind: 'transfer',
    state: 'waiting_registry',
    domain_name: 'b.example',
    attention: choices('new_auth_code', 'cancel'),
  });
  const decided = example('Operation', { ...open_, operation_id: 'op_3', state: 'action_required' });
  await open({}, [waiting, refused, decided]);
  const card = page.get('region', messages().needed);
  expect(page.all('link', undefined, card).map((each) => each.getAttribute('href'))).toEqual([
    '/app/operations/op_1',
    '/app/domains/a.example',
    '/app/operations/op_2',
    '/app/domains/b.example',
  ]);
  for (const part of [
    'Turn off theft protection',
    operationMessages().waitsForApproval,
    operationMessages().needsNewCode,
  ])
    expect(page.text(card)).toContain(part);
  const inProgress = page.get('region', messages().inProgress);
  expect(page.all('link', undefined, inProgress).map((each) => each.getAttribute('href'))).toContain(
    '/app/operations/op_3',
  );
  expect(page.text(inProgress)).not.toContain('a.example');
});

test('a customer sees the own balance, and neither the account nor its transfers', async () => {
  signIn({ account: { scopes: ['full'] }, customer: { customer_id: '7', access: 'order' } });
  page.api.respond('get', '/customers/{customer_id}/funds', () => ({ body: example('Funds') }));
  await open();
  expect(page.api.requests.filter(({ path }) => path.startsWith('/account')).map(({ path }) => path)).toEqual([]);
  expect(page.has('region', messages().needed)).toBe(false);
});
