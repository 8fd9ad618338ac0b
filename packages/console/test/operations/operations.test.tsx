import { afterEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { locale } from '../../src/messages/locale.ts';
import { isCodeRefused, kindText, lineOf } from '../../src/operations/line.ts';
import OperationList from '../../src/operations/list.tsx';
import { messages } from '../../src/operations/messages.ts';
import OperationPage from '../../src/operations/operation.tsx';
import { states } from '../../src/operations/state.tsx';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
afterEach(() => {
  locale.value = 'en';
});
type Operation = Schema<'Operation'>;

/** An operation that nothing was done for yet. */
const operationOf = (state: Operation['state'], changes: Partial<Operation> = {}): Operation =>
  example('Operation', {
    state,
    is_final: ['done', 'refused', 'cancelled'].includes(state),
    cltrid: null,
    steps: [],
    transaction_id: null,
    result_text: null,
    approval: null,
    attention: null,
    finished_at: null,
    ...changes,
  });
const sent = { cltrid: 'nh_1' } as const;
const line = (operation: Operation) => lineOf(operation).map(({ key, state }) => `${key} ${state}`);
const attention = (...choices: string[]) => ({ why: 'Decide.', choices }) as unknown as Operation['attention'];
const approval = (answer: 'given' | 'declined' | 'lapsed' | null): Operation['approval'] => ({
  change: 'unlock',
  wanted: {},
  asked_by: 'key_1',
  requester_revoked: false,
  until: '2026-11-16T09:00:00Z',
  answer,
  answered_by: null,
  answered_at: null,
  confirmations: [],
});

describe('lineOf', () => {
  test.each<[string, Operation, string[]]>([
    [
      'waits for its first command',
      operationOf('intended'),
      ['placed done', 'sent now', 'says ahead', 'settled ahead'],
    ],
    ['was sent', operationOf('sent', sent), ['placed done', 'sent done', 'says now', 'settled ahead']],
    ['has no response', operationOf('unknown', sent), ['placed done', 'sent done', 'says now', 'settled ahead']],
    ['is done', operationOf('done', sent), ['placed done', 'sent done', 'says done', 'settled done']],
    [
      'was refused by the registry',
      operationOf('refused', sent),
      ['placed done', 'sent done', 'says failed', 'settled failed'],
    ],
    ['was refused before', operationOf('refused'), ['placed done', 'settled failed']],
    ['was cancelled before', operationOf('cancelled'), ['placed done', 'settled failed']],
    [
      'needs a decision before it is sent',
      operationOf('action_required'),
      ['placed done', 'sent now', 'says ahead', 'settled ahead'],
    ],
    [
      'has a refused auth code',
      operationOf('action_required', { ...sent, attention: attention('new_auth_code') }),
      ['placed done', 'sent done', 'says failed', 'settled ahead'],
    ],
    [
      'waits for approval',
      operationOf('action_required', { approval: approval(null) }),
      ['placed done', 'approval now', 'sent ahead', 'says ahead', 'settled ahead'],
    ],
    [
      'was approved',
      operationOf('sent', { ...sent, approval: approval('given') }),
      ['placed done', 'approval done', 'sent done', 'says now', 'settled ahead'],
    ],
    [
      'was rejected',
      operationOf('refused', { approval: approval('declined') }),
      ['placed done', 'approval failed', 'settled failed'],
    ],
    [
      'was not approved in time',
      operationOf('cancelled', { ...sent, approval: approval('lapsed') }),
      ['placed done', 'approval failed', 'settled failed'],
    ],
  ])('describes an operation that %s', (_, operation, steps) => {
    expect(line(operation)).toEqual(steps);
  });

  test('has no registry for a change of the account', () => {
    expect(line(operationOf('done', { kind: 'account_security' }))).toEqual(['placed done', 'settled done']);
  });

  test.each(states)('has at most one current step in the state %s, and none after the end', (state) => {
    for (const changes of [{}, sent, { approval: approval(null) }, { ...sent, approval: approval('given') }]) {
      const operation = operationOf(state, changes);
      const current = lineOf(operation).filter((step) => step.state === 'now').length;
      expect(current).toBeLessThanOrEqual(operation.is_final ? 0 : 1);
    }
  });
});

test('an order that the registry could not process yet is sent again, and its text is no response', () => {
  const steps = lineOf(operationOf('intended', { ...sent, attempts: 2, result_text: 'Command failed; maintenance' }));
  expect(steps.map(({ note }) => note)).toEqual([undefined, messages().retrying, undefined, undefined]);
});

describe('kindText', () => {
  test.each([
    ['register', null, 'Registration'],
    ['update', { changed: ['nameservers', 'contacts'] }, 'Nameserver change'],
    ['update', { changed: 'nameservers' }, 'Domain update'],
    ['update', { changed: [] }, 'Domain update'],
    ['update', { changed: ['locked'], turned_on: true }, 'Domain locked'],
    ['update', { changed: ['locked'], turned_on: false }, 'Domain unlocked'],
    ['update', { changed: ['locked'] }, 'Domain lock change'],
    ['some_new_kind', null, 'some new kind'],
  ])('returns for %s with %j the text "%s"', (kind, outcome, text) => {
    expect(kindText({ kind, outcome: outcome as Operation['outcome'], approval: null })).toBe(text);
  });

  test.each<[NonNullable<Operation['approval']>['change'], object, string]>([
    ['unlock', { theft_protection: false }, 'Turn off theft protection'],
    ['unlock', { locked: false }, 'Unlock domain'],
    ['nameservers', { nameservers: ['ns1.example.net'] }, 'Nameserver change'],
    ['ds', {}, 'DNSSEC change'],
    ['auth_code', {}, 'Auth code change'],
    ['unlock', {}, 'Domain update'],
  ])('returns for a waiting change of the kind %s with %j the text "%s"', (change, wanted, text) => {
    const waiting = { ...approval(null)!, change, wanted: wanted as Record<string, unknown> };
    expect(kindText({ kind: 'update', outcome: null, approval: waiting })).toBe(text);
  });
});

test('only a new auth code means that the code was refused', () => {
  expect(isCodeRefused(operationOf('action_required', { attention: attention('approve', 'cancel') }))).toBe(false);
  expect(isCodeRefused(operationOf('action_required'))).toBe(false);
});

describe('the list', () => {
  const open = async (byState: (state: string | undefined) => Operation[], at = '/app/operations') => {
    page.api.respond('get', '/operations', ({ query }) => {
      const rows = byState(query.state);
      return { body: rows, headers: { 'X-Total-Count': String(rows.length) } };
    });
    await page.show(OperationList, { at });
  };

  test('shows an operation once that changed its state between the requests, in its newer state', async () => {
    const before = operationOf('sent', { ...sent, updated_at: '2026-11-15T09:00:00Z' });
    const after = operationOf('unknown', { ...sent, updated_at: '2026-11-15T09:00:05Z' });
    await open((state) => (state === 'sent' ? [before] : state === 'unknown' ? [after] : []));
    const rows = page.rows(page.get('region', messages().open)).map((row) => row[2]);
    expect(rows).toEqual([messages().states.unknown]);
  });

  test('requests one state if the URL names it, and then lists no open operations separately', async () => {
    await open(() => [operationOf('done', sent)], '/app/operations?state=done');
    expect(page.api.sent('get', '/operations').map(({ query }) => query.state)).toEqual(['done']);
    expect(page.has('region', messages().open)).toBe(false);
  });

  test('ignores an unknown state of the address', async () => {
    await open(() => [], '/app/operations?state=%3Cscript%3E');
    expect(page.api.requests.some(({ query }) => query.state?.includes('script'))).toBe(false);
  });

  test('shows the rows that were read if one of the requests fails', async () => {
    page.api.respond('get', '/operations', ({ query }) =>
      query.state === 'unknown'
        ? { status: 503, body: { code: 'overloaded' } }
        : { body: query.state === 'sent' ? [operationOf('sent', sent)] : [] },
    );
    await page.show(OperationList, { at: '/app/operations' });
    const region = page.get('region', messages().open);
    expect([page.rows(region).length, page.has('alert', undefined, region)]).toEqual([1, true]);
  });
});

describe('the page of an operation', () => {
  const open = async (operation: Operation, users: Schema<'User'>[] = []) => {
    page.api
      .answer('get', '/operations/{operation_id}', () => operation)
      .list('/account/keys', [example('Key', { key_id: 'key_1', label: 'billing panel' })])
      .list('/users', users);
    await page.show(OperationPage, { at: `/app/operations/${operation.operation_id}`, route: '/app/operations/:id' });
  };
  const cancel = '/operations/{operation_id}/cancel';

  test.each<[string, Operation, boolean]>([
    ['not sent', operationOf('intended'), true],
    ['sent', operationOf('sent', sent), false],
    ['that waits for approval', operationOf('intended', { approval: approval(null) }), false],
    ['done', operationOf('done', sent), false],
  ])('%s offers to cancel it: %s', async (_, operation, canCancel) => {
    await open(operation);
    expect(page.has('button', messages().cancel)).toBe(canCancel);
  });

  test('cancels once, and shows a refusal', async () => {
    await open(operationOf('intended'));
    page.api.refuse('post', cancel, 409, { code: 'conflict', message: 'It was sent.' });
    await page.doubleClick(page.button(messages().cancel));
    expect([page.api.writes.length, page.text(page.get('alert')).includes('It was sent.')]).toEqual([1, true]);
  });

  describe('that waits for approval', () => {
    const waiting = (changes: Partial<NonNullable<Operation['approval']>> = {}) =>
      operationOf('action_required', {
        kind: 'update',
        outcome: null,
        attention: attention('approve', 'decline'),
        approval: { ...approval(null)!, wanted: { theft_protection: false }, asked_by: 'per_sari', ...changes },
      });
    const openWaiting = async (operation = waiting()) => {
      await open(operation, [example('User', { user_id: 'per_sari', name: 'Staff Sari' })]);
    };
    const { approve, reject } = messages().answers;

    test.each([
      ['approve', '/operations/{operation_id}/approve'],
      ['reject', '/operations/{operation_id}/decline'],
    ] as const)('names the change and the requester, and can %s it after a confirmation', async (answer, path) => {
      await openWaiting();
      const card = page.get('region', messages().approvalNeeded);
      for (const part of ['Turn off theft protection', 'Staff Sari']) expect(page.text(card)).toContain(part);
      page.api.answer('post', path, operationOf('sent', sent));
      await page.click(page.button(messages().answers[answer].verb, card));
      expect(page.api.writes).toEqual([]);
      await page.doubleClick(page.button(messages().answers[answer].verb, page.get('dialog')));
      expect(page.api.writes.map((each) => each.path)).toEqual([path]);
      expect(page.has('dialog')).toBe(false);
    });

    test('shows why it cannot be approved', async () => {
      await openWaiting();
      page.api.refuse('post', '/operations/{operation_id}/approve', 409, {
        code: 'conflict',
        message: 'Moved by you.',
      });
      await page.click(page.button(approve.verb));
      await page.click(page.button(approve.verb, page.get('dialog')));
      expect(page.text(page.get('alert'))).toContain('Moved by you.');
    });

    test('offers the requester, and users after the requester was removed, only to reject it', async () => {
      signIn({ person: { person_id: 'per_sari' } });
      await openWaiting();
      expect([page.has('button', approve.verb), page.has('button', reject.verb)]).toEqual([false, true]);
      await page.leave();
      signIn();
      await openWaiting({ ...waiting({ requester_revoked: true }), operation_id: 'op_2' });
      expect([page.has('button', approve.verb), page.has('button', reject.verb)]).toEqual([false, true]);
    });

    test('offers nothing to users who may only read, nor to customers', async () => {
      signIn({ account: { scopes: ['account:read', 'domains:read'] } });
      await openWaiting();
      expect(page.has('region', messages().approvalNeeded) && page.has('button', approve.verb)).toBe(false);
      await page.leave();
      signIn({ customer: { customer_id: '7', access: 'manage' } });
      await openWaiting({ ...waiting(), operation_id: 'op_2' });
      expect(page.has('region', messages().approvalNeeded)).toBe(false);
      expect(page.text()).toContain(messages().waitsForProvider);
    });
  });

  test('reports that a transfer with a refused auth code needs a new code', async () => {
    await open(operationOf('waiting_registry', { ...sent, kind: 'transfer', attention: attention('new_auth_code') }));
    expect(page.text()).toContain(messages().needsNewCode);
    expect(page.text()).not.toContain(messages().states.waiting_registry);
  });

  test('offers nothing to users without permission, and hides technical details from customers', async () => {
    signIn({ account: { scopes: ['read'] }, customer: { customer_id: '7', access: 'read' } });
    await open(operationOf('intended', { registry: 'secret-registry' }));
    expect([page.has('button', messages().cancel), page.text().includes('secret-registry')]).toEqual([false, false]);
  });

  test('shows the reasons of the registry as text, after the end only', async () => {
    const reasons = ['<b>Object status prohibits operation</b>'];
    await open(operationOf('refused', { ...sent, reasons }));
    expect([page.text().includes(reasons[0]!), page.root.querySelector('.note b')]).toEqual([true, null]);
    await page.leave();
    await open(operationOf('sent', { ...sent, operation_id: 'op_2', reasons }));
    expect(page.text(page.all('status').at(-1)!)).not.toContain(reasons[0]);
  });

  test('names the key that requested an approval', async () => {
    await open(operationOf('action_required', { approval: approval(null) }));
    expect(page.text()).toContain('billing panel');
  });

  test('says what each step does, with the name of its contact', async () => {
    const step = (name: string) => ({ name, at: '2026-11-15T09:00:00Z', result: 'done', code: 1000 });
    const steps = ['contact-3001', 'contact-3002-proxy-update', 'host-ns1.example.net', 'register'].map(step);
    const contact = example('Contact', { contact_id: '3001', name: 'Sari Dewi' });
    page.api.respond('get', '/domains/{domain_id}', () => ({
      body: { registrant_contact: contact, admin_contact: contact, tech_contact: contact, billing_contact: null },
    }));
    await open(operationOf('done', { ...sent, domain_name: 'example.com', steps }));
    expect(page.rows().map((row) => row[0])).toEqual([
      'Create contact at the registry · Sari Dewi (3001)',
      'Update contact at the registry (privacy protection) · Contact 3002',
      'Create child nameserver · ns1.example.net',
      'Registration',
    ]);
  });

  test('shows the error of an unknown operation and no technical details', async () => {
    page.api.refuse('get', '/operations/{operation_id}', 404, { code: 'not_found' });
    await page.show(OperationPage, { at: '/app/operations/op_0', route: '/app/operations/:id' });
    expect([page.has('alert'), page.has('table')]).toEqual([true, false]);
  });
});
