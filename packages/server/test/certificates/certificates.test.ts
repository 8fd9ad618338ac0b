import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seedAt } from '../../../../test/sim/seeds.ts';
import { migratedDatabase, openRestricted } from '../../../../test/support/database.ts';
import { expectCatalogued } from '../../../../test/support/events.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { send, startTestService, type TestService } from '../../../../test/support/service.ts';
import { certificateId } from '../../src/certificates/acme.ts';
import { probeCertificate } from '../../src/embedded/mail-host-probes.ts';
import { HostCertificate } from '../../src/mx/host-certificate.ts';
import { type PresentedCertificate, presentedCertificate } from '../../src/mx/presented-certificate.ts';
import { demoOf, startProcess } from '../support/process.ts';
import { recordsAt } from '../zones/support.ts';
import { hostOrders, hostRow, lookAtHost, seenHost, startSecurePostfix } from './mail-host.ts';
import { Pebble } from './pebble.ts';
import { certificateOf, failpoints, forward, makeDomain, ordersOf, ownNameservers, soon, visit } from './world.ts';

/** The long run kills at every failpoint. */
const seed = Number(process.env.KILL_SEED ?? seedAt(0));
const failpoint = failpoints[seed % failpoints.length]!;

let t: TestService;
let pebble: Pebble;
let second: Pebble;
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let root: string;
let killed: string;
const folder = mkdtempSync(join(tmpdir(), 'namehold-certificates-'));

/** A process dies during the first order. The other tests use the service that is started after it. */
beforeAll(async () => {
  const [dnsPort, edgePort, tlsPort] = [await freePort(), await freePort(), await freePort()];
  pebble = new Pebble({ dnsPort, httpPort: edgePort });
  second = new Pebble({ dnsPort, httpPort: edgePort });
  const [made] = await Promise.all([migratedDatabase(), pebble.open(), second.open()]);
  database = made;
  // Of its chains, the one that ends at another root.
  root = await pebble.rootFile(1);
  const rootName = new X509Certificate(readFileSync(root)).subject.replace('CN=', '');
  const ca = join(folder, 'authorities.pem');
  const caOf = (of: Pebble) => readFileSync(of.settings.NAMEHOLD_ACME_CA_FILE!, 'utf8');
  writeFileSync(ca, `${caOf(pebble)}${caOf(second)}`);
  const env = {
    ...pebble.settings,
    ...second.secondSettings,
    NAMEHOLD_ACME_CA_FILE: ca,
    NAMEHOLD_ACME_CHAIN: rootName,
    DATABASE_URL: database.url,
    NAMEHOLD_DNS_PORT: String(dnsPort),
    NAMEHOLD_REDIRECT_PORT: String(edgePort),
    NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
    NAMEHOLD_REDIRECT_TLS_PORT: String(tlsPort),
    NAMEHOLD_REDIRECT_RATE_LIMIT: '0',
    NAMEHOLD_RESOLVER: `127.0.0.1:${dnsPort}`,
    NAMEHOLD_LEASE_MS: '1000',
    NAMEHOLD_MAIL_HOSTS: 'mx1.post.com,mx2.outside.com',
  };
  const dying = await startProcess({ folder, env: { ...env, NAMEHOLD_TEST_FAULTS: failpoint } });
  const db = await openRestricted(database.url, 2);
  const ctx = { db, clock: systemClock } as TestService['ctx'];
  killed = await makeDomain({ ctx }, 'killed.com');
  const call = (method: string, path: string, options: object) => send(dying.url, method, path, demoOf(dying), options);
  await forward(call, killed);
  expect((await dying.exited).signal).toBe('SIGKILL');
  await db.close();
  t = await startTestService({ databaseUrl: database.url, folder, env });
});
afterAll(async () => {
  try {
    await expectCatalogued(database.url);
  } finally {
    await t?.stop();
    await t?.service.nameserver?.stop();
    await pebble?.close();
    await second?.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Tests do not wait for pauses after failures. */
const runDueOrders = () =>
  t.ctx.db.autocommit(allTenants).run(sql`update certificate_order set due_at = now() where due_at > now()`);
const live = (id: string) =>
  soon(async () => {
    const certificate = await certificateOf(t, id);
    expect(certificate, JSON.stringify(await ordersOf(t, id))).toMatchObject({ state: 'live', reason: null });
  });

const answers = (host: string) => soon(async () => expect(await visit(t, host, root)).toMatchObject({ status: 301 }));

test(`continues the same order after a kill at ${failpoint} (KILL_SEED=${seed}), and serves HTTPS`, async () => {
  await live(killed);
  for (const [host, location] of [
    ['killed.com', 'https://target.example/'],
    ['www.killed.com', 'https://target.example/www'],
  ] as const)
    await soon(async () => expect(await visit(t, host, root)).toMatchObject({ status: 301, location }));
  const orders = await ordersOf(t, killed);
  expect(orders).toMatchObject([{ state: 'issued', method: 'dns-01', names: ['killed.com', '*.killed.com'] }]);
  expect(pebble.count(/Added order/)).toBe(1);
  expect(pebble.count(/Issued certificate serial/)).toBe(1);
  await soon(async () => expect((await ordersOf(t, killed))[0]!.proofs).toBeNull());
  expect(await recordsAt(t, killed, '_acme-challenge.killed.com.', 'TXT')).toEqual([]);
  const read = await t.call('GET', `/v1/domains/${killed}/forwarding`);
  expect(read.body).toMatchObject({
    schemes: ['http', 'https'],
    certificate: { names: ['killed.com', '*.killed.com'] },
  });
  // Private keys are stored only encrypted.
  const rows = await t.ctx.db.as(allTenants).many<{ all: string }>(sql`
    select certificate::text as all from certificate union all select certificate_order::text from certificate_order union all
    select certificate_account::text from certificate_account`);
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) expect(row.all).not.toContain('PRIVATE KEY');
});

test('creates one order and one certificate when answers are lost, broken or retryable', async () => {
  const before = pebble.count(/Added order/);
  pebble.faults.push(
    { path: '/order-plz', does: 'lost' },
    { path: '/order-plz', does: 'limited' },
    { path: '/chalZ/', does: 'broken' },
    { path: '/finalize-order/', does: 'lost' },
    { path: '/certZ/', does: 'lost' },
  );
  const ids = await Promise.all(['one.com', 'two.com', 'three.com'].map((name) => makeDomain(t, name)));
  for (const id of ids) await forward(t.call, id);
  await soon(async () => {
    const paused = await t.ctx.db
      .as(allTenants)
      .one<{ ms: number }>(
        sql`select extract(epoch from paused_until - now())::float8 * 1000 as ms from certificate_account`,
      );
    expect(paused.ms).toBeLessThanOrEqual(2_000);
  });
  await soon(async () => {
    await runDueOrders();
    expect(pebble.faults).toEqual([]);
    for (const id of ids) expect((await certificateOf(t, id)).state).toBe('live');
  });
  for (const id of ids) expect(await ordersOf(t, id)).toMatchObject([{ state: 'issued' }]);
  expect(pebble.count(/Added order/) - before).toBe(3);
});

test('does not treat single lost answers as an unreachable authority', async () => {
  for (const path of ['/order-plz', '/list-orderz/', '/authZ/', '/chalZ/', '/finalize-order/', '/certZ/'])
    pebble.faults.push({ path, does: 'lost' });
  const id = await makeDomain(t, 'unlucky.com');
  await forward(t.call, id);
  await soon(async () => {
    await runDueOrders();
    expect((await certificateOf(t, id)).state).toBe('live');
  });
  expect(pebble.faults).toEqual([]);
  expect(await ordersOf(t, id)).toMatchObject([{ state: 'issued' }]);
});

test.concurrent('validates hosts of an external zone by HTTP if they point here, and orders nothing otherwise', async () => {
  const id = await makeDomain(t, 'elsewhere.com', ['ns1.other.example', 'ns2.other.example']);
  await forward(t.call, id, ['@', 'shop', '*']);
  await live(id);
  expect(await ordersOf(t, id)).toMatchObject([
    { state: 'issued', method: 'http-01', names: ['elsewhere.com', 'shop.elsewhere.com'] },
  ]);
  await answers('shop.elsewhere.com');
  await expect(visit(t, 'else.elsewhere.com', root)).rejects.toThrow(/certificate/);
  // Public DNS shows other addresses than those of the edge.
  const seen = t.ctx.lookup.addresses;
  const spy = vi
    .spyOn(t.ctx.lookup, 'addresses')
    .mockImplementation(async (host) =>
      host.endsWith('away.com') ? [...(await seen(host)), '198.51.100.1'] : seen(host),
    );
  const away = await makeDomain(t, 'away.com', ['ns1.other.example', 'ns2.other.example']);
  await forward(t.call, away, ['@']);
  await soon(async () =>
    expect(await certificateOf(t, away)).toMatchObject({
      state: 'waiting',
      reason: 'the domain uses other nameservers: set the records there',
    }),
  );
  expect(await ordersOf(t, away)).toEqual([]);
  spy.mockRestore();
  const proof = await fetch(`http://127.0.0.1:${t.service.edge!.port}/.well-known/acme-challenge/unknown`, {
    redirect: 'manual',
  });
  expect(proof.status).toBe(404);
});

test.concurrent('reports a forbidding CAA record with the record to add, and orders after the correction', async () => {
  const id = await makeDomain(t, 'caa.com');
  const caa = (value: string) =>
    t.call('PATCH', `/v1/domains/${id}/zone/rrsets`, {
      json: { rrsets: [{ name: 'caa.com.', type: 'CAA', ttl: 300, records: [value] }] },
    });
  expect((await caa('0 issue "other.example"')).status).toBe(200);
  await forward(t.call, id, ['@', 'a.b']);
  await soon(async () =>
    expect(await certificateOf(t, id)).toMatchObject({
      state: 'blocked',
      reason: 'CAA records do not allow a certificate for caa.com: add CAA 0 issue "pebble.example"',
    }),
  );
  expect(await ordersOf(t, id)).toEqual([]);
  expect((await caa('0 issue "pebble.example; validationmethods=dns-01"')).status).toBe(200);
  await forward(t.call, id, ['@', 'www', 'a.b']);
  await live(id);
  expect((await certificateOf(t, id)).names).toEqual(['caa.com', '*.caa.com', 'a.b.caa.com']);
  await answers('a.b.caa.com');
});

test.concurrent('orders from the second authority if CAA allows only that one', async () => {
  const id = await makeDomain(t, 'choosy.com');
  const caa = { name: 'choosy.com.', type: 'CAA', ttl: 300, records: ['0 issue "second.example"'] };
  expect((await t.call('PATCH', `/v1/domains/${id}/zone/rrsets`, { json: { rrsets: [caa] } })).status).toBe(200);
  await forward(t.call, id, ['@']);
  await live(id);
  const orders = await t.ctx.db
    .as(allTenants)
    .many<{ authority: string }>(sql`select authority from certificate_order where domain_id = ${id}`);
  expect(orders).toEqual([{ authority: second.settings.NAMEHOLD_ACME_DIRECTORY }]);
});

test.concurrent("keeps the owner's TXT record beside ours, and serves the renewed certificate at the edge", async () => {
  const id = await makeDomain(t, 'renewed.com');
  const own = { name: '_acme-challenge.renewed.com.', type: 'TXT', ttl: 60, records: ['"mine"'] };
  expect((await t.call('PATCH', `/v1/domains/${id}/zone/rrsets`, { json: { rrsets: [own] } })).status).toBe(200);
  await forward(t.call, id);
  await live(id);
  const first = await visit(t, 'renewed.com', root);
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update certificate set renew_at = now(), look_at = now() where domain_id = ${id}`);
  await soon(async () => expect((await visit(t, 'renewed.com', root)).certificate).not.toBe(first.certificate));
  expect(await ordersOf(t, id)).toMatchObject([{ state: 'issued' }, { state: 'issued' }]);
  await soon(async () => expect(await recordsAt(t, id, own.name, 'TXT')).toEqual(['"mine"']));
  const certificate = await certificateOf(t, id);
  expect(Date.parse(certificate.renew_at)).toBeLessThan(Date.parse(certificate.not_after));
  // The authority suggests a renewal time, and then now, as for a revocation.
  const checkNow = () =>
    t.ctx.db.autocommit(allTenants).run(sql`update certificate set look_at = now() where domain_id = ${id}`);
  const days = (n: number) => new Date(systemClock.now().getTime() + n * 86_400_000).toISOString();
  pebble.renewal = { start: days(1), end: days(2) };
  await checkNow();
  const between = (at: string) => at > pebble.renewal!.start && at < pebble.renewal!.end;
  await soon(async () => expect(between((await certificateOf(t, id)).renew_at)).toBe(true));
  const other = await visit(t, 'renewed.com', root);
  pebble.renewal = { start: days(-2), end: days(-1) };
  await checkNow();
  await soon(async () => expect((await visit(t, 'renewed.com', root)).certificate).not.toBe(other.certificate));
  pebble.renewal = undefined;
  expect(pebble.replaced).toHaveLength(2);
  expect(pebble.renewalsQueried).toContain(pebble.replaced[1]);
});

test('does not report an expired certificate as live', async () => {
  const id = await makeDomain(t, 'expired.com');
  await forward(t.call, id);
  await live(id);
  const setEnd = (days: number) =>
    t.ctx.db.autocommit(allTenants).run(sql`
      update certificate set not_after = now() + make_interval(days => ${days}) where domain_id = ${id}`);
  await setEnd(-1);
  const view = await certificateOf(t, id);
  expect(view).toMatchObject({ state: 'waiting', reason: expect.stringMatching(/^The certificate expired at 20/) });
  await setEnd(1);
  expect(await certificateOf(t, id)).toMatchObject({ state: 'live', reason: null });
});

test('computes the certificate id of the example in RFC 9773', () => {
  const example = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----`;
  expect(certificateId(example)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
});

test('orders certificates for mail hosts, and Postfix presents the file that namehold mx writes', async () => {
  const [host, outside] = ['mx1.post.com', 'mx2.outside.com'];
  for (const of of [host, outside]) {
    await lookAtHost(t, of);
    await soon(async () => expect((await hostRow(t, of)).reason).toContain('give Postfix your own certificate'));
  }
  const address = async (id: string, name: string) => {
    const rrsets = [{ name, type: 'A', ttl: 300, records: ['127.0.0.1'] }];
    const called = await t.call('PATCH', `/v1/domains/${id}/zone/rrsets`, { json: { rrsets } });
    expect(called.status, called.text).toBe(200);
  };
  // One in a zone of this installation, the other validated by HTTP at the edge.
  const post = await makeDomain(t, 'post.com');
  await address(post, `${host}.`);
  await address(await makeDomain(t, 'outside.com', ['ns1.other.example', 'ns2.other.example']), `${outside}.`);
  const issued = (of: string, isDue = false) =>
    soon(async () => {
      const { state } = await hostRow(t, of);
      if (state === 'waiting') await lookAtHost(t, of, isDue);
      await runDueOrders();
      expect(await hostRow(t, of), JSON.stringify(await hostOrders(t, of))).toMatchObject({ state: 'live' });
    });
  await issued(host);
  await issued(outside);
  expect(await hostOrders(t, host)).toEqual([{ state: 'issued', method: 'dns-01', names: [host] }]);
  expect(await hostOrders(t, outside)).toEqual([{ state: 'issued', method: 'http-01', names: [outside] }]);
  await soon(async () => expect(await recordsAt(t, post, `_acme-challenge.${host}.`, 'TXT')).toEqual([]));

  const port = await freePort();
  const file = join(folder, 'mx', 'host.pem');
  const postfix = startSecurePostfix(port, host, file);
  try {
    const smtp = { host: '127.0.0.1', port };
    const postconf = ['postconf', '-c', postfix.at('etc')];
    const { db, log, vault } = t.ctx;
    const roots = [readFileSync(root, 'utf8')];
    const keeper = (some: object = {}) =>
      new HostCertificate({ db, log, vault, mailHosts: [host, outside], postconf, file, smtp, roots, ...some });
    const facts = { mailHosts: [host], postconf, mxSmtp: smtp, mxCertificateFile: file };
    const doctor = async (believed?: string[]) =>
      (await probeCertificate(facts, (address, name) => presentedCertificate(address, name, believed))).map(
        ({ ok, text }) => `${ok ? 'ok' : 'BAD'} ${text}`,
      );
    await soon(async () => expect(await doctor(roots)).toEqual([expect.stringMatching(/^BAD Postfix at .*: /)]));
    await keeper({ vault: undefined }).check();
    expect(existsSync(file)).toBe(false);
    expect(await seenHost(t, host)).toMatchObject({ is_good: false });
    const presents = async () => {
      await keeper().check();
      const own = new X509Certificate(readFileSync(file, 'utf8').split('END PRIVATE KEY-----')[1]!);
      await soon(async () => {
        const found = await presentedCertificate(smtp, host, roots);
        expect(found).toMatchObject({ doubt: undefined });
        expect((found as PresentedCertificate).certificate.serialNumber).toBe(own.serialNumber);
      });
      return own.serialNumber;
    };
    const first = await presents();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const opensslArgs = [
      's_client',
      '-starttls',
      'smtp',
      '-connect',
      `127.0.0.1:${port}`,
      '-verify_return_error',
      '-CAfile',
      root,
    ];
    const shown = execFileSync('openssl', [...opensslArgs, '-verify_hostname', host], {
      encoding: 'utf8',
      input: 'QUIT\r\n',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    expect(shown).toContain('Verify return code: 0 (ok)');
    expect(await doctor(roots)).toEqual([expect.stringMatching(/^ok \d+ days left$/)]);
    // Senders that require a valid certificate do not trust an unknown authority.
    expect(await doctor()).toEqual([expect.stringMatching(/^BAD senders do not trust it: /)]);
    await keeper({ roots: undefined }).check();
    expect(await seenHost(t, host)).toMatchObject({
      is_good: false,
      reason: expect.stringMatching(/SELF_SIGNED|ISSUER|UNABLE/),
    });
    // Postfix presents the next one without a reload.
    const before = (await hostRow(t, host)).id;
    await lookAtHost(t, host, true);
    await soon(async () => expect((await hostRow(t, host)).id).not.toBe(before));
    expect(await presents()).not.toBe(first);
    await keeper().check();
    expect(await seenHost(t, host)).toEqual({ is_good: true, reason: null });
    const other = { ...facts, mxCertificateFile: root };
    expect(await probeCertificate(other, (address, name) => presentedCertificate(address, name, roots))).toMatchObject([
      { ok: false, text: expect.stringContaining('presents another certificate than') },
    ]);
    await expect(keeper({ mailHosts: [outside] }).check()).rejects.toThrow('not in NAMEHOLD_MAIL_HOSTS');
  } finally {
    postfix.stop();
  }
});

test('orders nothing for inactive domains, and uses the second authority when the first is unreachable', async () => {
  await expect(visit(t, 'unknown.com', root)).rejects.toThrow();
  const suspended = await makeDomain(t, 'held.com');
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update domain set suspended = true where id = ${suspended}`),
  );
  await forward(t.call, suspended);
  await pebble.kill();
  const id = await makeDomain(t, 'patient.com', ownNameservers);
  await forward(t.call, id);
  await soon(async () => expect((await ordersOf(t, id))[0]).toMatchObject({ state: 'open', troubles: 1 }));
  expect((await certificateOf(t, id)).state).toBe('ordering');
  const untilLive = (of: string) =>
    soon(async () => {
      await runDueOrders();
      expect(await certificateOf(t, of)).toMatchObject({ state: 'live' });
    });
  await untilLive(id);
  root = await second.rootFile();
  await answers('patient.com');
  expect((await ordersOf(t, id)).map(({ state, troubles }) => [state, troubles])).toEqual([
    ['failed', 3],
    ['issued', 0],
  ]);
  // Now the second one too, which loses its state: no authority is left, so the order waits.
  await second.kill();
  const later = await makeDomain(t, 'later.com', ownNameservers);
  await forward(t.call, later);
  await soon(async () => {
    await runDueOrders();
    expect((await ordersOf(t, later))[0]!.troubles).toBeGreaterThan(3);
  });
  await second.start();
  root = await second.rootFile();
  await untilLive(later);
  await answers('later.com');
  expect((await ordersOf(t, later)).map((order) => order.state)).toEqual(['issued']);
  expect(await ordersOf(t, suspended)).toEqual([]);
});

test('prioritises a waiting domain after an HTTPS request, but not one whose last attempt failed', async () => {
  const ids = await Promise.all(['waiting.com', 'failed.com'].map((name) => makeDomain(t, name)));
  const [waiting, failed] = ids as [string, string];
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update domain set suspended = true where id = any(${ids}::bigint[])`),
  );
  for (const id of ids) await forward(t.call, id);
  const set = (what: string, id: string) =>
    t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update ${sql.raw(what)} = ${id}`));
  await soon(async () => {
    const { n } = await t.ctx.db
      .as(allTenants)
      .one<{ n: number }>(
        sql`select count(*)::integer as n from certificate where domain_id = any(${ids}::bigint[]) and look_at > now()`,
      );
    expect(n).toBe(2);
  });
  await set("certificate set failures = 1, look_at = now() + interval '1 hour' where domain_id", failed);
  for (const id of ids) await set('domain set suspended = false where id', id);
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update certificate set look_at = now() + interval '1 hour' where domain_id = any(${ids}::bigint[])`);
  await soon(async () => {
    await expect(visit(t, 'waiting.com', root)).resolves.toMatchObject({ status: 301 });
  });
  await expect(visit(t, 'failed.com', root)).rejects.toThrow();
  expect(await ordersOf(t, failed)).toEqual([]);
  expect(await ordersOf(t, waiting)).toMatchObject([{ state: 'issued' }]);
});
