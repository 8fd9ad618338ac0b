import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { updateMtaSts } from '../../src/core/mail-forwarding/update-mta-sts.ts';
import { makeDomain, patch, recordsAt } from '../zones/support.ts';

const run = promisify(execFile);
const hosts = ['mx1.operator.example', 'mx2.operator.example'];
let t: TestService;
beforeAll(async () => {
  t = await startTestService({
    env: { NAMEHOLD_MAIL_HOSTS: hosts.join(','), NAMEHOLD_REDIRECT_PORT: '0', NAMEHOLD_REDIRECT_TLS_PORT: '0' },
  });
});
afterAll(() => t.stop());

const soon = <T>(work: () => Promise<T>) => vi.waitFor(work, { timeout: 300_000, interval: 100 });
const add = (id: string, more: Record<string, string> = {}) =>
  t.call('POST', `/v1/domains/${id}/email_forwarding`, { form: { email: 'info', forward_to: 'a@b.example', ...more } });
const remove = (id: string) => t.call('DELETE', `/v1/domains/${id}/email_forwarding/info`);
const modeOf = async (id: string) => (await t.call('GET', `/v1/domains/${id}/mail_forwarding`)).body.mta_sts;
const idIn = async (id: string, name: string) =>
  /^"v=STSv1; id=([0-9a-f]{20});"$/.exec((await recordsAt(t, id, `_mta-sts.${name}.`, 'TXT'))[0] ?? '')?.[1];
const fetchPolicy = async (name: string) => {
  const at = [
    '--connect-to',
    `::127.0.0.1:${t.service.edge!.tlsPort}`,
    '--cacert',
    join(t.folder, 'edge', 'web-ca.crt'),
  ];
  const { stdout } = await run('curl', ['-sSf', ...at, `https://mta-sts.${name}/.well-known/mta-sts.txt`]);
  return stdout;
};
const eventsOf = async (id: string) =>
  (
    await t.ctx.db.as(allTenants).many<{ mode: string }>(sql`
      select payload ->> 'mode' as mode from event where object_id = ${id} and type = 'mail_forwarding.mta_sts_changed' order by number`)
  ).map(({ mode }) => mode);
/** The certificates that namehold mx reports for each Postfix. */
const present = (host: string, isGood: boolean, days = 60) =>
  t.ctx.db.autocommit(allTenants).run(sql`
    insert into mail_host (host, is_good, reason, not_after) values (${host}, ${isGood}, null, now() + make_interval(days => ${days}))
    on conflict (host) do update set is_good = excluded.is_good, not_after = excluded.not_after, seen_at = now()`);
const policy = (mode: string) =>
  `version: STSv1\r\nmode: ${mode}\r\n${hosts.map((host) => `mx: ${host}\r\n`).join('')}max_age: 86400\r\n`;

test('tests a policy for fourteen days, enforces it while certificates are valid, then withdraws it', async () => {
  const id = await makeDomain(t, 'strict.com');
  expect(await modeOf(id)).toBe('off');
  expect((await add(id)).status).toBe(200);
  expect(await modeOf(id)).toBe('testing');
  expect(await recordsAt(t, id, 'mta-sts.strict.com.', 'A')).toEqual(['127.0.0.1']);
  const first = await idIn(id, 'strict.com');
  expect(first).toBeDefined();
  await soon(async () => expect(await fetchPolicy('strict.com')).toBe(policy('testing')));
  // Not served by HTTP (RFC 8461 3.3).
  const { stdout: status } = await run('curl', [
    ...['-s', '-o', '/dev/null', '-w', '%{http_code}', '--connect-to', `::127.0.0.1:${t.service.edge!.port}`],
    'http://mta-sts.strict.com/.well-known/mta-sts.txt',
  ]);
  expect(status).toBe('404');
  for (const host of hosts) await present(host, true);
  await updateMtaSts(t.ctx);
  expect(await modeOf(id)).toBe('testing');
  t.moveClock('+14d');
  // An invalid certificate, or one that ends while senders cache the policy, would lose mail.
  await present(hosts[1]!, false);
  await updateMtaSts(t.ctx);
  await present(hosts[1]!, true, 0);
  await updateMtaSts(t.ctx);
  expect(await modeOf(id)).toBe('testing');
  await present(hosts[1]!, true);
  await updateMtaSts(t.ctx);
  expect(await modeOf(id)).toBe('enforce');
  const second = await idIn(id, 'strict.com');
  expect(second).not.toBe(first);
  await soon(async () => expect(await fetchPolicy('strict.com')).toBe(policy('enforce')));
  await present(hosts[0]!, false);
  await updateMtaSts(t.ctx);
  expect([await modeOf(id), await idIn(id, 'strict.com')]).toEqual(['testing', first]);
  await present(hosts[0]!, true);
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update mail_host set seen_at = now() - interval '25 hours' where host = ${hosts[0]!}`);
  await updateMtaSts(t.ctx);
  expect(await modeOf(id)).toBe('testing');
  await present(hosts[0]!, true);
  await updateMtaSts(t.ctx);
  expect(await modeOf(id)).toBe('enforce');
  // Senders with a cached policy must find that it is withdrawn, before mail goes elsewhere.
  expect((await remove(id)).status).toBe(200);
  expect(await recordsAt(t, id, 'strict.com.', 'MX')).toEqual([]);
  expect(await modeOf(id)).toBe('none');
  expect(await idIn(id, 'strict.com')).not.toBe(second);
  await soon(async () =>
    expect(await fetchPolicy('strict.com')).toBe('version: STSv1\r\nmode: none\r\nmax_age: 86400\r\n'),
  );
  await updateMtaSts(t.ctx);
  expect(await modeOf(id)).toBe('none');
  // The cached policy also matters if the state was different in between.
  expect((await add(id)).status).toBe(200);
  expect(await modeOf(id)).toBe('testing');
  expect((await remove(id)).status).toBe(200);
  expect(await modeOf(id)).toBe('none');
  t.moveClock('+2d');
  await updateMtaSts(t.ctx);
  expect(await modeOf(id)).toBe('off');
  expect(await idIn(id, 'strict.com')).toBeUndefined();
  expect(await recordsAt(t, id, 'mta-sts.strict.com.', 'A')).toEqual([]);
  await soon(async () => expect(fetchPolicy('strict.com')).rejects.toThrow());
  expect(await eventsOf(id)).toEqual(['enforce', 'testing', 'enforce', 'none', 'testing', 'none', 'off']);
});

test('replaces records of the owner on request, restores them, and leaves them after take_over', async () => {
  const id = await makeDomain(t, 'own.com');
  const own = { name: '_mta-sts.own.com.', type: 'TXT', ttl: 300, records: ['"v=STSv1; id=1"'] };
  const web = { name: 'mta-sts.own.com.', type: 'CNAME', ttl: 300, records: ['policy.elsewhere.example.'] };
  expect((await patch(t, id, [own, web])).status).toBe(200);
  const refused = await add(id);
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
  expect(refused.text).toContain('policy.elsewhere.example.');
  expect((await add(id, { replace_records: 'true' })).status).toBe(200);
  expect(await modeOf(id)).toBe('testing');
  const written = await patch(t, id, [own]);
  expect([written.status, written.body.code]).toEqual([409, 'managed_record']);
  expect((await remove(id)).status).toBe(200);
  // Never enforced: no sender has a cached policy that could delay mail.
  expect(await modeOf(id)).toBe('off');
  expect(await recordsAt(t, id, own.name, 'TXT')).toEqual(own.records);
  expect(await recordsAt(t, id, web.name, 'CNAME')).toEqual(web.records);

  expect((await add(id, { replace_records: 'true' })).status).toBe(200);
  const taken = await patch(t, id, [own], { body: { take_over: true } });
  expect(taken.status, taken.text).toBe(200);
  expect(await modeOf(id)).toBe('off');
  expect(await recordsAt(t, id, own.name, 'TXT')).toEqual(own.records);
  expect(await recordsAt(t, id, 'own.com.', 'MX')).toHaveLength(2);
  // A forwarding rule for the policy host would lose its record with the policy.
  const other = await makeDomain(t, 'two-services.com');
  expect((await add(other)).status).toBe(200);
  const rules = [{ host: 'mta-sts', target: 'https://www.elsewhere.example/' }];
  const rule = await t.call('PATCH', `/v1/domains/${other}/forwarding`, { json: { rules } });
  expect([rule.status, rule.body.code]).toEqual([409, 'managed_record']);
  expect((await remove(other)).status).toBe(200);
  expect((await t.call('PATCH', `/v1/domains/${other}/forwarding`, { json: { rules } })).status).toBe(200);
  expect((await add(other)).status).toBe(200);
  expect((await remove(other)).status).toBe(200);
  expect(await recordsAt(t, other, 'mta-sts.two-services.com.', 'A')).toEqual(['127.0.0.1']);
  t.moveClock('+15d');
  await updateMtaSts(t.ctx);
  expect(await recordsAt(t, id, own.name, 'TXT')).toEqual(own.records);
  expect((await t.call('DELETE', `/v1/domains/${id}/zone`, { query: { confirm: 'true' } })).status).toBe(200);
});

test('creates a policy for domains forwarded before, unless the owner has own records', async () => {
  const [plain, owned] = [await makeDomain(t, 'before.com'), await makeDomain(t, 'before-own.com')];
  const own = { name: '_mta-sts.before-own.com.', type: 'TXT', ttl: 300, records: ['"v=STSv1; id=7"'] };
  for (const id of [plain, owned]) expect((await add(id)).status).toBe(200);
  await t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`delete from zone_rrset where managed_by = 'mta_sts'`);
    await tx.run(sql`update mail_domain set sts_mode = null, sts_since = null`);
    await tx.run(sql`update forwarding set mail_policy = null`);
  });
  expect((await patch(t, owned, [own])).status).toBe(200);
  await updateMtaSts(t.ctx);
  expect([await modeOf(plain), await modeOf(owned)]).toEqual(['testing', 'off']);
  expect(await recordsAt(t, owned, own.name, 'TXT')).toEqual(own.records);
  expect(await idIn(plain, 'before.com')).toBeDefined();
});
