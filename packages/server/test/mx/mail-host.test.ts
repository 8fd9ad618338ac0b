import { type ChildProcess, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { allTenants, sql } from '@namehold/postgres';
import { Registry } from '@prometheus-io/client';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseUrl } from '../../../../test/support/database.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import type { SnippetPart } from '../../src/cli/snippets/snippet.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { addMailCounts } from '../../src/core/mail-forwarding/counts.sql.ts';
import { takeReport } from '../../src/core/mail-forwarding/take-report.ts';
import { probeAnswers, probePostfix, probeTestMail } from '../../src/embedded/mail-host-probes.ts';
import { serveProtocolAt } from '../../src/mx/protocol-server.ts';
import { readQueue } from '../../src/mx/queue.ts';
import { QueueWatch } from '../../src/mx/queue-watch.ts';
import { socketmap } from '../../src/mx/socketmap.ts';
import { Srs } from '../../src/mx/srs.ts';
import type { PostfixCopy } from '../support/postfix.ts';
import { runNamehold, spawnNamehold, threadsOf } from '../support/process.ts';
import { addressesAtIps } from './addresses-at-ips.ts';
import { startMailHost } from './mail-host.ts';
import { type Arrived, type Message, OtherMailServers, sendMessage, sendSmtp } from './other-mail-servers.ts';
import { makeMailDomain, setTargetState } from './routes-rows.ts';

const secret = 'a-secret-of-this-installation';
const srs = new Srs('forward.example', [secret], () => new Date());
const others = new OtherMailServers();
let t: TestService;
let postfix: PostfixCopy;
let snippet: SnippetPart[];
let mx: ChildProcess;
let detour: Server;
const detoured = new Set<Socket>();
let shopId: string;
let wholeId: string;
const thisHour = () => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
let env: Record<string, string>;

/** Postfix reaches the policy service through a proxy that can be closed. */
async function openDetour(port: number, to: number): Promise<void> {
  detour = createServer((socket) => {
    const other = connect(to, '127.0.0.1');
    for (const each of [socket, other]) {
      detoured.add(each);
      each.on('error', () => undefined).on('close', () => detoured.delete(each));
    }
    socket.pipe(other).pipe(socket);
  });
  await new Promise<void>((resolve) => detour.listen(port, '127.0.0.1', resolve));
}
function closeDetour(): void {
  detour.close();
  for (const socket of detoured) socket.destroy();
}

async function startMx(): Promise<void> {
  mx = spawnNamehold(['mx'], { folder: t.folder, env: { ...env, DATABASE_URL: t.databaseUrl } });
  let text = '';
  await new Promise<void>((resolve) => {
    for (const stream of [mx.stdout!, mx.stderr!])
      stream.on('data', (piece: Buffer) => {
        text += piece.toString();
        if (/Listening for Postfix/.test(text)) resolve();
      });
    mx.once('exit', () => resolve());
  });
  expect(text).toMatch(/Listening for Postfix/);
  expect(threadsOf(mx.pid!)).toContain('watchdog');
}

beforeAll(async () => {
  const [port, othersPort, maps, policy, detourPort, metrics] = await Promise.all(Array.from({ length: 6 }, freePort));
  t = await startTestService();
  env = {
    NAMEHOLD_MAIL_HOSTS: 'mx1.service.example,mx2.service.example',
    NAMEHOLD_MAIL_DOMAIN: 'forward.example',
    NAMEHOLD_SRS_SECRETS: `${secret},the-one-before-that-one`,
    NAMEHOLD_ABUSE_ADDRESS: 'operator@service.example',
    NAMEHOLD_MAIL_PER_HOUR: '40',
    NAMEHOLD_MX_PORT: String(maps),
    NAMEHOLD_MX_POLICY_PORT: String(policy),
    NAMEHOLD_MX_METRICS_PORT: String(metrics),
    NAMEHOLD_MX_SOCKET_DIR: join(t.folder, 'sockets'),
  };
  mkdirSync(env.NAMEHOLD_MX_SOCKET_DIR!);
  shopId = await makeMailDomain(t, 'shop.com', {
    info: ['sari@home.example', 'budi@home.example'],
    later: ['later@home.example'],
    never: [],
    round: ['round@home.example'],
    gone: ['gone@home.example'],
    inner: ['any@whole.net'],
    slow: ['slow@slow.example'],
  });
  wholeId = await makeMailDomain(t, 'whole.net', { '': ['all@home.example'] });
  for (const name of ['sari', 'budi', 'round', 'gone', 'all'])
    await setTargetState(t, `${name}@home.example`, 'confirmed');
  for (const address of ['any@whole.net', 'slow@slow.example']) await setTargetState(t, address, 'confirmed');
  await openDetour(detourPort!, policy!);
  const printed = await runNamehold(['mx', 'snippet', '--json'], {
    env: { ...env, NAMEHOLD_MX_POLICY_PORT: String(detourPort), NAMEHOLD_MX_SOCKET_DIR: '' },
  });
  snippet = JSON.parse(printed.stdout) as SnippetPart[];
  await others.open(othersPort!);
  await startMx();
  postfix = startMailHost({ port: port!, snippet, othersPort: othersPort! });
});
afterAll(async () => {
  postfix?.stop();
  closeDetour();
  mx?.kill('SIGKILL');
  await others.close();
  await t?.stop();
});

const soon = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 300_000, interval: 50 });
const send = (message: Message) => sendMessage(postfix.port, message);
const expectReply = (message: Message, wanted: RegExp) => soon(async () => expect(await send(message)).toMatch(wanted));
const reports = 'reports@namehold.invalid';
const raw = (pieces: readonly string[]) => sendSmtp(postfix.port, pieces);
let letters = 0;
/** Sends a message and waits for what arrives elsewhere, including reports. */
async function through(message: Message): Promise<Arrived[]> {
  letters += 1;
  const subject = `Letter ${letters} of this run`;
  expect(await send({ ...message, subject })).toMatch(/^250 /);
  return soon(() => {
    const found = others.arrived.filter(({ raw, to }) => raw.includes(subject) && to[0] !== reports);
    expect(found.length, postfix.log()).toBeGreaterThan(0);
    return found;
  });
}
const from = 'Author@Sender.example';
const written = srs.forward('Author@sender.example')!;

test('delivers mail to the targets with a rewritten sender and unchanged content', async () => {
  await expectReply({ from, to: 'info@shop.com' }, /^250 /);
  const [mail] = await through({
    from,
    to: 'Info+news@Shop.com',
    headers: ['X-Odd:  two  spaces ', 'DKIM-Signature: v=1; h=from'],
  });
  expect(mail).toMatchObject({ from: written, to: ['budi@home.example', 'sari@home.example'] });
  const [ours, theirs] = [mail!.raw.slice(0, mail!.raw.indexOf('X-Odd')), mail!.raw.slice(mail!.raw.indexOf('X-Odd'))];
  expect(ours).toMatch(/^X-Namehold-Hop: 1\r\nReceived: from sender\.example [\s\S]*\(UTC\)\r\n$/);
  expect(theirs).toMatch(
    /^X-Odd: {2}two {2}spaces \r\nDKIM-Signature: v=1; h=from\r\nFrom: <Author@Sender\.example>\r\nTo: <Info\+news@Shop\.com>\r\n/,
  );
  expect(theirs.endsWith('\r\n\r\nGood day.\r\n')).toBe(true);
});

test('delivers a message to three addresses with one target once', async () => {
  const to = ['info@trio.com', 'sales@trio.com', 'help@trio.com'];
  const targets = ['sari@home.example'];
  await makeMailDomain(t, 'trio.com', { info: targets, sales: [...targets, 'budi@home.example'], help: targets });
  await expectReply({ from, to: 'info@trio.com' }, /^250 /);
  const subject = 'To three addresses at once';
  const queueId = /queued as (\w+)/.exec(await send({ from, to, subject }))?.[1];
  // Postfix removes a message from its queue when all recipients have it.
  await soon(() => expect(postfix.log()).toContain(`${queueId}: removed`));
  const sent = new RegExp(`${queueId}: to=<([^>]+)>.* status=sent`, 'g');
  const copies = [...postfix.log().matchAll(sent)].map(([, target]) => target);
  expect(copies.toSorted()).toEqual(['budi@home.example', 'sari@home.example']);
});

test("keeps the author's DKIM signature valid for lines of 3,000 characters", async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const raw = [
    'From: <author@sender.example>',
    'To: <round@shop.com>',
    'Subject: A message with long lines',
    '',
    ...['a', 'word '].map((piece) => piece.repeat(3_000 / piece.length).trimEnd()),
    '',
  ].join('\r\n');
  const transport = createTransport({ host: '127.0.0.1', port: postfix.port, ignoreTLS: true, name: 'sender.example' });
  await transport.sendMail({
    envelope: { from, to: 'round@shop.com' },
    raw,
    dkim: {
      domainName: 'sender.example',
      keySelector: 'mail',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  });
  transport.close();
  const mail = await soon(() => {
    const found = others.arrived.find((each) => each.raw.includes('A message with long lines'));
    expect(found, postfix.log()).toBeDefined();
    return found!;
  });
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  const verify = `import dkim, os, sys
def dns(name, timeout=5):
    return os.environ['RECORD'].encode() if name == b'mail._domainkey.sender.example.' else None
print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=dns))`;
  const verified = (message: string) =>
    execFileSync('/usr/bin/python3', ['-c', verify], { input: message, env: { RECORD: record } })
      .toString()
      .trim();
  expect(verified(mail.raw)).toBe('True');
  expect(verified(mail.raw.replace('word word', 'word  word!'))).toBe('False');
});

/** Requests to `namehold mx` so far, by map, and to the policy service. */
async function lookupCounts(): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${env.NAMEHOLD_MX_METRICS_PORT}/metrics`)).text();
  const counts: Record<string, number> = { policy: 0, route: 0, srs_out: 0, srs_in: 0 };
  for (const [, map, count] of text.matchAll(/^namehold_mx_lookups_total\{map="(\w+)".*\} (\d+)$/gm))
    counts[map!] = (counts[map!] ?? 0) + Number(count);
  for (const [, count] of text.matchAll(/^namehold_mx_verdicts_total\{.*\} (\d+)$/gm)) counts.policy! += Number(count);
  return counts;
}

test('queries policy, recipient map and sender map only as often as expected for a message', async () => {
  const before = await lookupCounts();
  for (let mail = 0; mail < 3; mail++) await through({ from, to: 'round@shop.com' });
  const after = await lookupCounts();
  const queried = Object.fromEntries(Object.keys(before).map((key) => [key, after[key]! - before[key]!]));
  expect(queried).toMatchObject({ policy: 6, route: 6, srs_out: 3, srs_in: 0 });
});

test('accepts mail as soon as forwarding is set, although Postfix has cached its lookups', async () => {
  // Every smtpd process has a cache of its own.
  for (let each = 0; each < 4; each++) expect(await send({ from, to: 'info@new.com' })).toMatch(/^554 /);
  await makeMailDomain(t, 'new.com', { info: ['sari@home.example'] });
  await expectReply({ from, to: 'info@new.com' }, /^250 /);
  for (let each = 0; each < 8; each++) expect(await send({ from, to: 'info@new.com' })).toMatch(/^250 /);
  for (let place = 1; place <= 10; place++) {
    const next = place === 10 ? 'sari@home.example' : `a@chain-${place + 1}.com`;
    await makeMailDomain(t, `chain-${place}.com`, { a: [next] });
    await setTargetState(t, next, 'confirmed');
  }
  await expectReply({ from, to: 'a@chain-1.com' }, /^250 /);
  const [mail] = await through({ from, to: ['a@chain-1.com'] });
  expect(mail).toMatchObject({ to: ['sari@home.example'] });
});

test('accepts every address of a catch-all, also as the target of another address', async () => {
  for (const to of ['whoever@whole.net', 'x+y@whole.net', 'inner@shop.com'])
    expect(await through({ from, to })).toMatchObject([{ from: written, to: ['all@home.example'] }]);
  expect(await through({ from, to: 'abuse@shop.com' })).toMatchObject([{ to: ['operator@service.example'] }]);
  expect(await through({ from, to: 'postmaster@forward.example' })).toMatchObject([
    { to: ['operator@service.example'] },
  ]);
});

test('defers mail until the target consents, then accepts it', async () => {
  expect(await send({ from, to: 'later@shop.com' })).toMatch(
    /^450 4\.2\.1 .*no target of this address has been confirmed yet/,
  );
  await setTargetState(t, 'later@home.example', 'confirmed');
  await expectReply({ from, to: 'later@shop.com' }, /^250 /);
  await setTargetState(t, 'later@home.example', 'stopped');
  await expectReply({ from, to: 'later@shop.com' }, /^550 5\.2\.1 /);
});

test('refuses mail for other domains', async () => {
  expect(await send({ from, to: 'nobody@shop.com' })).toMatch(/^550 5\.1\.1 .*No such address/);
  expect(await send({ from, to: 'never@shop.com' })).toMatch(/^550 5\.2\.1 /);
  for (const to of ['a@elsewhere.example', 'a%elsewhere.example@sub.shop.com', '"a@elsewhere.example"@other.example'])
    expect(await send({ from, to })).toMatch(/^5\d\d 5\.(7\.1|1\.\d) /);
  const wrong = written.replace(/SRS0=(.)/, (_, first) => `SRS0=${first === 'A' ? 'B' : 'A'}`);
  expect(await send({ from: '', to: wrong })).toMatch(/^550 5\.1\.1 .*invalid or expired/);
  expect(await send({ from, to: written })).toMatch(/^550 5\.7\.1 .*only delivery reports/);
});

test('refuses mail to the mail host itself at RCPT, and sends no bounce', async () => {
  const victim = 'victim@forged.example';
  for (const to of [
    'x@[127.0.0.1]',
    'postmaster@[127.0.0.1]',
    'x@127.0.0.1',
    'x@127.1',
    'x@::1',
    'x@2130706433',
    'nosuch@localhost',
    'root@localhost.service.example',
    'nosuch@mx1.service.example',
    'root@mx1.service.example',
    'root@mx1.service.example.',
    'nosuch',
    'root',
    '"x@[127.0.0.1]"@mx1.service.example',
    'x%localhost@mx1.service.example',
    '@localhost:x@[127.0.0.1]',
    'localhost!root',
  ])
    expect(
      await raw(['EHLO sender.example\r\n', `MAIL FROM:<${victim}>\r\n`, `RCPT TO:<${to}>\r\n`, 'QUIT\r\n']),
      to,
    ).toMatch(/^250 2\.1\.0 .*\r\n5\d\d 5\./m);
  expect(others.arrived.filter(({ to }) => to.includes(victim))).toEqual([]);
});

test('refuses senders with an IP address in place of a domain', async () => {
  for (const sender of addressesAtIps)
    expect(
      await raw(['EHLO sender.example\r\n', `MAIL FROM:<${sender}>\r\n`, 'RCPT TO:<info@shop.com>\r\n', 'QUIT\r\n']),
      sender,
    ).toMatch(/^5\d\d 5\.(1\.7|5\.\d|1\.\d) /m);
});

test('returns bounces of our own and of other mail servers to the author', async () => {
  const [report] = await through({ from: '', to: written, headers: ['X-Namehold-Hop: 1'] });
  expect(report).toMatchObject({ from: '', to: ['Author@sender.example'] });
  others.refuses.set('gone@home.example', { code: 550, text: '5.1.1 no such user' });
  const [bounce] = await through({ from, to: 'gone@shop.com' });
  expect(bounce).toMatchObject({ from: '', to: ['Author@sender.example'] });
  expect(bounce!.raw).toMatch(/Final-Recipient: rfc822; gone@home\.example\r\n/);
});

test('stops forwarding to a target that refuses ten messages, counted from the reports of Postfix', async () => {
  others.refuses.set('gone@home.example', { code: 550, text: '5.1.1 no such user' });
  others.refuses.set('round@home.example', { code: 550, text: '5.7.1 spam' });
  for (const to of ['gone@shop.com', 'round@shop.com']) await through({ from, to });
  others.refuses.delete('round@home.example');
  const reportOf = (address: string) =>
    soon(() => {
      const found = others.arrived.find(({ to, raw }) => to[0] === reports && raw.includes(address));
      expect(found, postfix.log()).toBeDefined();
      return found!.raw;
    });
  expect(await takeReport(t.ctx, await reportOf('round@home.example'))).toBe(0);
  const report = await reportOf('gone@home.example');
  const another = (at: number) => report.replace(/^(message-id: <)/im, `$1${at}.`);
  for (let times = 0; times < 9; times++) expect(await takeReport(t.ctx, another(times))).toBe(1);
  // A repeated report counts once.
  expect(await takeReport(t.ctx, another(0))).toBe(0);
  expect(await send({ from, to: 'gone@shop.com' })).toMatch(/^250 /);
  expect(await takeReport(t.ctx, report)).toBe(1);
  await expectReply({ from, to: 'gone@shop.com' }, /^550 5\.2\.1 /);
  expect(await takeReport(t.ctx, 'Subject: no report\r\n\r\nx')).toBe(0);
});

test('ends a loop through another provider in its third round', async () => {
  let [mail] = await through({ from, to: 'round@shop.com' });
  const again = () => {
    const [head = '', ...body] = mail!.raw.split('\r\n\r\n');
    return {
      from: mail!.from,
      to: 'round@shop.com',
      headers: head.split('\r\n'),
      body: body.join('\r\n\r\n').trimEnd(),
    };
  };
  for (const marks of [['1'], ['1', '2'], ['1', '2', '3']]) {
    expect([...mail!.raw.matchAll(/^X-Namehold-Hop: (\d)\r$/gm)].map((found) => found[1])).toEqual(marks);
    if (marks.length < 3) [mail] = await through(again());
  }
  expect(await send(again())).toMatch(/^550 5\.4\.6 /);
});

test('refuses a second message hidden in a first, and more recipients than the limit', async () => {
  const hidden =
    'MAIL FROM:<ceo@shop.com>\r\nRCPT TO:<info@shop.com>\r\nDATA\r\nSubject: hidden below\r\n\r\nx\r\n.\r\n';
  const begin = [
    'EHLO sender.example\r\n',
    'MAIL FROM:<a@sender.example>\r\n',
    'RCPT TO:<any@whole.net>\r\n',
    'DATA\r\n',
  ];
  for (const end of ['\n.\n', '\r\n.\n', '\n.\r\n'])
    expect(await raw([...begin, `Subject: shown above\r\n\r\nx${end}${hidden}`, 'QUIT\r\n'])).not.toMatch(
      /queued[\s\S]*queued/,
    );
  const shown = () => others.arrived.filter(({ raw }) => raw.includes('Subject: shown above'));
  await soon(() => expect(shown().map(({ to }) => to)).toEqual(Array(3).fill(['all@home.example'])));
  expect(others.arrived.filter(({ raw }) => /^Subject: hidden below/m.test(raw.split('\r\n\r\n')[0]!))).toEqual([]);
  const many = Array.from({ length: 51 }, (_, at) => `RCPT TO:<a${at}@whole.net>\r\n`);
  const replies = await raw([...begin.slice(0, 2), ...many, 'QUIT\r\n']);
  expect(replies.match(/^250 2\.1\.5/gm)).toHaveLength(50);
  expect(replies).toMatch(/^452 4\.5\.3/m);
});

test('delivers without the database, and defers mail without `namehold mx`', async () => {
  const file = join(t.folder, 'mx', 'routes');
  await soon(() => expect(existsSync(file) && readFileSync(file, 'utf8')).toContain('"later"'));
  const name = new URL(t.databaseUrl.replace(/^postgres(ql)?:\/\/[^/]*@?\//, 'http://x/')).pathname.slice(1);
  const admin = new pg.Client({ connectionString: databaseUrl('postgres') });
  await admin.connect();
  try {
    await admin.query(`alter database ${name} with allow_connections false`);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and (application_name = 'namehold-mx' or query like 'listen%' or query = 'select 1')`,
      [name],
    );
    expect(await through({ from, to: 'info@shop.com' })).toMatchObject([{ from: written }]);
    mx.kill('SIGKILL');
    await expectReply({ from, to: 'info@shop.com' }, /^451 4\.3\.0 /);
    // New domains, because Postfix caches earlier results for a moment.
    expect(await send({ from, to: 'a@first.example' })).toMatch(/^4\d\d /);
    await startMx();
    await expectReply({ from, to: 'info@shop.com' }, /^250 /);
    expect(await send({ from, to: 'nobody@shop.com' })).toMatch(/^550 5\.1\.1 /);
    // The domain may be newer than the copy on disk.
    expect(await send({ from, to: 'a@second.example' })).toMatch(/^451 /);
  } finally {
    await admin.query(`alter database ${name} with allow_connections true`);
    await admin.end();
  }
  await expectReply({ from, to: 'a@second.example' }, /^554 5\.7\.1 /);
});

test('reports queued mail by domain with the reason, and raises an alarm after an hour', async () => {
  // Messages of earlier tests.
  postfix.command('postsuper', '-d', 'ALL');
  others.refuses.set('slow@slow.example', { code: 451, text: '4.3.2 Come again\u0007 later' });
  expect(await send({ from, to: 'slow@shop.com' })).toMatch(/^250 /);
  const command = ['postqueue', '-c', postfix.at('etc')];
  const queue = await soon(async () => {
    const read = await readQueue(command);
    expect(read.domains.get('slow.example')?.reason).toContain('Come again');
    // Reports of earlier tests may still be on their way.
    expect(read.messages).toBe(1);
    return read;
  });
  expect(queue).toMatchObject({ messages: 1, isWhole: true, oldest: expect.any(Date) });
  expect(queue.domains.get('slow.example')!.reason).not.toContain('\u0007');
  const metrics = new Registry();
  const watch = new QueueWatch({ command, db: t.ctx.db, log: t.ctx.log, metrics });
  const alarms = async () => (await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('mail-queue:'));
  const later = (minutes: number) => new Date(queue.oldest!.getTime() + minutes * 60_000);
  try {
    await watch.check(later(59));
    expect(await alarms()).toEqual([]);
    await watch.check(later(61));
    expect(await alarms()).toMatchObject([
      {
        severity: 'warning',
        sentence: expect.stringMatching(/^mail for slow\.example has been queued for over an hour .*Come again/),
      },
    ]);
    const shown = await metrics.metrics();
    expect(shown).toContain('namehold_mx_waiting{domain="slow.example"} 1');
    expect(shown).toContain('namehold_mx_oldest_waiting_seconds 3660');
    postfix.command('postsuper', '-d', 'ALL');
    await watch.check(later(62));
    expect(await alarms()).toEqual([]);
    expect(await metrics.metrics()).not.toContain('namehold_mx_waiting{');
  } finally {
    await watch.stop();
  }
  // Endless output is read up to the limit, and a missing program fails.
  const endless = await readQueue([
    'sh',
    '-c',
    `yes '${JSON.stringify({ arrival_time: 1, recipients: [{ address: 'a@b' }] })}'`,
  ]);
  expect(endless).toMatchObject({ isWhole: false });
  expect(endless.messages).toBeLessThan(1_000_000);
  await expect(readQueue(['/nowhere/postqueue'])).rejects.toThrow('ENOENT');
});

test('delivers without the policy service, while the maps still refuse', async () => {
  closeDetour();
  await expectReply({ from, to: 'info@shop.com' }, /^250 /);
  expect(await send({ from, to: 'nobody@shop.com' })).toMatch(/^550 5\.1\.1 .*User unknown/);
  expect(await send({ from, to: 'later@shop.com' })).toMatch(/^550 5\.1\.1 /);
  await setTargetState(t, 'later@home.example', 'waiting');
  await expectReply({ from, to: 'later@shop.com' }, /^451 4\.3\.0 /);
  const [, to] = /inet:127\.0\.0\.1:(\d+), timeout/.exec(readFileSync(postfix.at('etc', 'main.cf'), 'utf8'))!;
  await openDetour(Number(to), Number(env.NAMEHOLD_MX_POLICY_PORT));
});

test('lists differences from the snippet and sends a test mail with namehold doctor', async () => {
  const tools = (program: string) => [program, '-c', postfix.at('etc')];
  const facts = {
    mailDomain: 'forward.example',
    mailHosts: ['mx1.service.example', 'mx2.service.example'],
    abuseAddress: 'operator@service.example',
    postconf: tools('postconf'),
    postqueue: tools('postqueue'),
  };
  const settings = async () => (await probePostfix(facts, () => snippet))!.map(({ ok, text }) => (ok ? 'ok' : text));
  const answers = () => probeAnswers(facts, '127.0.0.1', postfix.port);
  const set = (line: string) => {
    execFileSync('postconf', ['-c', postfix.at('etc'), line]);
    postfix.command('postfix', 'reload');
  };
  // Differences of this copy, and no others.
  expect(await settings()).toEqual([
    'differ from namehold mx snippet: transport_maps is ""; smtpd_tls_security_level is "none"; smtp_dns_support_level is "disabled"; smtp_tls_security_level is "none"; smtpd_milters is ""',
    'ok',
    'ok',
    expect.stringContaining('no service namehold-report'),
  ]);
  await soon(async () => expect(await answers()).toMatchObject({ ok: true }));
  expect(await probeTestMail(facts, '127.0.0.1', postfix.port)).toMatchObject({
    ok: true,
    text: expect.stringMatching(/^\w+ was delivered to the mail server of operator@service\.example/),
  });
  expect(others.arrived.at(-1)).toMatchObject({
    from: srs.forward('doctor@mx1.service.example'),
    to: ['operator@service.example'],
  });
  others.refuses.set('operator@service.example', { code: 451, text: '4.3.2 not now' });
  expect(await probeTestMail(facts, '127.0.0.1', postfix.port)).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^\w+ waits: .*not now/),
  });
  others.refuses.delete('operator@service.example');
  const wrong: [line: string, text: RegExp, fix: RegExp][] = [
    ['smtpd_relay_restrictions=reject_unauth_destination', /return|SRS0/, /policy service is not queried/],
    ['virtual_alias_maps=', /^postmaster@forward\.example, .*: 5/, /virtual_alias_maps/],
    ['namehold=socketmap:inet:127.0.0.1:1', /^postmaster@forward\.example, .*: 451 /, /run namehold mx/],
  ];
  for (const [line, text, fix] of wrong) {
    const [name = ''] = line.split('=');
    const former = execFileSync('postconf', ['-c', postfix.at('etc'), '-x', '-h', name], { encoding: 'utf8' }).trim();
    set(line);
    expect((await settings())[0]).toContain(`${name} is "`);
    await soon(async () =>
      expect(await answers()).toMatchObject({
        ok: false,
        text: expect.stringMatching(text),
        fix: expect.stringMatching(fix),
      }),
    );
    set(`${name}=${former}`);
  }
  await soon(async () => expect(await answers()).toMatchObject({ ok: true }));
  writeFileSync(postfix.at('etc', 'namehold-returns'), '');
  postfix.command('postfix', 'reload');
  expect((await settings())[1]).toBe('differs from namehold mx snippet');
  await soon(async () =>
    expect(await answers()).toMatchObject({ ok: false, fix: expect.stringContaining('accept mail from any sender') }),
  );
  writeFileSync(postfix.at('etc', 'namehold-returns'), snippet.find(({ file }) => file.endsWith('-returns'))!.text);
  set('myhostname=mail.other.example');
  expect(await settings()).toEqual(['myhostname is mail.other.example, which is not in NAMEHOLD_MAIL_HOSTS']);
  set('myhostname=mx1.service.example');
  expect(await probePostfix({ ...facts, postconf: ['/nowhere/postconf'] }, () => snippet)).toBeUndefined();
  await soon(async () => expect(await answers()).toMatchObject({ ok: true }));
});

test('lets Postfix use Unix sockets with restricted access, and replaces leftover ones', async () => {
  const folder = env.NAMEHOLD_MX_SOCKET_DIR!;
  // Processes of Postfix run in its queue directory, and socket paths are relative to it.
  const lookUp = (map: string, key: string) =>
    execFileSync('postmap', ['-q', key, `socketmap:unix:sockets/maps:${map}`], {
      encoding: 'utf8',
      cwd: join(folder, '..'),
    });
  expect(lookUp('domain', 'shop.com').trim()).toBe('shop.com');
  expect(lookUp('route', 'any@whole.net').trim()).toBe('all@home.example');
  for (const name of ['maps', 'policy']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o660);
  const talk = socketmap((_map, key) => ({ kind: 'ok', data: key }));
  await expect(serveProtocolAt(talk, join(folder, 'maps'))).rejects.toThrow('another process already listens');
  const printed = await runNamehold(['mx', 'snippet'], {
    env: { ...env, NAMEHOLD_MX_SOCKET_DIR: '/var/spool/postfix/namehold' },
  });
  for (const line of [
    'namehold = socketmap:unix:namehold/maps',
    'check_policy_service { unix:namehold/policy, timeout=2s',
    'install -d -o namehold -g postfix -m 2750 /var/spool/postfix/namehold',
  ])
    expect(printed.stdout).toContain(line);
});

test('limits and counts messages of a domain', async () => {
  expect(await send({ from, to: 'nobody@shop.com' })).toMatch(/^550 5\.1\.1 /);
  const results: string[] = [];
  // One more than the limit, and those accepted while the service was away.
  for (let at = 0; at < 60 && !results.at(-1)?.startsWith('450'); at++)
    results.push(await send({ from, to: 'info@shop.com' }));
  expect(results.at(-1)).toMatch(/^450 4\.7\.1 .*limit of messages/);
  expect(results.slice(0, -1).filter((each) => !each.startsWith('250 '))).toEqual([]);
  // Messages at another mail host count too, a moment later.
  await t.ctx.db.transaction(allTenants, (tx) =>
    addMailCounts(tx, [{ domain_id: wholeId, hour: thisHour(), outcome: 'forwarded', messages: 39 }]),
  );
  let own = 0;
  for (; own < 30 && (await send({ from, to: 'any@whole.net' })).startsWith('250 '); own++)
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(own).toBeLessThan(30);
  const ended = new Promise((resolve) => mx.once('exit', resolve));
  mx.kill('SIGTERM');
  expect(await ended).toBe(0);
  const rows = await t.ctx.db.transaction(allTenants, (tx) =>
    tx.many<{ outcome: string; messages: string }>(
      sql`select outcome, sum(messages)::text as messages from mail_hour where domain_id = ${shopId} group by 1`,
    ),
  );
  const counted = Object.fromEntries(rows.map(({ outcome, messages }) => [outcome, Number(messages)]));
  // A killed process loses the counts of up to ten seconds.
  expect(counted).toMatchObject({ limited: 1, refused: expect.any(Number) });
  expect(counted.forwarded).toBeGreaterThanOrEqual(40);
});
