import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { makeDomain, patch, zoneOf, zoneRows } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const zonePath = (id: string) => `/v1/domains/${id}/zone`;

describe('RRsets', () => {
  test('create a zone with the first record: our nameservers, a time-based serial, a journal', async () => {
    const id = await makeDomain(t, 'begin.com');
    expect((await t.call('GET', zonePath(id))).status).toBe(404);
    const made = await patch(t, id, [{ name: 'www', type: 'a', records: ['192.0.2.1'] }]);
    expect(made.status, made.text).toBe(200);
    expect(made.body).toMatchObject({ is_changed: true, dry_run: false, deleted: [] });
    expect(made.body.added).toEqual([{ name: 'www.begin.com.', type: 'A', ttl: 3600, records: ['192.0.2.1'] }]);
    const read = await t.call('GET', zonePath(id));
    expect(read.body).toMatchObject({
      name: 'begin.com.',
      serial: made.body.serial,
      record_count: 3,
      is_delegated: false,
      soa: { mname: 'ns1.namehold-dns.net.', rname: 'hostmaster.begin.com.' },
    });
    expect(read.headers.get('etag')).toBe(`"${made.body.serial}"`);
    expect(Math.abs(made.body.serial - Date.now() / 1000)).toBeLessThan(60);
    const page = await t.call('GET', `${zonePath(id)}/rrsets`);
    expect(page.body.rrsets.map((set: { type: string }) => set.type)).toEqual(['SOA', 'NS', 'A']);
    const event = await t.ctx.db.as(allTenants).many<{ type: string; payload: object }>(sql`
      select type, payload from event where object_type = 'zone' and object_id = ${id} and type in ('zone.created', 'zone.changed') order by number`);
    expect(event.map((one) => one.type)).toEqual(['zone.created', 'zone.changed']);
    expect(event[1]!.payload).toMatchObject({
      domain_name: 'begin.com',
      serial: made.body.serial,
      added: 1,
      deleted: 0,
    });
  });

  test('are changed under one serial, and a repeated request changes nothing', async () => {
    const id = await makeDomain(t, 'many.com');
    const edits = [
      { name: '@', type: 'A', ttl: 300, records: ['192.0.2.1', '192.0.2.2'] },
      { name: '@', type: 'HTTPS', records: ['1 . alpn=h2,h3'] },
      { name: '_dmarc', type: 'TXT', records: ['v=DMARC1; p=none'] },
      { name: '@', type: 'CAA', records: ['0 issue "ca.example.net"'] },
      { name: 'sub', type: 'NS', records: ['ns1.example.net', 'ns2.example.net'] },
      { name: 'sub', type: 'DS', records: [`12345 13 2 ${'ab'.repeat(32)}`] },
      { name: '_443._tcp.www', type: 'TLSA', records: [`3 1 1 ${'cd'.repeat(32)}`] },
      { name: 'x', type: 'TYPE65280', records: ['\\# 2 ABCD'] },
    ];
    const first = await patch(t, id, edits, { body: { comment: 'first light' } });
    expect(first.status, first.text).toBe(200);
    const same = await patch(t, id, edits);
    expect(same.body).toMatchObject({ is_changed: false, serial: first.body.serial, added: [], deleted: [] });
    const { body: history } = await t.call('GET', `${zonePath(id)}/history`);
    expect(history).toHaveLength(2);
    expect(history[0]).toMatchObject({ kind: 'change', comment: 'first light', added_count: 10, deleted_count: 0 });
    expect(history[0].actor.key_id).toMatch(/^key_/);
    expect(history[1]).toMatchObject({ kind: 'create', previous_serial: null });
  });

  test('are replaced, added, removed and deleted, and a new TTL applies to the whole set', async () => {
    const id = await makeDomain(t, 'verbs.com');
    await patch(t, id, [{ name: 'a', type: 'TXT', records: ['one', 'two'] }]);
    const added = await patch(t, id, [{ name: 'a', type: 'TXT', action: 'add', records: ['three', 'two'] }]);
    expect(added.body.added).toEqual([{ name: 'a.verbs.com.', type: 'TXT', ttl: 3600, records: ['"three"'] }]);
    const removed = await patch(t, id, [{ name: 'a', type: 'TXT', action: 'remove', records: ['one', 'never there'] }]);
    expect(removed.body.deleted).toEqual([{ name: 'a.verbs.com.', type: 'TXT', ttl: 3600, records: ['"one"'] }]);
    const slower = await patch(t, id, [{ name: 'a', type: 'TXT', ttl: 60, action: 'add', records: ['two'] }]);
    expect(slower.body.deleted[0].records).toHaveLength(2);
    expect(slower.body.added[0]).toMatchObject({ ttl: 60 });
    const gone = await patch(t, id, [{ name: 'a', type: 'TXT', action: 'delete' }]);
    expect(gone.body.deleted[0].records).toHaveLength(2);
    const nothing = await patch(t, id, [{ name: 'a', type: 'TXT', records: [] }]);
    expect(nothing.body.is_changed).toBe(false);
  });

  test('takes mailbox and timers of the SOA from the owner and the serial from the service', async () => {
    const id = await makeDomain(t, 'soa.com');
    const changed = await patch(t, id, [
      { name: '@', type: 'SOA', records: ['foreign.example.net. dns.soa.com. 7 7200 3600 1209600 300'] },
    ]);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body.warnings[0].reason).toContain('serial');
    const { body } = await t.call('GET', zonePath(id));
    expect(body.soa).toEqual({
      mname: 'ns1.namehold-dns.net.',
      rname: 'dns.soa.com.',
      refresh: 7200,
      retry: 3600,
      expire: 1209600,
      minimum: 300,
    });
    expect(body.serial).toBe(changed.body.serial);
    expect(body.serial).toBeGreaterThan(1_000_000);
  });

  test('accept only the serial in If-Match, and 412 returns the present state', async () => {
    const id = await makeDomain(t, 'match.com');
    const none = await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }], {
      headers: { 'If-Match': '*' },
    });
    expect(none.status).toBe(412);
    expect(none.body.present).toEqual({ serial: null, rrsets: [] });
    const first = await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }]);
    const right = { headers: { 'If-Match': first.headers.get('etag')! } };
    const second = await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.2'] }], right);
    expect(second.status).toBe(200);
    const late = await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.3'] }], right);
    expect(late.status).toBe(412);
    expect(late.body.code).toBe('precondition_failed');
    expect(late.body.present.serial).toBe(second.body.serial);
    expect(late.body.present.rrsets).toEqual([{ name: 'w.match.com.', type: 'A', ttl: 3600, records: ['192.0.2.2'] }]);
    expect(late.headers.get('etag')).toBe(`"${second.body.serial}"`);
  });

  test('succeed in twenty concurrent changes of one zone, each with its own serial', async () => {
    const id = await makeDomain(t, 'race.com');
    const calls = await Promise.all(
      Array.from({ length: 20 }, (_, n) => patch(t, id, [{ name: `h${n}`, type: 'A', records: [`192.0.2.${n}`] }])),
    );
    expect(calls.map((call) => call.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(calls.map((call) => call.body.serial)).size).toBe(20);
    const zone = await zoneOf(t, id);
    expect(zone!.rrsets.filter((set) => set.type === 'A')).toHaveLength(20);
    expect(zone!.serial).toBe(Math.max(...calls.map((call) => call.body.serial as number)));
    const chain = await t.ctx.db.as(allTenants).many<{ serial_from: string | null; serial_to: string }>(sql`
      select c.serial_from, c.serial_to from zone_change c join zone z on z.id = c.zone_id where z.domain_id = ${id} order by c.id`);
    for (const [at, change] of chain.entries())
      expect(change.serial_from).toBe(at === 0 ? null : chain[at - 1]!.serial_to);
    const lost = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        patch(t, id, [{ name: 'one', type: 'A', records: [`192.0.2.${n}`] }], {
          headers: { 'If-Match': `"${zone!.serial}"` },
        }),
      ),
    );
    expect(lost.filter((call) => call.status === 200)).toHaveLength(1);
    expect(lost.filter((call) => call.status === 412)).toHaveLength(9);
  });

  test('return the difference in a dry run and store nothing, not even a new zone', async () => {
    const id = await makeDomain(t, 'dry.com');
    const before = await zoneRows(t);
    const dry = await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }], { body: { dry_run: true } });
    expect(dry.body).toMatchObject({ dry_run: true, is_changed: true });
    expect(dry.body.added).toHaveLength(1);
    expect(await zoneRows(t)).toEqual(before);
    await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }]);
    const kept = await zoneRows(t);
    const put = await t.call('PUT', `${zonePath(id)}/rrsets`, {
      json: { rrsets: [{ name: 'v', type: 'A', records: ['192.0.2.2'] }], dry_run: true },
    });
    expect(put.body).toMatchObject({ dry_run: true });
    expect([put.body.added.length, put.body.deleted.length]).toEqual([1, 1]);
    const bad = await patch(t, id, [{ name: '@', type: 'CNAME', records: ['x.example.net.'] }], {
      body: { dry_run: true },
    });
    expect(bad.status).toBe(400);
    expect(await zoneRows(t)).toEqual(kept);
  });

  test('replace the whole zone by PUT, and keep the nameservers if none are named', async () => {
    const id = await makeDomain(t, 'put.com');
    await patch(t, id, [
      { name: 'old', type: 'A', records: ['192.0.2.1'] },
      { name: 'kept', type: 'A', records: ['192.0.2.2'] },
    ]);
    const put = await t.call('PUT', `${zonePath(id)}/rrsets`, {
      json: {
        rrsets: [
          { name: 'kept', type: 'A', records: ['192.0.2.2'] },
          { name: 'new', type: 'AAAA', records: ['2001:db8::1'] },
        ],
      },
      headers: { 'If-Match': '*' },
    });
    expect(put.status, put.text).toBe(200);
    const zone = await zoneOf(t, id);
    expect(zone!.rrsets.map((set) => `${set.name} ${set.type}`)).toEqual([
      'kept.put.com. A',
      'new.put.com. AAAA',
      'put.com. NS',
    ]);
    expect((await t.call('GET', zonePath(id))).body.record_count).toBe(4);
    const empty = await t.call('PUT', `${zonePath(id)}/rrsets`, {
      json: { rrsets: [] },
      headers: { 'If-Match': `"${zone!.serial}"` },
    });
    expect(empty.body.deleted).toHaveLength(2);
    expect((await zoneOf(t, id))!.rrsets).toHaveLength(1);
  });

  test('require a precondition to replace a whole zone, except in a dry run', async () => {
    const id = await makeDomain(t, 'wiped.com');
    const path = `${zonePath(id)}/rrsets`;
    const file = { raw: { type: 'text/dns', body: '$TTL 300\nwww A 192.0.2.7\n' } };
    const replace = (headers: Record<string, string> = {}, body: object = { rrsets: [] }) =>
      t.call('PUT', path, { json: body, headers });
    expect((await replace()).status).toBe(428);
    expect((await replace({ 'If-Match': '*' })).status).toBe(412);
    const made = await replace(
      { 'If-None-Match': '*' },
      { rrsets: [{ name: 'www', type: 'A', records: ['192.0.2.1'] }] },
    );
    expect(made.status, made.text).toBe(200);
    const before = await zoneRows(t);
    expect((await replace({ 'If-None-Match': '*' })).status).toBe(412);
    for (const called of [await replace(), await t.call('PUT', `${zonePath(id)}/file`, file)]) {
      expect(called.status).toBe(428);
      expect(called.body.code).toBe('precondition_required');
    }
    const dry = await replace({}, { rrsets: [], dry_run: true });
    expect(dry.body).toMatchObject({ dry_run: true, is_changed: true });
    const dryFile = await t.call('PUT', `${zonePath(id)}/file`, { ...file, query: { dry_run: 'true' } });
    expect(dryFile.body).toMatchObject({ dry_run: true, is_changed: true });
    expect(await zoneRows(t)).toEqual(before);
    expect((await replace({ 'If-Match': '*' })).body.deleted).toHaveLength(1);
  });

  test('are returned in pages, by name and by type', async () => {
    const id = await makeDomain(t, 'pages.com');
    await patch(
      t,
      id,
      Array.from({ length: 25 }, (_, n) => ({ name: `h${n}`, type: 'A', records: ['192.0.2.1'] })),
    );
    const seen: string[] = [];
    let query: Record<string, string> = { limit: '10' };
    for (let pages = 0; ; pages += 1) {
      expect(pages, 'pages of the zone').toBeLessThan(10);
      const page = await t.call('GET', `${zonePath(id)}/rrsets`, { query });
      seen.push(...page.body.rrsets.map((set: { name: string; type: string }) => `${set.name} ${set.type}`));
      if (page.body.next_after === null) break;
      query = { limit: '10', after: page.body.next_after };
    }
    expect(new Set(seen).size).toBe(27);
    expect(seen).toHaveLength(27);
    const one = await t.call('GET', `${zonePath(id)}/rrsets`, { query: { name: 'h7', type: 'a' } });
    expect(one.body.rrsets).toEqual([{ name: 'h7.pages.com.', type: 'A', ttl: 3600, records: ['192.0.2.1'] }]);
    expect((await t.call('GET', `${zonePath(id)}/rrsets`, { query: { type: 'SOA' } })).body.rrsets).toHaveLength(1);
    expect((await t.call('GET', `${zonePath(id)}/rrsets`, { query: { after: 'x' } })).status).toBe(400);
  });
});

describe('zone files', () => {
  const put = (
    id: string,
    body: string,
    headers: Record<string, string> = { 'If-Match': '*' },
    query: Record<string, string> = {},
  ) => t.call('PUT', `${zonePath(id)}/file`, { raw: { type: 'text/dns', body }, headers, query });

  test('are equal after an export and an import', async () => {
    const id = await makeDomain(t, 'file.com');
    await patch(t, id, [
      { name: '@', type: 'MX', records: ['10 mail'] },
      { name: 'mail', type: 'A', ttl: 300, records: ['192.0.2.25', '192.0.2.26'] },
      { name: '@', type: 'TXT', records: ['v=spf1 mx; "odd"', `long ${'x'.repeat(400)}`] },
    ]);
    const read = await t.call('GET', `${zonePath(id)}/file`);
    expect(read.status).toBe(200);
    expect(read.headers.get('content-type')).toBe('text/dns; charset=utf-8');
    expect(read.text).toContain('$ORIGIN file.com.');
    const before = await zoneRows(t);
    const same = await put(id, read.text, { 'If-Match': read.headers.get('etag')! });
    expect(same.body).toMatchObject({ is_changed: false });
    expect(await zoneRows(t)).toEqual(before);
    const more = await put(id, `${read.text}extra IN A 192.0.2.99\n`);
    expect(more.body.added).toEqual([{ name: 'extra.file.com.', type: 'A', ttl: 3600, records: ['192.0.2.99'] }]);
    expect((await t.call('GET', `${zonePath(id)}/history`)).body[0].kind).toBe('import');
  });

  test('require a precondition to replace the zone', async () => {
    const id = await makeDomain(t, 'guarded.com');
    const { body } = await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }]);
    const file = '$TTL 300\nw IN A 192.0.2.2\n';
    expect((await put(id, file, {})).status).toBe(428);
    expect((await put(id, file, { 'If-Match': '"1"' })).status).toBe(412);
    const dry = await put(id, file, { 'If-Match': `"${body.serial}"` }, { dry_run: 'true' });
    expect(dry.body).toMatchObject({ dry_run: true, serial: body.serial });
    expect((await put(id, file, { 'If-Match': `"${body.serial}"` })).body).toMatchObject({ is_changed: true });
    expect((await zoneOf(t, id))!.rrsets.map((set) => set.type)).toEqual(['NS', 'A']);
  });

  test('are refused with every invalid line, and change nothing', async () => {
    const id = await makeDomain(t, 'lines.com');
    await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }]);
    const before = await zoneRows(t);
    const file = [
      '$TTL 300',
      'good IN A 192.0.2.1',
      'bad IN A 192.0.2.999',
      'www.other.org. IN A 192.0.2.1',
      '$INCLUDE other.zone',
      'x IN MX ten mail',
      '',
    ].join('\n');
    const called = await put(id, file);
    expect(called.status).toBe(400);
    expect(called.body.lines.map((line: { line: number }) => line.line)).toEqual([3, 4, 5, 6]);
    expect(called.body.errors[0]).toMatchObject({ field: 'line 3' });
    const clash = await put(id, '$TTL 300\na IN CNAME b\na IN A 192.0.2.1\n');
    expect(clash.body.code).toBe('invalid_argument');
    expect(clash.body.lines).toMatchObject([{ line: 2, field: 'zone' }]);
    expect((await put(id, '   ')).status).toBe(400);
    const signed = await put(id, '$TTL 300\nlines.com. IN NSEC a.lines.com. A\n');
    expect(signed.body.message).toContain('no records');
    expect(await zoneRows(t)).toEqual(before);
    const json = await t.call('PUT', `${zonePath(id)}/file`, {
      raw: { type: 'application/xml', body: '<x/>' },
      headers: { 'If-Match': '*' },
    });
    expect(json.status).toBe(415);
  });

  test('may be larger than other request bodies', async () => {
    const id = await makeDomain(t, 'large.com');
    await patch(t, id, [{ name: 'w', type: 'A', records: ['192.0.2.1'] }]);
    const lines = Array.from({ length: 30_000 }, (_, n) => `host-number-${n} IN A 192.0.${(n >> 8) & 255}.${n & 255}`);
    const file = `$TTL 300\n${lines.join('\n')}\n`;
    expect(file.length).toBeGreaterThan(1_048_576);
    const called = await put(id, file);
    expect(called.status, called.text.slice(0, 300)).toBe(200);
    const { body } = await t.call('GET', zonePath(id));
    expect(body.record_count).toBe(30_002);
    const { body: history } = await t.call('GET', `${zonePath(id)}/history`, { query: { limit: '1' } });
    expect(history[0]).toMatchObject({ added_count: 30_000, is_shortened: true });
    const back = await t.call('POST', `${zonePath(id)}/rollback`, { json: { serial: called.body.previous_serial } });
    expect(back.status, back.text.slice(0, 300)).toBe(200);
    expect((await zoneOf(t, id))!.rrsets.map((set) => set.name)).toEqual(['large.com.', 'w.large.com.']);
  });
});

describe('history and rollback', () => {
  test('restore any serial, backwards and forwards, under new serials', async () => {
    const id = await makeDomain(t, 'back.com');
    const states: { serial: number; rrsets: unknown }[] = [];
    const keep = async () => states.push((await zoneOf(t, id))!);
    await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
    await keep();
    await patch(t, id, [
      { name: 'a', type: 'A', ttl: 60, records: ['192.0.2.1', '192.0.2.2'] },
      { name: 'b', type: 'TXT', records: ['x'] },
    ]);
    await keep();
    await patch(t, id, [
      { name: 'a', type: 'A', action: 'delete' },
      { name: 'a', type: 'CNAME', records: ['b'] },
    ]);
    await keep();
    await patch(t, id, [{ name: '@', type: 'SOA', records: ['x. new.back.com. 1 600 300 1209600 60'] }]);
    await keep();
    for (const target of [1, 0, 3, 2, 0, 1]) {
      const dry = await t.call('POST', `${zonePath(id)}/rollback`, {
        json: { serial: states[target]!.serial, dry_run: true },
      });
      expect(dry.body.dry_run).toBe(true);
      const before = (await zoneOf(t, id))!.serial;
      const called = await t.call('POST', `${zonePath(id)}/rollback`, { json: { serial: states[target]!.serial } });
      expect(called.status, called.text).toBe(200);
      expect(called.body.added).toEqual(dry.body.added);
      const now = (await zoneOf(t, id))!;
      expect(now.rrsets).toEqual(states[target]!.rrsets);
      if (called.body.is_changed) expect(now.serial).toBeGreaterThan(before);
    }
    const { body } = await t.call('GET', zonePath(id));
    expect(body.soa.rname).toBe('hostmaster.back.com.');
    const { body: history } = await t.call('GET', `${zonePath(id)}/history`, { query: { limit: '1' } });
    expect(history[0]).toMatchObject({ kind: 'rollback' });
    const unknown = await t.call('POST', `${zonePath(id)}/rollback`, { json: { serial: 5 } });
    expect(unknown.status).toBe(400);
    expect(unknown.body.errors[0].field).toBe('serial');
  });

  test('validate a rollback like any change', async () => {
    const id = await makeDomain(t, 'checked.com');
    const first = await patch(t, id, [{ name: 'a', type: 'A', records: ['192.0.2.1'] }]);
    const stale = await t.call('POST', `${zonePath(id)}/rollback`, {
      json: { serial: first.body.previous_serial },
      headers: { 'If-Match': '"1"' },
    });
    expect(stale.status).toBe(412);
    const none = await makeDomain(t, 'nozone.com');
    expect((await t.call('POST', `${zonePath(none)}/rollback`, { json: { serial: 1 } })).status).toBe(404);
    expect((await t.call('GET', `${zonePath(none)}/history`)).status).toBe(404);
    expect((await t.call('GET', `${zonePath(none)}/file`)).status).toBe(404);
  });
});
