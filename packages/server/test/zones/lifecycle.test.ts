import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertDomainRow, removeDomainRow } from '../../../../test/support/domain-row.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { schedulerFor } from '../../src/core/actors.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';
import { readDomain } from '../../src/core/tables/domain.sql.ts';
import { pruneJournal } from '../../src/core/zones/change/change.sql.ts';
import { zoneAtDelegation, zoneAtRegistration } from '../../src/core/zones/life/at-registration.ts';
import { guardDelegation } from '../../src/core/zones/life/guard-delegation.ts';
import { purgeZones, withdrawZones } from '../../src/core/zones/life/withdraw.ts';
import { overallState, publicationOf } from '../../src/core/zones/publish/publication.ts';
import { zoneHeadByName } from '../../src/core/zones/publish/zone-head.sql.ts';
import { findZone } from '../../src/core/zones/zone.sql.ts';
import { renderError } from '../../src/http/render-error.ts';
import { orderOf } from '../domains/life.ts';
import { makeDomain, patch, zoneOf, zoneRows } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_PARKING_ADDRESS: '192.0.2.80,2001:db8::80' } });
});
afterAll(async () => {
  expect((await verifyLedger(t.ctx.db)).differences).toEqual([]);
  expect(
    await countRows(
      t,
      'zone',
      sql`record_count <> (select coalesce(sum(cardinality(records)), 0) from zone_rrset r where r.zone_id = zone.id)`,
    ),
  ).toBe(0);
  await t.stop();
});

const zonePath = (id: string) => `/v1/domains/${id}/zone`;
const zoneRow = (id: string) =>
  t.ctx.db.as(allTenants).maybe<{ id: string; state: string; catalog_label: string; serial: string }>(sql`
    select id, state, catalog_label, serial from zone where domain_id = ${id}`);
const memberships = async (name: string) =>
  (
    await t.ctx.db
      .as(allTenants)
      .many<{ action: string }>(sql`select action from zone_membership where name = ${name} order by id`)
  ).map((row) => row.action);
const setDomain = (id: string, nameservers: string[], ds: object[] = []) =>
  t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update domain set nameservers = ${nameservers}, ds = ${JSON.stringify(ds)} where id = ${id}`),
  );
const ours = ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'];

async function register(name: string, more: Record<string, string> = {}): Promise<string> {
  const called = await t.call('POST', '/v1/domains', { form: orderOf(name, more) });
  expect(called.status, called.text).toBe(200);
  return called.body.domain_id as string;
}

describe('creation of a zone', () => {
  test('happens with the parking page when a domain is registered on our nameservers', async () => {
    const id = await register('parked.com');
    const zone = await zoneOf(t, id);
    expect(zone!.rrsets).toEqual([
      { name: 'parked.com.', type: 'A', ttl: 3600, records: ['192.0.2.80'] },
      { name: 'parked.com.', type: 'AAAA', ttl: 3600, records: ['2001:db8::80'] },
      { name: 'parked.com.', type: 'NS', ttl: 86400, records: ours.map((host) => `${host}.`) },
      { name: 'www.parked.com.', type: 'A', ttl: 3600, records: ['192.0.2.80'] },
      { name: 'www.parked.com.', type: 'AAAA', ttl: 3600, records: ['2001:db8::80'] },
    ]);
    expect((await t.call('GET', zonePath(id))).body.is_delegated).toBe(true);
    expect(await memberships('parked.com.')).toEqual(['join']);
    const { body } = await t.call('GET', `${zonePath(id)}/history`);
    expect(body[0]).toMatchObject({ kind: 'create' });
  });

  test('does not happen when a domain is registered on other nameservers', async () => {
    const id = await makeDomain(t, 'elsewhere.com');
    await setDomain(id, ['ns1.namehold-dns.net', 'ns1.example.net']);
    await t.ctx.db.transaction(allTenants, async (tx) => {
      const domain = await readDomain(tx, id);
      const actor = schedulerFor(domain, 'test');
      await zoneAtRegistration({ ctx: t.ctx, tx, actor, domain, isActivated: true });
    });
    expect(await zoneOf(t, id)).toBeUndefined();
  });

  test('may fail without failing the registration', async () => {
    const otherRegistrar = await makeReseller(t);
    const customerId = await makeCustomer(t, otherRegistrar);
    const child = await insertDomainRow(t, {
      resellerId: otherRegistrar.split(':')[0]!,
      customerId,
      name: 'below.blocked.com',
    });
    await patch(t, child, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }], { as: otherRegistrar });
    const id = await register('blocked.com');
    expect(await zoneOf(t, id)).toBeUndefined();
  });
});

describe('creation of a zone with a template of the account', () => {
  const setting = '/v1/account/zone_template';
  const choose = (json: object) => t.call('PUT', setting, { json });
  const kinds = async (id: string) =>
    ((await t.call('GET', `${zonePath(id)}/history`)).body as { kind: string; comment: string | null }[]).map(
      ({ kind, comment }) => [kind, comment],
    );
  const zoneEvents = async (id: string) =>
    (
      await t.ctx.db
        .as(allTenants)
        .many<{ type: string; payload: { reason?: string } }>(
          sql`select type, payload from event where object_type = 'zone' and object_id = ${id} and type <> 'zone.published' order by number`,
        )
    ).map(({ type, payload }) => [type, payload.reason]);
  const isPaid = (name: string) =>
    countRows(t, 'ledger_transaction', sql`status = 'completed' and description like ${`%${name}%`}`);

  test('applies it at registration and delegation to us, not at a first record', async () => {
    const chosen = await choose({ template_id: 'website', values: [{ name: 'ip', value: '192.0.2.7' }] });
    expect(chosen.body).toMatchObject({ template_id: 'website', name: 'Website at an address', problem: null });
    const id = await register('begun.com');
    const zone = await zoneOf(t, id);
    // Nothing of the parking page is left if the template has its own addresses.
    expect(zone!.rrsets).toEqual([
      { name: 'begun.com.', type: 'A', ttl: 3600, records: ['192.0.2.7'] },
      { name: 'begun.com.', type: 'NS', ttl: 86400, records: ours.map((host) => `${host}.`) },
      { name: 'www.begun.com.', type: 'CNAME', ttl: 3600, records: ['begun.com.'] },
    ]);
    expect(await kinds(id)).toEqual([
      ['template', 'Website at an address'],
      ['create', null],
    ]);
    expect((await zoneEvents(id)).map(([type]) => type)).toEqual(['zone.created', 'zone.changed']);
    expect(await isPaid('begun.com')).toBe(1);

    const late = await makeDomain(t, 'begun-late.com');
    await setDomain(late, ours);
    const delegate = () =>
      t.ctx.db.transaction(allTenants, async (tx) => {
        const domain = await readDomain(tx, late);
        await zoneAtDelegation({ ctx: t.ctx, tx, actor: schedulerFor(domain, 'test'), domain });
      });
    await delegate();
    expect((await zoneOf(t, late))!.rrsets).toHaveLength(3);
    // An existing zone stays as it is; one that is created again gets the template again.
    await patch(t, late, [{ name: '@', type: 'A', records: ['192.0.2.9'] }]);
    const { serial } = (await zoneOf(t, late))!;
    await delegate();
    expect((await zoneOf(t, late))!.serial).toBe(serial);
    await t.call('DELETE', zonePath(late), { query: { confirm: 'true' } });
    await delegate();
    expect((await zoneOf(t, late))!.rrsets[0]).toMatchObject({ type: 'A', records: ['192.0.2.7'] });

    const byHand = await makeDomain(t, 'begun-by-hand.com');
    await patch(t, byHand, [{ name: 'x', type: 'A', records: ['192.0.2.1'] }]);
    expect((await kinds(byHand)).map(([kind]) => kind)).toEqual(['change', 'create']);
    expect((await t.call('DELETE', setting)).body).toMatchObject({ template_id: null });
    expect((await zoneOf(t, await register('begun-plain.com')))!.rrsets).toHaveLength(5);
  });

  test('continues without a template that no longer fits, and reports it', async () => {
    const json = {
      name: 'Inherited start',
      is_shared: true,
      rrsets: [{ name: 'a', type: 'A', records: ['192.0.2.1'] }],
    };
    const made = await t.call('POST', '/v1/zone_templates', { json, as: t.operator });
    const path = `/v1/zone_templates/${made.body.template_id}`;
    expect((await choose({ template_id: made.body.template_id })).body).toMatchObject({ name: 'Inherited start' });
    const fits = await register('fits.com');
    expect((await zoneOf(t, fits))!.rrsets.map(({ name }) => name)).toContain('a.fits.com.');
    // The template above now requires a value; then it is deleted.
    const asks = {
      ...json,
      variables: [{ name: 'ip', kind: 'ipv4' }],
      rrsets: [{ name: 'a', type: 'A', records: ['{ip}'] }],
    };
    await t.call('PUT', path, { json: asks, as: t.operator, headers: { 'If-Match': '*' } });
    for (const [name, problem] of [
      ['asks.com', /\{ip\} is missing/],
      ['gone.com', /no longer exists/],
    ] as const) {
      expect((await t.call('GET', setting)).body.problem).toMatch(problem);
      const id = await register(`default-${name}`);
      expect((await zoneOf(t, id))!.rrsets).toHaveLength(5);
      expect(await zoneEvents(id)).toEqual([
        ['zone.created', undefined],
        ['zone.template_refused', expect.stringMatching(problem)],
      ]);
      expect(await isPaid(`default-${name}`)).toBe(1);
      await t.call('DELETE', path, { as: t.operator });
    }
    // Refused by the zone rules for this one domain.
    const odd = {
      name: 'Alias at the top',
      rrsets: [{ name: '{domain}', type: 'CNAME', records: ['elsewhere.example.net.'] }],
    };
    const saved = await t.call('POST', '/v1/zone_templates', { json: odd });
    await choose({ template_id: saved.body.template_id });
    const id = await register('alias-top.com');
    expect((await zoneEvents(id))[1]![0]).toBe('zone.template_refused');
    expect((await zoneOf(t, id))!.rrsets).toHaveLength(5);
    await t.call('DELETE', setting);
  });
});

describe('ownership of a zone', () => {
  test.each(['pending', 'pending_transfer'])('is refused for a domain that is %s', async (state) => {
    const id = await makeDomain(t);
    await t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update domain set state = ${state} where id = ${id}`));
    const called = await patch(t, id, [{ name: 'www', type: 'A', records: ['192.0.2.66'] }]);
    expect(called.status).toBe(409);
    expect(called.body).toMatchObject({ code: 'conflict', domain_state: state });
    const add = await t.call('POST', `/v1/domains/${id}/dns/ip`, { form: { value: '192.0.2.66' } });
    expect(add.status).toBe(409);
    expect(await zoneRow(id)).toBeUndefined();
  });

  test("is refused above or below another account's zone, and allowed below an own one", async () => {
    const otherRegistrar = await makeReseller(t);
    const [resellerId] = otherRegistrar.split(':') as [string];
    const customerId = await makeCustomer(t, otherRegistrar);
    const parent = await makeDomain(t, 'branch.com');
    await patch(t, parent, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
    const child = await insertDomainRow(t, { resellerId, customerId, name: 'leaf.branch.com' });
    const below = await patch(t, child, [{ name: 'a', type: 'A', records: ['192.0.2.66'] }], { as: otherRegistrar });
    expect(below.status).toBe(409);
    expect(below.body.message).toContain('belongs to another account');
    const own = await makeDomain(t, 'mine.branch.com');
    expect((await patch(t, own, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }])).status).toBe(200);
    const leaf = await makeDomain(t, 'deep.tree.com');
    await patch(t, leaf, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
    const top = await insertDomainRow(t, { resellerId, customerId, name: 'tree.com' });
    expect(
      (await patch(t, top, [{ name: 'a', type: 'A', records: ['192.0.2.66'] }], { as: otherRegistrar })).status,
    ).toBe(409);
    const similar = await insertDomainRow(t, { resellerId, customerId, name: 'notbranch.com' });
    expect(
      (await patch(t, similar, [{ name: 'a', type: 'A', records: ['192.0.2.66'] }], { as: otherRegistrar })).status,
    ).toBe(200);
  });

  test('is refused to one of two accounts that create a parent and a child zone concurrently', async () => {
    const otherRegistrar = await makeReseller(t);
    const [resellerId] = otherRegistrar.split(':') as [string];
    const customerId = await makeCustomer(t, otherRegistrar);
    for (let n = 0; n < 5; n++) {
      const parent = await makeDomain(t, `instant${n}.com`);
      const child = await insertDomainRow(t, { resellerId, customerId, name: `x.instant${n}.com` });
      const calls = await Promise.all([
        patch(t, parent, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]),
        patch(t, child, [{ name: 'a', type: 'A', records: ['192.0.2.2'] }], { as: otherRegistrar }),
      ]);
      expect(calls.map((call) => call.status).sort()).toEqual([200, 409]);
    }
  });

  test('starts empty at a higher serial, without the old zone, for a domain of a new account', async () => {
    const otherRegistrar = await makeReseller(t);
    const [resellerId] = otherRegistrar.split(':') as [string];
    const customerId = await makeCustomer(t, otherRegistrar);
    const first = await makeDomain(t, 'returns.com');
    const old = await patch(t, first, [{ name: 'secret', type: 'TXT', records: ['of the first holder'] }]);
    await removeDomainRow(t, first);
    const second = await insertDomainRow(t, { resellerId, customerId, name: 'returns.com' });
    const made = await patch(t, second, [{ name: 'www', type: 'A', records: ['192.0.2.1'] }], { as: otherRegistrar });
    expect(made.status, made.text).toBe(200);
    expect(made.body.serial).toBeGreaterThan(old.body.serial);
    const rrsets = await t.call('GET', `${zonePath(second)}/rrsets`, { as: otherRegistrar });
    expect(rrsets.text).not.toContain('first holder');
    expect((await zoneRow(first))!.state).toBe('withdrawn');
    expect(
      await countRows(t, 'event', sql`type = 'zone.withdrawn' and object_id = ${first} and reseller_id = 1000`),
    ).toBe(1);
    expect(await memberships('returns.com.')).toEqual(['join', 'leave', 'join']);
    const write = await patch(t, first, [{ name: 'www', type: 'A', records: ['192.0.2.66'] }]);
    expect(write.status).toBe(409);
    const back = await t.call('POST', `${zonePath(first)}/rollback`, { json: { serial: old.body.serial } });
    expect(back.status).toBe(409);
  });

  test('is protected by row-level security', async () => {
    const id = await makeDomain(t, 'wall.com');
    await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
    const otherRegistrar = (await makeReseller(t)).split(':')[0]!;
    for (const table of ['zone', 'zone_rrset', 'zone_change', 'zone_publication']) {
      const { n } = await t.ctx.db
        .as(otherRegistrar)
        .one<{ n: number }>(sql`select count(*)::integer as n from ${sql.raw(table)}`);
      expect(n, table).toBe(0);
    }
    // It contains every zone, so a request may only add to it.
    await expect(t.ctx.db.as(otherRegistrar).many(sql`select id from zone_membership`)).rejects.toMatchObject({
      code: '42501',
    });
  });
});

describe('end of a zone', () => {
  test('requires confirm=true while it is delegated to us, and can be rolled back', async () => {
    const id = await makeDomain(t, 'gone.com');
    await setDomain(id, ours);
    const { body } = await patch(t, id, [{ name: 'keep', type: 'A', records: ['192.0.2.1'] }]);
    const before = await zoneOf(t, id);
    const blocked = await t.call('DELETE', zonePath(id));
    expect(blocked.status).toBe(409);
    expect(blocked.body).toMatchObject({ code: 'conflict', nameservers: ours });
    expect((await zoneRow(id))!.state).toBe('active');
    const stale = await t.call('DELETE', zonePath(id), { query: { confirm: 'true' }, headers: { 'If-Match': '"1"' } });
    expect(stale.status).toBe(412);
    const confirmed = await t.call('DELETE', zonePath(id), { query: { confirm: 'true' } });
    expect(confirmed.status, confirmed.text).toBe(200);
    expect(confirmed.body).toMatchObject({ deleted: true, serial: body.serial });
    expect((await t.call('GET', zonePath(id))).status).toBe(404);
    expect((await t.call('GET', `/v1/domains/${id}/dns/ip`)).body).toEqual([]);
    expect(await zoneHeadByName(t.ctx.db.as(allTenants), 'gone.com.')).toBeUndefined();
    expect((await t.call('DELETE', zonePath(id), { query: { confirm: 'true' } })).status).toBe(404);
    const back = await t.call('POST', `${zonePath(id)}/rollback`, { json: { serial: body.serial } });
    expect(back.status, back.text).toBe(200);
    const after = await zoneOf(t, id);
    expect(after!.rrsets).toEqual(before!.rrsets);
    expect(after!.serial).toBeGreaterThan(body.serial);
    expect(await memberships('gone.com.')).toEqual(['join', 'leave', 'join']);
  });

  test('is immediate if it is not delegated to us, and the next record starts it again', async () => {
    const id = await makeDomain(t, 'anew.com');
    const { body } = await patch(t, id, [{ name: 'old', type: 'A', records: ['192.0.2.1'] }]);
    expect((await t.call('DELETE', zonePath(id))).status).toBe(200);
    const again = await patch(t, id, [{ name: 'new', type: 'A', records: ['192.0.2.2'] }]);
    expect(again.body.serial).toBeGreaterThan(body.serial);
    expect((await zoneOf(t, id))!.rrsets.map((set) => set.name)).not.toContain('old.anew.com.');
    const rolled = await t.call('POST', `${zonePath(id)}/rollback`, { json: { serial: body.serial } });
    expect(rolled.status).toBe(200);
    expect((await zoneOf(t, id))!.rrsets.map((set) => set.name)).toContain('old.anew.com.');
  });

  test('follows a grace time after the domain leaves: withdrawn, then purged', async () => {
    const id = await makeDomain(t, 'left.com');
    await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
    await removeDomainRow(t, id);
    expect(await withdrawZones(t.ctx)).toBe(0);
    t.moveClock('+6d');
    await withdrawZones(t.ctx);
    expect((await zoneRow(id))!.state).toBe('active');
    t.moveClock('+2d');
    await withdrawZones(t.ctx);
    expect((await zoneRow(id))!.state).toBe('withdrawn');
    expect(await memberships('left.com.')).toEqual(['join', 'leave']);
    const event = await t.ctx.db
      .as(allTenants)
      .maybe(sql`select from event where type = 'zone.withdrawn' and object_id = ${id}`);
    expect(event).toBeDefined();
    t.moveClock('+29d');
    await purgeZones(t.ctx);
    expect(await zoneRow(id)).toBeDefined();
    t.moveClock('+2d');
    await purgeZones(t.ctx);
    expect(await zoneRow(id)).toBeUndefined();
    expect(await countRows(t, 'zone_rrset', sql`not exists (select from zone z where z.id = zone_id)`)).toBe(0);
  });

  test('deletes old changes, but never the newest', async () => {
    const id = await makeDomain(t, 'journal.com');
    for (let n = 0; n < 3; n++) await patch(t, id, [{ name: 'a', type: 'A', records: [`192.0.2.${n}`] }]);
    const { id: zoneId } = (await zoneRow(id))!;
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        insert into zone_change (zone_id, reseller_id, serial_from, serial_to, kind, at, soa_to, deleted, added)
        select ${zoneId}, 1000, n, n + 1, 'change', now() - interval '1 day', '', '[]', '[]' from generate_series(1, 120) n`),
    );
    const prune = (before: Date) => t.ctx.db.transaction(allTenants, (tx) => pruneJournal(tx, zoneId, before, 100));
    expect(await prune(new Date(Date.now() - 90 * 86_400_000))).toBe(0);
    expect(await prune(new Date(Date.now() + 1_000))).toBe(24);
    expect(await countRows(t, 'zone_change', sql`zone_id = ${zoneId}`)).toBe(100);
  });
});

describe('nameserver changes and DS', () => {
  const ds = [{ keytag: 12345, algorithm: 13, digesttype: 2, digest: 'ab'.repeat(32) }];
  const guard = async (id: string, nameservers: string[], isForced = false) => {
    const db = t.ctx.db.as(allTenants);
    return guardDelegation({ ctx: t.ctx, db, domain: await readDomain(db, id), nameservers, isForced });
  };

  test('refuse nameservers that may lack the keys, unless forced', async () => {
    const id = await makeDomain(t, 'signed.com');
    await setDomain(id, ['ns1.example.net', 'ns2.example.net'], ds);
    const refused = await guard(id, ours).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'domain_blocked' });
    expect(renderError(refused, 'req_1').body.message).toContain(
      `remove the DS records first: send force=true, or DELETE /v1/domains/${id}/dnssec/12345/13/2/${'ab'.repeat(32)}`,
    );
    await expect(guard(id, ['ns1.example.net', 'ns3.example.org'])).rejects.toMatchObject({ code: 'domain_blocked' });
    await expect(guard(id, ours, true)).resolves.toBeUndefined();
    await expect(guard(id, ['ns1.example.net'])).resolves.toBeUndefined();
    await setDomain(id, ['ns1.example.net', 'ns2.example.net']);
    await expect(guard(id, ours)).resolves.toBeUndefined();
  });

  test('accept a zone of ours that holds the key of the DS', async () => {
    // RFC 4034 5.4: dskey.example.com, key tag 60485, SHA-1.
    const key =
      'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==';
    const id = await makeDomain(t, 'dskey.example.com');
    await setDomain(
      id,
      ['ns1.example.net'],
      [{ keytag: 60485, algorithm: 5, digesttype: 1, digest: '2BB183AF5F22588179A53B0A98631FAD1A292118' }],
    );
    const put = await patch(t, id, [{ name: '@', type: 'DNSKEY', records: [`256 3 5 ${key}`] }]);
    expect(put.status, put.text).toBe(200);
    await expect(guard(id, ours)).resolves.toBeUndefined();
    await expect(guard(id, ['ns9.example.org'])).rejects.toMatchObject({ code: 'domain_blocked' });
    // The last key that the DS names stays until the DS is removed; beside others, and with another TTL, it may be written.
    const other = `257 3 13 ${'A'.repeat(86)}==`;
    const more = await patch(t, id, [{ name: '@', type: 'DNSKEY', ttl: 60, records: [`256 3 5 ${key}`, other] }]);
    expect(more.status, more.text).toBe(200);
    const before = await zoneRows(t);
    for (const records of [[], [other]]) {
      const blocked = await patch(t, id, [{ name: '@', type: 'DNSKEY', records }]);
      expect(blocked.body).toMatchObject({ code: 'conflict', ds: [{ keytag: 60485 }] });
      expect(blocked.body.message).toContain('Remove the DS record first');
    }
    expect(await zoneRows(t)).toEqual(before);
    await setDomain(id, ours);
    expect((await patch(t, id, [{ name: '@', type: 'DNSKEY', records: [] }])).status).toBe(200);
  });

  test('are checked by the operation that sets nameservers', async () => {
    const id = await register('anchored.com');
    const added = await t.call('POST', `/v1/domains/${id}/dnssec`, {
      form: { keytag: '12345', algorithm: '13', digesttype: '2', digest: 'ab'.repeat(32) },
    });
    expect(added.status, added.text).toBe(200);
    const ns = 'ns1.elsewhere.example,ns2.elsewhere.example';
    const blocked = await t.call('PUT', `/v1/domains/${id}/ns`, { form: { ns } });
    expect(blocked.status).toBe(400);
    expect(blocked.body).toMatchObject({ code: 'domain_blocked', nameservers: ns.split(',') });
    const forced = await t.call('PUT', `/v1/domains/${id}/ns`, { form: { ns, force: 'true' } });
    expect(forced.body.code, forced.text).not.toBe('domain_blocked');
  });

  test('keep the zone', async () => {
    const id = await makeDomain(t, 'survives.com');
    await setDomain(id, ours);
    await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
    await setDomain(id, ['ns1.example.net']);
    expect((await zoneOf(t, id))!.rrsets.map((set) => set.name)).toContain('a.survives.com.');
    expect((await t.call('GET', zonePath(id))).body.is_delegated).toBe(false);
  });
});

test('returns the publication status of a change for each nameserver', async () => {
  const id = await makeDomain(t, 'published.com');
  const { body: made } = await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
  const zone = (await findZone(t.ctx.db.as('1000'), '1000', id))!;
  const undone = new Error('undone');
  // In a transaction that is rolled back, because the watcher must not query nameservers that do not exist.
  const looking = t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`
      insert into nameserver (id, engine, address, port, created_at)
      values ('knot1', 'knot', '127.0.0.1', 5301, now()), ('nsd1', 'nsd', '127.0.0.1', 5302, now()), ('new1', 'bind', '127.0.0.1', 5303, now()),
             ('old1', 'bind', '127.0.0.1', 5304, now())`);
    await tx.run(sql`
      insert into zone_publication (zone_id, nameserver_id, reseller_id, serial, published_at, checked_at, error)
      values (${zone.id}, 'knot1', 1000, ${made.serial}, now(), now(), null),
             (${zone.id}, 'nsd1', 1000, ${made.serial - 1}, now(), now(), 'no answer in 2 s'),
             (${zone.id}, 'old1', 1000, ${made.serial - 1}, now(), now(), null)`);
    const all = await publicationOf(tx, zone, new Date());
    const seen = Object.fromEntries(all.map((one) => [one.name, one]));
    expect(seen.knot1).toMatchObject({ state: 'published', serial: made.serial });
    expect(seen.knot1!.lagMs).toBeGreaterThanOrEqual(0);
    expect(seen.new1).toMatchObject({ state: 'unknown', serial: null });
    expect(seen.nsd1).toMatchObject({ state: 'unreachable', error: 'no answer in 2 s', publishedAt: null });
    expect(seen.old1).toMatchObject({ state: 'behind', serial: made.serial - 1 });
    expect(overallState(all)).toBe('unreachable');
    expect(overallState([seen.knot1!])).toBe('published');
    throw undone;
  });
  await expect(looking).rejects.toBe(undone);
  const { body } = await t.call('GET', zonePath(id));
  expect(body.publication.nameservers).toBeInstanceOf(Array);
});
