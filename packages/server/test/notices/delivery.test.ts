import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTenants, sql } from '@namehold/postgres';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bareEnv } from '../../../../test/support/bare-env.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { program } from '../../../../test/support/program.ts';
import { projectRoot, startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { takeReturned } from '../../src/core/delivery/bounce.ts';
import { sendDue } from '../../src/core/delivery/send.ts';
import { notify } from '../../src/core/notices/notify.ts';

let t: TestService;
let port: number;
let dkimRecord: string;
let server: SMTPServer | undefined;
const received: { from: string; to: string[]; raw: string }[] = [];
/** The server's answer to a recipient. */
let answer: { responseCode: number; message: string } | undefined;

async function openServer(): Promise<void> {
  server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, callback) =>
      callback(answer ? Object.assign(new Error(answer.message), { responseCode: answer.responseCode }) : undefined),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', () => resolve()));
}
const closeServer = () => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));

beforeAll(async () => {
  port = await freePort();
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  dkimRecord = `v=DKIM1; k=rsa; p=${published}`;
  const keyFile = join('/tmp', `namehold-dkim-${process.pid}.pem`);
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  t = await startTestService({
    env: {
      NAMEHOLD_SMTP_URL: `smtp://127.0.0.1:${port}`,
      NAMEHOLD_MAIL_FROM: 'notices@service.example',
      NAMEHOLD_MAIL_BOUNCE: 'bounce@service.example',
      NAMEHOLD_DKIM_DOMAIN: 'service.example',
      NAMEHOLD_DKIM_SELECTOR: 'one',
      NAMEHOLD_DKIM_KEY_FILE: keyFile,
    },
  });
});
afterAll(async () => {
  await t.stop();
  await closeServer();
});

const to = { name: 'Sari, "the" Dewi', email: 'sari@customer.example', country_code: 'ID' };
const write = (address = to.email) =>
  t.ctx.db.transaction(allTenants, (tx) =>
    notify(t.ctx, tx, {
      kind: 'data_reminder',
      resellerId: '1000',
      to: { ...to, email: address },
      facts: { domain: 'x.com', record: 'A\nB' },
    }),
  ) as Promise<string>;
const state = async (id: string) => (await t.call('GET', `/v1/notices/${id}`)).body;
const due = (id: string) => t.ctx.db.autocommit(allTenants).run(sql`update notice set due_at = now() where id = ${id}`);
const until = async (id: string, wanted: string) => {
  await vi.waitFor(
    async () => {
      // A run that had begun before may have postponed it.
      await due(id);
      expect((await state(id)).state).toBe(wanted);
    },
    { timeout: 300_000, interval: 500 },
  );
  return state(id);
};
const undelivered = async () =>
  (await t.call('GET', '/v1/events', { query: { type: 'notice.undelivered' } })).body.events.map(
    (event: { object_id: string }) => event.object_id,
  );
const report = (status: string, action = 'failed') =>
  [
    'From: MAILER-DAEMON@mx.example',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain',
    '',
    'Sorry.',
    '--b1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; sari@customer.example`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1',
    ' no such user',
    '--b1--',
  ].join('\r\n');

test('keeps mail queued while the mail server is down for a day, then sends each message once', async () => {
  const ids = [await write(), await write()];
  // Whichever comes first: the other waits with it, untried.
  const tries = async () => (await Promise.all(ids.map(state))).map((each) => each.tries as number);
  await vi.waitFor(async () => expect(Math.max(...(await tries()))).toBeGreaterThan(0), { timeout: 300_000 });
  expect((await t.call('GET', '/v1/account/balance')).status).toBe(200);
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update notice set queued_at = now() - interval '26 hours', due_at = now()`);
  await sendDue(t.ctx);
  await vi.waitFor(
    async () => {
      await sendDue(t.ctx);
      expect((await openAlarms(t.ctx)).find(({ key }) => key === 'mail')?.sentence).toMatch(
        /^2 notices wait .* 26 hours/,
      );
    },
    { timeout: 300_000 },
  );
  await openServer();
  // As if the pause after the last try were over.
  await t.ctx.db.autocommit(allTenants).run(sql`update notice set due_at = now() where state = 'queued'`);
  for (const id of ids) await until(id, 'sent');
  expect(received).toHaveLength(2);
  await sendDue(t.ctx);
  await vi.waitFor(async () => expect((await openAlarms(t.ctx)).filter(({ key }) => key === 'mail')).toEqual([]), {
    timeout: 300_000,
  });
});

test('sends a message with sender, reply address, signature, text and HTML to one recipient', async () => {
  received.length = 0;
  const id = await write();
  await until(id, 'sent');
  const [mail] = received;
  expect(mail!.to).toEqual(['sari@customer.example']);
  expect(mail!.from).toMatch(new RegExp(`^bounce\\+${id.slice(4)}\\.[0-9a-f]{16}@service\\.example$`));
  const raw = mail!.raw.replace(/\r\n[ \t]+/g, ' ');
  expect(raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256;.* d=service\.example;.* s=one;/m);
  expect(raw).toMatch(/^From: .*<notices@service\.example>$/m);
  expect(raw).toMatch(/^Reply-To: .+@.+$/m);
  expect(raw).toMatch(/^To: "Sari, \\"the\\" Dewi" <sari@customer\.example>$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(raw).toContain('multipart/alternative');
  // Debian's dkimpy is independent of our code.
  expect(isSigned(mail!.raw)).toBe(true);
  expect(isSigned(mail!.raw.replace('x.com', 'y.com'))).toBe(false);
});

/** By RFC 6376, with the key that would be in the DNS. */
function isSigned(raw: string): boolean {
  const verifyScript = `import dkim, os, sys
record = os.environ['RECORD'].encode()
def dns(name, timeout=5):
    assert name == b'one._domainkey.service.example.', name
    return record
print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=dns))`;
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', verifyScript], {
    input: raw,
    env: { RECORD: dkimRecord },
    encoding: 'utf8',
  });
  expect(stdout, stderr).toMatch(/^(True|False)\n$/);
  return stdout === 'True\n';
}

test('fails a notice with an event on a permanent refusal, and retries a temporary one', async () => {
  answer = { responseCode: 450, message: 'try later' };
  const id = await write();
  await vi.waitFor(async () => expect((await state(id)).result).toContain('try later'), { timeout: 300_000 });
  expect((await state(id)).state).toBe('queued');
  answer = { responseCode: 550, message: 'no such user' };
  expect((await until(id, 'failed')).result).toContain('no such user');
  answer = undefined;
  expect(await undelivered()).toContain(id);
  const late = await write();
  await until(late, 'sent');
});

test('fails a notice that cannot be delivered within the configured time', async () => {
  await closeServer();
  const id = await write();
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update notice set queued_at = now() - interval '73 hours' where id = ${id}`);
  await until(id, 'failed');
  await openServer();
});

test('marks the notice and the address of a bounce once, and ignores bounces without a valid token', async () => {
  const id = await write('gone@customer.example');
  await until(id, 'sent');
  const { from } = received.at(-1)!;
  const forged = from.replace(/\.[0-9a-f]{16}@/, '.0123456789abcdef@');
  expect(await takeReturned(t.ctx, forged, report('5.1.1'))).toBe('no notice of ours');
  expect(await takeReturned(t.ctx, 'bounce@service.example', report('5.1.1'))).toBe('no notice of ours');
  expect(await takeReturned(t.ctx, from, 'Subject: I am on holiday\r\n\r\nBye')).toBe('no report of a failure');
  expect(await takeReturned(t.ctx, from, report('4.4.7', 'delayed'))).toBe('no report of a failure');
  expect((await state(id)).state).toBe('sent');
  expect(await takeReturned(t.ctx, from.toUpperCase(), report('5.1.1'))).toBe('marked');
  expect(await takeReturned(t.ctx, from, report('5.1.1'))).toBe('known already');
  expect(await state(id)).toMatchObject({ state: 'bounced', result: '5.1.1 smtp; 550 5.1.1 no such user' });
  expect((await undelivered()).filter((each: string) => each === id)).toHaveLength(1);
  const customer = await makeCustomer(t);
  const contact = await makeContact(t, customer, undefined, { email: 'Gone@customer.example' });
  const read = await t.call('GET', `/v1/customers/${customer}/contacts/${contact}`);
  expect(read.body).toMatchObject({ email_verified_at: null, email_bounced_at: expect.stringMatching(/^20/) });
});

test('reads a bounced message from standard input, as a mail server passes it on', async () => {
  const id = await write('piped@customer.example');
  await until(id, 'sent');
  const { from } = received.at(-1)!;
  const pipe = async (recipient: string, message: string) => {
    const child = spawn(process.execPath, [program, 'mail', 'bounce', '--json'], {
      cwd: projectRoot,
      env: {
        ...bareEnv(),
        DATABASE_URL: t.databaseUrl,
        NAMEHOLD_DATA_DIR: t.folder,
        NAMEHOLD_MAIL_FROM: 'notices@service.example',
        NAMEHOLD_MAIL_BOUNCE: 'bounce@service.example',
        ORIGINAL_RECIPIENT: recipient,
      },
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (chunk) => out.push(String(chunk)));
    child.stderr.on('data', (chunk) => err.push(String(chunk)));
    child.stdin.end(message);
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code, err.join('')).toBe(0);
    return JSON.parse(out.join('')).outcome;
  };
  // Longer than is read: the report comes before the mail that it returns.
  expect(await pipe(from, `${report('5.1.1')}\r\n${'x'.repeat(6_000_000)}`)).toBe('marked');
  expect(await state(id)).toMatchObject({ state: 'bounced', result: '5.1.1 smtp; 550 5.1.1 no such user' });
  // An unrelated mail ends with success too: no report about a report.
  expect(await pipe('somebody@service.example', report('5.1.1'))).toBe('no notice of ours');
});
