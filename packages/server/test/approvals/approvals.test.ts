import { allTenants, sql } from '@namehold/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { expireApprovals } from '../../src/core/approvals/expire.ts';
import { operationsForAttention } from '../../src/core/operations/watch.sql.ts';
import { compareWatched } from '../../src/jobs/reconcile-domains.ts';
import { lifeOf } from '../domains/life.ts';

/** A reseller requires approval for a change: the change waits for another principal. */
const all = ['nameservers', 'ds', 'auth_code', 'unlock', 'delete'];
let t: TestService;
let life: ReturnType<typeof lifeOf>;
let other: string;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  other = await keyFor(t, '1000');
  const on = await t.call('PUT', '/v1/account/security', { json: { second_yes: all } });
  expect(on.status, on.text).toBe(200);
});
beforeEach(() => t.control('DELETE', '/faults'));
afterEach(() => t.control('DELETE', '/faults'));
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const theirs = { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' };
const put = (name: string, more: object = {}) => t.call('PUT', `/v1/domains/${name}/ns`, { form: theirs, ...more });
const approve = (id: string, as = other, more: object = {}) =>
  t.call('POST', `/v1/operations/${id}/approve`, { as, ...more });
const decline = (id: string, as = other) => t.call('POST', `/v1/operations/${id}/decline`, { as });
const read = async (id: string) => (await t.call('GET', `/v1/operations/${id}`)).body;
const atRegistry = async (name: string) => (await t.control('GET', `/domains/${name}`)).body;
const events = (id: string) =>
  t.ctx.db.as(allTenants).many<{ type: string; payload: Record<string, unknown> }>(sql`
    select type, payload from event where payload->>'operation_id' = ${id} order by number`);

async function requestChange(name: string): Promise<string> {
  await life.buy(name);
  const called = await put(name);
  expect(called.status, called.text).toBe(202);
  expect(called.body).toMatchObject({ operation_state: 'action_required', status: 'Pending', domain_name: name });
  expect(called.headers.get('location')).toBe(`/v1/operations/${called.body.operation_id}`);
  return called.body.operation_id as string;
}

test('does not let one key delete a domain and register it again with other nameservers', async () => {
  await life.buy('kept.com');
  const called = await t.call('DELETE', '/v1/domains/kept.com');
  expect(called.status, called.text).toBe(202);
  const id = called.body.operation_id as string;
  expect(await read(id)).toMatchObject({ state: 'action_required', approval: { change: 'delete' } });
  expect((await atRegistry('kept.com')).name).toBe('kept.com');
  expect((await t.call('POST', `/v1/operations/${id}/approve`)).status).toBe(409);
  const given = await approve(id);
  expect(given.status, given.text).toBe(200);
  expect(await read(id)).toMatchObject({ state: 'done', approval: { answer: 'given' } });
  expect((await t.call('GET', '/v1/domains/kept.com')).body.order_status).toBe('Deleted');
});

test('holds a change, emits an event with its choices, and carries it out when another key approves', async () => {
  const id = await requestChange('approved.com');
  expect((await atRegistry('approved.com')).name_servers ?? []).not.toContain('ns1.elsewhere.example');
  const { must_act, operation_id } = (await t.call('GET', '/v1/domains/approved.com/timeline')).body;
  expect({ who: must_act.who, operation_id }).toEqual({ who: 'reseller', operation_id: id });
  const waiting = await read(id);
  expect(waiting).toMatchObject({
    state: 'action_required',
    is_final: false,
    attention: { choices: ['approve', 'decline'] },
    approval: {
      change: 'nameservers',
      wanted: { nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] },
      answer: null,
    },
  });
  expect(waiting.attention.why).toContain('approval');
  expect((await events(id)).map((each) => each.type)).toEqual(['approval.requested']);
  const approved = await approve(id);
  expect(approved.status, approved.text).toBe(200);
  expect(approved.body).toMatchObject({ state: 'done', approval: { answer: 'given' }, attention: null });
  expect(approved.body.approval.answered_by).not.toBe(approved.body.approval.asked_by);
  expect((await events(id)).map((each) => each.type)).toEqual([
    'approval.requested',
    'approval.given',
    'domain.updated',
  ]);
  const ns = await t.call('GET', '/v1/domains/approved.com/ns');
  expect(JSON.stringify(ns.body)).toContain('ns1.elsewhere.example');
});

test.each([
  ['ds', 'POST', '/dnssec', { keytag: '7', algorithm: '13', digesttype: '2', digest: 'AB'.repeat(32) }],
  ['unlock', 'DELETE', '/theft_protection', undefined],
  ['auth_code', 'PUT', '/auth_code', { auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' }],
  ['nameservers', 'POST', '/childns', { hostname: 'ns1.NAME', ip_address: '192.0.2.9' }],
])('holds %s for approval: %s %s', async (change, method, path, form) => {
  const name = `each-${path.replace(/\W|_/g, '')}.com`;
  await life.buy(name);
  const given =
    form && Object.fromEntries(Object.entries(form).map(([key, text]) => [key, text.replace('NAME', name)]));
  const called = await t.call(method, `/v1/domains/${name}${path}`, given ? { form: given } : {});
  expect(called.status, called.text).toBe(202);
  const waiting = await read(called.body.operation_id);
  expect(waiting).toMatchObject({ state: 'action_required', approval: { change } });
  expect(JSON.stringify([called.body, waiting, await events(waiting.operation_id)])).not.toContain('xK7-pQ2mWz9');
  expect((await approve(waiting.operation_id)).body.state).toBe('done');
});

test('refuses a change that the lock forbids at once, and holds the removal of the lock for approval', async () => {
  await life.buy('locked-up.com');
  expect((await t.call('PUT', '/v1/domains/locked-up.com/locked')).status).toBe(200);
  expect((await put('locked-up.com')).body.code).toBe('domain_blocked');
  const off = await t.call('DELETE', '/v1/domains/locked-up.com/locked');
  expect(off.status).toBe(202);
  expect((await approve(off.body.operation_id)).body.state).toBe('done');
  expect((await t.call('PUT', '/v1/domains/locked-up.com/theft_protection')).status).toBe(200);
});

test('lets one key reject a change, including the requesting key', async () => {
  for (const [name, as] of [
    ['rejected-by-other.com', other],
    ['rejected-by-requester.com', t.demo],
  ] as const) {
    const id = await requestChange(name);
    expect((await t.call('POST', `/v1/operations/${id}/cancel`)).status).toBe(409);
    const declined = await decline(id, as);
    expect(declined.body).toMatchObject({ state: 'cancelled', is_final: true, approval: { answer: 'declined' } });
    expect((await events(id)).map((each) => each.type)).toEqual(['approval.requested', 'approval.declined']);
    expect((await approve(id)).status).toBe(409);
  }
});

describe('an approval', () => {
  test('is refused for the same key, its descendants, and a key that was created after the request', async () => {
    const child = async (as: string) =>
      `1000:${(await t.call('POST', '/v1/account/keys', { json: { label: 'child', ip_whitelist: ['127.0.0.1'] }, as })).body.api_key}`;
    const early = await child(t.demo);
    const grandchild = await child(early);
    const id = await requestChange('one-principal.com');
    const late = await keyFor(t, '1000');
    for (const as of [t.demo, early, grandchild, late]) {
      const tried = await approve(id, as);
      expect(tried.status, tried.text).toBe(409);
      expect(tried.body.message).toContain('another key');
    }
    expect((await read(id)).state).toBe('action_required');
    // The parent key cannot approve what a child key requested.
    await life.buy('child-request.com');
    const up = await put('child-request.com', { as: early });
    expect((await approve(up.body.operation_id, t.demo)).status).toBe(409);
    expect((await approve(id)).body.state).toBe('done');
  });

  test('is refused for keys that were rotated by or from the requesting key, and for their descendants', async () => {
    const victim = await keyFor(t, '1000');
    const made = await t.call('POST', '/v1/account/keys', {
      json: { label: 'v', ip_whitelist: ['127.0.0.1'] },
      as: victim,
    });
    const family = `1000:${made.body.api_key}`;
    const keys = (await t.call('GET', '/v1/account/keys', { as: victim })).body as { key_id: string; hint: string }[];
    const { key_id } = keys.find((key) => victim.includes(key.hint.replace('...', '')))!;
    const thief = await keyFor(t, '1000');
    const rotated = await t.call('POST', `/v1/account/keys/${key_id}/rotate`, { json: {}, as: thief });
    expect(rotated.status, rotated.text).toBe(200);
    await life.buy('rotated.com');
    const id = (await put('rotated.com', { as: thief })).body.operation_id as string;
    for (const as of [`1000:${rotated.body.api_key}`, victim, family]) {
      expect((await approve(id, as)).status, 'by a rotated key').toBe(409);
    }
    // The old secret of the rotated key, and a key that it made before: the same principal.
    const back = (await put('rotated.com', { as: family })).body.operation_id as string;
    expect((await approve(back, victim)).status).toBe(409);
    expect((await approve(id)).body.state).toBe('done');
  });

  test('is refused for a key without the scope of the change', async () => {
    const id = await requestChange('scopes.com');
    for (const scopes of [['domains:read'], ['domains:auth_code'], ['dns:write', 'account:write']]) {
      const weak = await keyFor(t, '1000', scopes);
      expect((await approve(id, weak)).body.code).toBe('scope_missing');
      expect((await decline(id, weak)).body.code).toBe('scope_missing');
    }
    expect((await read(id)).state).toBe('action_required');
  });
});

test('can no longer be approved after the requesting key was revoked, only declined', async () => {
  const create = async (as: string) =>
    (await t.call('POST', '/v1/account/keys', { json: { label: 'thief', ip_whitelist: ['127.0.0.1'] }, as })).body;
  const thief = await create(t.demo);
  const issued = await create(`1000:${thief.api_key}`);
  await life.buy('asked-by-thief.com');
  const id = (await put('asked-by-thief.com', { as: `1000:${issued.api_key}` })).body.operation_id as string;
  const kept = await requestChange('asked-by-owner.com');
  expect((await read(id)).approval.requester_revoked).toBe(false);
  const query = { revoke_issued_keys: 'true' };
  const revoked = await t.call('DELETE', `/v1/account/keys/${thief.key_id}`, { query });
  expect(revoked.body.waiting_operations).toEqual([id]);
  const tried = await approve(id);
  expect([tried.status, tried.body.code]).toEqual([409, 'conflict']);
  expect(tried.body.message).toContain('Decline it');
  const list = await t.call('GET', '/v1/operations', { query: { state: 'action_required' } });
  const waiting = (list.body.operations ?? list.body) as { operation_id: string }[];
  expect(waiting.find((each) => each.operation_id === id)).toMatchObject({
    approval: { requester_revoked: true },
    attention: { choices: ['decline'] },
  });
  expect((await decline(id)).body.state).toBe('cancelled');
  expect((await read(kept)).approval.requester_revoked).toBe(false);
  expect((await approve(kept)).body.state).toBe('done');
});

test('can no longer be approved after the requesting user was removed', async () => {
  const owner = await openSession(t, '1000');
  const session = await openSession(t, '1000', { role: 'staff', scopes: ['domains:write'] });
  await life.buy('asked-by-user.com');
  const id = (await put('asked-by-user.com', { session })).body.operation_id as string;
  const { person } = (await t.call('GET', '/v1/session', { session })).body;
  const removed = await t.call('DELETE', `/v1/people/${person.person_id}`, { session: owner });
  expect(removed.status, removed.text).toBe(200);
  const tried = await approve(id);
  expect(tried.status).toBe(409);
  expect(tried.body.message).toContain('Decline it');
  expect((await decline(id)).body.state).toBe('cancelled');
});

test('returns 404 for the operation to another reseller and to the parent', async () => {
  const id = await requestChange('strangers.com');
  const missing = 'op_06zzzzzzzzzzzzzzzzzzzzzzzz';
  for (const as of [await makeReseller(t), t.operator]) {
    for (const verb of ['approve', 'decline']) {
      const refused = await t.call('POST', `/v1/operations/${id}/${verb}`, { as });
      const none = await t.call('POST', `/v1/operations/${missing}/${verb}`, { as });
      const plain = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
      expect(refused.status).toBe(404);
      expect(plain(refused.text)).toBe(plain(none.text));
    }
  }
});

test('carries out the change once for two concurrent approvals', async () => {
  const id = await requestChange('at-once.com');
  const both = await Promise.all([approve(id), approve(id)]);
  expect(both.map((each) => each.status).sort()).toEqual([200, 409]);
  expect((await events(id)).filter((each) => each.type === 'approval.given')).toHaveLength(1);
});

test('cancels an unanswered change after its expiry, emits an event, and refuses a later approval', async () => {
  const id = await requestChange('late.com');
  t.moveClock('+73h');
  const late = await approve(id);
  expect(late.status).toBe(409);
  expect(late.body.message).toContain('in time');
  expect((await read(id)).state).toBe('action_required');
  await expireApprovals(t.ctx);
  expect(await read(id)).toMatchObject({ state: 'cancelled', approval: { answer: 'lapsed', answered_by: null } });
  expect((await events(id)).map((each) => each.type)).toEqual(['approval.requested', 'approval.lapsed']);
  expect((await approve(id)).status).toBe(409);
});

test('allows renewals and comparisons of the domain while a change waits for approval', async () => {
  const id = await requestChange('busy.com');
  expect((await life.renew('busy.com')).status).toBe(200);
  expect((await t.call('PUT', '/v1/domains/busy.com/watched')).status).toBe(200);
  await t.control('POST', '/domains/busy.com/tamper', { name_servers: ['ns1.thief.example', 'ns2.thief.example'] });
  t.moveClock('+20m');
  await compareWatched(t.ctx);
  expect(await life.events('busy.com')).toContain('domain.drift');
  const row = await t.call('GET', '/v1/domains', { query: { domain_name: 'busy.com' } });
  expect(row.headers.get('x-total-count')).toBe('1');
  // Two wait; while the first runs, the second continues to wait.
  const second = (await put('busy.com')).body.operation_id as string;
  await t.control('POST', '/faults', {
    kind: '2400',
    commands: ['domain:update'],
    name: 'busy.com',
    rate: 1,
    when: 'before',
  });
  expect((await approve(id, other, { headers: { Prefer: 'respond-async' } })).status).toBe(200);
  const blocked = await approve(second);
  expect(blocked.body).toMatchObject({ code: 'operation_in_progress', operation_id: id });
  expect((await read(second)).state).toBe('action_required');
});

test('refuses an approval when the domain was locked after the request', async () => {
  const id = await requestChange('locked-since.com');
  expect((await t.call('PUT', '/v1/domains/locked-since.com/locked')).status).toBe(200);
  expect((await approve(id)).body.code).toBe('domain_blocked');
  expect((await read(id)).state).toBe('action_required');
});

test('refuses an approval when the child nameserver was changed after the request', async () => {
  await life.buy('glue.com');
  const add = (ip: string) =>
    t.call('POST', '/v1/domains/glue.com/childns', { form: { hostname: 'ns1.glue.com', ip_address: ip } });
  const [first, second] = [await add('192.0.2.1'), await add('192.0.2.2')];
  expect((await approve(first.body.operation_id)).body.state).toBe('done');
  const stale = await approve(second.body.operation_id);
  expect(stale.status).toBe(409);
  expect(stale.body.message).toContain('changed after this change was requested');
});

test('does not let the operator settle a waiting change, and raises no alarm for it', async () => {
  const id = await requestChange('not-yours.com');
  const settle = (decision: string) =>
    t.call('POST', `/v1/operator/operations/${id}/settle`, { json: { decision, reason: 'x' }, as: t.operator });
  for (const decision of ['done', 'refused', 'ask_again']) expect((await settle(decision)).status).toBe(409);
  const open = await operationsForAttention(t.ctx.db.as(allTenants), 100);
  expect(open.map((each) => each.id)).not.toContain(id);
  expect((await read(id)).state).toBe('action_required');
});

test('creates one request for a repeated Idempotency-Key and returns its current state', async () => {
  await life.buy('again.com');
  const headers = { 'Idempotency-Key': 'ns-of-again' };
  const first = await put('again.com', { headers });
  const again = await put('again.com', { headers });
  expect(again.body.operation_id).toBe(first.body.operation_id);
  expect(again.status).toBe(202);
  const approveHeaders = { 'Idempotency-Key': 'approve-again' };
  expect((await approve(first.body.operation_id, other, { headers: approveHeaders })).status).toBe(200);
  const replayed = await approve(first.body.operation_id, other, { headers: approveHeaders });
  expect(replayed.status).toBe(200);
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect((await put('again.com', { headers })).body).toMatchObject({ ns1: 'ns1.elsewhere.example' });
});

test('refuses more than 20 waiting changes of one principal, and accepts those of another', async () => {
  await life.buy('often.com');
  const tried = [];
  for (let count = 0; count < 21; count++) tried.push((await put('often.com')).status);
  expect(tried).toEqual([...Array(20).fill(202), 409]);
  // A principal that uses all its places takes none of another's.
  expect((await put('often.com', { as: other })).status).toBe(202);
});

describe('moving a domain to another customer', () => {
  const customer = async (as?: string) => {
    const id = await makeCustomer(t, as);
    return { id, session: await openCustomerSession(t, '1000', id, 'manage', as) };
  };
  const move = (name: string, to: string, as?: string) =>
    t.call('POST', `/v1/domains/${name}/move`, {
      form: {
        existing_customer_id: '2001',
        new_reseller_id: '1000',
        new_customer_id: to,
        default_contacts: 'oldcontact',
      },
      ...(as ? { as } : {}),
    });

  test('waits for approval when any kind of change is protected', async () => {
    await life.buy('moved-within.com');
    const to = await customer();
    const called = await move('moved-within.com', to.id);
    expect(called.status, called.text).toBe(202);
    const id = called.body.operation_id as string;
    expect(await read(id)).toMatchObject({ state: 'action_required', approval: { change: 'move' } });
    expect((await t.call('GET', '/v1/moves')).text).not.toContain(id);
    expect((await t.call('GET', '/v1/domains/moved-within.com')).body.customer_id).toBe('2001');
    expect((await t.call('POST', `/v1/operations/${id}/approve`)).status).toBe(409);
    expect((await approve(id)).body).toMatchObject({ state: 'done', approval: { answer: 'given' } });
    expect((await t.call('GET', '/v1/domains/moved-within.com')).body.customer_id).toBe(to.id);
    expect((await events(id)).map(({ type }) => type)).toEqual([
      'approval.requested',
      'approval.given',
      'domain.moved',
    ]);
  });

  test('prevents the requesting principal from approving later changes of the domain', async () => {
    await life.buy('moved-and-changed.com');
    const to = await customer(other);
    const moved = await move('moved-and-changed.com', to.id);
    expect((await approve(moved.body.operation_id)).body.state).toBe('done');
    const requested = await t.call('PUT', '/v1/domains/moved-and-changed.com/ns', {
      form: theirs,
      session: to.session,
    });
    expect(requested.status, requested.text).toBe(202);
    const { operation_id: id } = requested.body as { operation_id: string };
    const refused = await t.call('POST', `/v1/operations/${id}/approve`);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('You moved this domain')]);
    const third = await keyFor(t, '1000');
    // A key that existed before the request; a new one is no independent principal.
    expect((await approve(id, third)).status).toBe(409);
    expect((await read(id)).state).toBe('action_required');
  });
});

describe('reading an auth code', () => {
  const code = (as = t.demo) => t.call('GET', '/v1/domains/code.com/auth_code', { as });

  test('shows the code once after the approval, and only to the key that requested it', async () => {
    await life.buy('code.com');
    const reader = await keyFor(t, '1000', ['domains:auth_code']);
    const first = await code(reader);
    expect(first.status, first.text).toBe(202);
    expect((await code(reader)).body.operation_id).toBe(first.body.operation_id);
    const id = first.body.operation_id as string;
    const second = await keyFor(t, '1000', ['domains:auth_code']);
    expect((await approve(id, second)).status, 'a key created after the request').toBe(409);
    const approved = await approve(id);
    expect(approved.body.state).toBe('done');
    expect((await code(second)).status, 'another key cannot use the approval').toBe(202);
    const shown = await code(reader);
    expect(shown.status).toBe(200);
    expect(shown.body).toMatch(/^\S{16,}$/);
    const next = await code(reader);
    expect(next.status).toBe(202);
    expect(next.body.operation_id).not.toBe(id);
    const payloads = await t.ctx.db.as(allTenants).many(sql`select payload from event`);
    const audited = await t.ctx.db.as(allTenants).many(sql`select before, after from audit`);
    expect(JSON.stringify([approved.body, await read(id), payloads, audited])).not.toContain(shown.body);
  });

  test('requires a new approval one hour after the first', async () => {
    await life.buy('slow-code.com');
    const requestCode = () => t.call('GET', '/v1/domains/slow-code.com/auth_code');
    const id = (await requestCode()).body.operation_id as string;
    expect((await approve(id)).body.state).toBe('done');
    t.moveClock('+61m');
    expect((await requestCode()).status).toBe(202);
  });
});

describe('zone changes that would bypass an approval', () => {
  const name = 'zone-way.com';
  const patch = (rrsets: object[], more: object = {}) =>
    t.call('PATCH', `/v1/domains/${name}/zone/rrsets`, { json: { rrsets }, ...more });
  const thieves = { name: '@', type: 'NS', records: ['ns1.elsewhere.example.', 'ns2.elsewhere.example.'] };
  const put = (file: string) =>
    t.call('PUT', `/v1/domains/${name}/zone/file`, {
      raw: { type: 'text/dns', body: file },
      headers: { 'If-Match': '*' },
    });

  test('refuses NS records at the apex that differ from the approved delegation', async () => {
    await life.buy(name);
    const made = await patch([{ name: 'www', type: 'A', records: ['192.0.2.1'] }]);
    expect(made.status, made.text).toBe(200);
    const before = (await t.call('GET', `/v1/domains/${name}/zone/rrsets`)).body;
    const tries = [
      await patch([thieves]),
      await patch([thieves], { query: { dry_run: 'true' } }),
      await put(`@ 300 NS ns1.elsewhere.example.\nwww 300 A 192.0.2.1\n`),
      await t.call('POST', `/v1/domains/${name}/dns/ns`, { form: { hostname: '@', value: 'ns1.elsewhere.example' } }),
    ];
    for (const tried of tries) {
      expect(tried.status, tried.text).toBe(409);
      expect(tried.body).toMatchObject({ code: 'conflict', change: 'nameservers' });
    }
    expect((await t.call('GET', `/v1/domains/${name}/zone/rrsets`)).body).toEqual(before);
    // A delegation below the apex is a record like others.
    expect((await patch([{ ...thieves, name: 'branch' }])).status).toBe(200);
    const requested = await t.call('PUT', `/v1/domains/${name}/ns`, { form: theirs });
    expect((await patch([thieves])).status, 'requested but not approved').toBe(409);
    expect((await approve(requested.body.operation_id)).body.state).toBe('done');
    const accepted = await patch([thieves]);
    expect(accepted.status, accepted.text).toBe(200);
  });

  test('refuses CDS, CDNSKEY and CSYNC records, and other addresses for its own nameserver', async () => {
    const signed = `7 13 2 ${'AB'.repeat(32)}`;
    for (const [type, record, change] of [
      ['CDS', signed, 'ds'],
      ['CDNSKEY', `257 3 13 ${Buffer.alloc(64, 1).toString('base64')}`, 'ds'],
      ['CSYNC', '1 3 NS A', 'nameservers'],
    ]) {
      const tried = await patch([{ name: '@', type, records: [record] }]);
      expect(tried.status, tried.text).toBe(409);
      expect(tried.body.change).toBe(change);
    }
    const host = `ns1.${name}`;
    const child = await t.call('POST', `/v1/domains/${name}/childns`, {
      form: { hostname: host, ip_address: '192.0.2.53' },
    });
    expect((await approve(child.body.operation_id)).body.state).toBe('done');
    const requested = await t.call('PUT', `/v1/domains/${name}/ns`, { form: { ns: `${host},ns2.elsewhere.example` } });
    expect((await approve(requested.body.operation_id)).body.state).toBe('done');
    const address = (records: string[]) => patch([{ name: 'ns1', type: 'A', records }]);
    expect((await address(['192.0.2.66'])).status).toBe(409);
    expect((await address(['192.0.2.53'])).status).toBe(200);
  });
});
