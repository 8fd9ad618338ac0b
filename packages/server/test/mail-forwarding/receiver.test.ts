import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { addressesAtIps } from '../mx/addresses-at-ips.ts';
import { runNamehold } from '../support/process.ts';
import { makeDomain } from '../zones/support.ts';

const run = promisify(execFile);
let t: TestService;
beforeAll(async () => {
  t = await startTestService({ env: { NAMEHOLD_SANDBOX_SMTP_PORT: '0' } });
});
afterAll(() => t.stop());

/** An SMTP conversation; each line waits for the reply to the one before. */
function talk(lines: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const replies: string[] = [];
    const left = [...lines, 'QUIT\r\n'];
    const socket = connect(t.service.receiver!.port, '127.0.0.1');
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      if (!/^\d{3} .*\r\n$/m.test(text) || !text.endsWith('\r\n')) return;
      replies.push(text.trim().split('\r\n').at(-1)!);
      text = '';
      const next = left.shift();
      if (next !== undefined) socket.write(next, 'latin1');
    });
    socket.on('close', () => resolve(replies));
    socket.on('error', reject);
  });
}
const envelope = (...to: string[]) => [
  'EHLO client.example\r\n',
  'MAIL FROM:<author@writer.example>\r\n',
  ...to.map((one) => `RCPT TO:<${one}>\r\n`),
];
const kept = async () =>
  (
    (await t.call('GET', '/v1/sandbox/mail', { query: { limit: '100' } })).body as {
      to: string;
      from: string;
      subject: string;
      text: string;
      notice_id: string | null;
      forwarded_for: string | null;
    }[]
  ).filter((mail) => mail.notice_id === null);
const answerOf = async (address: string) => (await talk(envelope(address)))[3]!.slice(0, 9);

async function confirm(address: string): Promise<void> {
  const link = await vi.waitFor(
    async () => {
      const { body } = await t.call('GET', '/v1/sandbox/mail', { query: { limit: '100' } });
      const mail = (body as { to: string; text: string }[]).find(({ to }) => to.includes(`<${address}>`));
      const found = /^https?:\/\/[^/]+(\/confirm\/\S+)$/m.exec(mail?.text ?? '')?.[1];
      expect(found).toBeDefined();
      return found!;
    },
    { timeout: 300_000 },
  );
  const answered = await fetch(`${t.url}${link}`, { method: 'POST', body: new URLSearchParams({ answer: 'yes' }) });
  expect(answered.status).toBe(200);
}

test('defers mail until its target consents, then stores it unchanged, and refuses other mail', async () => {
  const id = await makeDomain(t, 'received.com');
  const forwards = `/v1/domains/${id}/email_forwarding`;
  const add = (email: string, forward_to: string) => t.call('POST', forwards, { form: { email, forward_to } });
  expect((await add('info', 'sari@elsewhere.example')).status).toBe(200);
  await expect.poll(() => answerOf('info@received.com')).toBe('450 4.2.1');
  await confirm('sari@elsewhere.example');
  await expect.poll(() => answerOf('Info+shop@Received.com')).toMatch(/^250/);
  expect(await answerOf('nobody@received.com')).toBe('550 5.1.1');
  expect(await answerOf('info@stranger.example')).toBe('550 5.7.1');
  // The example of the guide.
  const message = 'From: a@writer.example\r\nSubject: Hello\r\n there\r\n\r\nA letter.\r\n';
  const sending = run('curl', [
    '-sS',
    `smtp://127.0.0.1:${t.service.receiver!.port}`,
    ...['--mail-from', 'author@writer.example', '--mail-rcpt', 'info@received.com', '--upload-file', '-'],
  ]);
  sending.child.stdin!.end(message);
  await sending;
  expect(await kept()).toMatchObject([
    {
      to: '<sari@elsewhere.example>',
      from: '<author@writer.example>',
      forwarded_for: 'info@received.com',
      subject: 'Hello there',
      text: message,
    },
  ]);
  const held = await t.call('PUT', `${forwards}/info`, { form: { enabled: 'false' } });
  expect(held.status, held.text).toBe(200);
  await expect.poll(() => answerOf('info@received.com')).toBe('550 5.7.1');
  await expect
    .poll(async () => (await t.call('GET', `${forwards}/statistics`)).body.messages)
    .toMatchObject({ forwarded: 1, deferred: expect.any(Number), refused: expect.any(Number) });
  const sealed = await t.ctx.db.as(allTenants).one<{ message_sealed: string }>(sql`
    select message_sealed from sandbox_mail where forward_id is not null`);
  expect(sealed.message_sealed).not.toContain('letter');
});

test('stores a message to three addresses with one target once', async () => {
  const id = await makeDomain(t, 'trio.com');
  const addresses = ['info', 'sales', 'help'];
  for (const email of addresses) {
    const form = { email, forward_to: 'one@elsewhere.example' };
    expect((await t.call('POST', `/v1/domains/${id}/email_forwarding`, { form })).status).toBe(200);
  }
  await confirm('one@elsewhere.example');
  for (const email of addresses) await expect.poll(() => answerOf(`${email}@trio.com`)).toMatch(/^250/);
  const replies = await talk([
    ...envelope(...addresses.map((email) => `${email}@trio.com`)),
    'DATA\r\n',
    'Subject: To three addresses\r\n\r\nOne copy is enough.\r\n.\r\n',
  ]);
  expect(replies.at(-2)).toMatch(/^250/);
  const copies = (await kept()).filter(({ subject }) => subject === 'To three addresses');
  expect(copies).toMatchObject([{ to: '<one@elsewhere.example>', forwarded_for: 'info@trio.com' }]);
});

test('lists messages and consents by their link with `namehold sandbox mail`', async () => {
  const id = await makeDomain(t, 'typed.com');
  const form = { email: 'info', forward_to: 'typed@elsewhere.example' };
  expect((await t.call('POST', `/v1/domains/${id}/email_forwarding`, { form })).status).toBe(200);
  const mail = (...words: string[]) =>
    runNamehold(['sandbox', 'mail', ...words], { folder: t.folder, env: { DATABASE_URL: t.databaseUrl } });
  await vi.waitFor(
    async () => {
      const { text } = await t.call('GET', '/v1/sandbox/mail', { query: { limit: '100' } });
      expect(text).toContain('typed@elsewhere.example');
    },
    { timeout: 300_000 },
  );
  const line = (await mail()).stdout.split('\n').find((each) => each.includes('typed@elsewhere.example'));
  const [mailId] = line!.split(' ');
  expect(await answerOf('info@typed.com')).toBe('450 4.2.1');
  expect(await mail(mailId!, '--confirm')).toMatchObject({ code: 0, stdout: 'confirmed\n' });
  await expect.poll(() => answerOf('info@typed.com')).toMatch(/^250/);
});

test('refuses bare line feeds, SMTP smuggling, too many recipients and large messages', async () => {
  const id = await makeDomain(t, 'strict.com');
  const all = await t.call('PUT', `/v1/domains/${id}/email_forwarding/catch_all`, {
    form: { email: 'b@elsewhere.example' },
  });
  expect(all.status).toBe(200);
  await confirm('b@elsewhere.example');
  await expect.poll(() => answerOf('any@strict.com')).toMatch(/^250/);
  const before = (await kept()).length;
  const data = async (message: string) => (await talk([...envelope('a@strict.com'), 'DATA\r\n', message])).at(-2);
  const smuggled = 'MAIL FROM:<x@y.example>\r\nRCPT TO:<a@strict.com>\r\nDATA\r\nTwo\r\n';
  for (const message of [
    'Subject: a\r\n\r\none\ntwo\r\n.\r\n',
    'Subject: a\r\n\r\none\rtwo\r\n.\r\n',
    `Subject: a\r\n\r\nOne\n.\n${smuggled}.\r\n`,
    `Subject: a\r\n\r\nOne\n.\r\n${smuggled}.\r\n`,
    `Subject: a\r\n\r\nOne\r\n.\n${smuggled}.\r\n`,
    `Subject: a\r\n\r\nOne\r\n.\r${smuggled}.\r\n`,
  ])
    expect(await data(message), JSON.stringify(message.slice(0, 40))).toMatch(/^554 5\.6\.11/);
  expect(await data(`Subject: big\r\n\r\n${'x'.repeat(998)}\r\n`.repeat(1_100).concat('.\r\n'))).toMatch(/^552/);
  const many = await talk(envelope(...Array.from({ length: 51 }, (_, n) => `a${n}@strict.com`)));
  expect(many.at(-3)).toMatch(/^250/);
  expect(many.at(-2)).toMatch(/^452 4\.5\.3/);
  expect(await kept()).toHaveLength(before);
});

test('refuses the senders that a mail host refuses because nothing can be returned to them', async () => {
  const id = await makeDomain(t, 'returned.com');
  const all = await t.call('PUT', `/v1/domains/${id}/email_forwarding/catch_all`, {
    form: { email: 'r@elsewhere.example' },
  });
  expect(all.status).toBe(200);
  await confirm('r@elsewhere.example');
  await expect.poll(() => answerOf('any@returned.com')).toMatch(/^250/);
  const replyTo = async (sender: string) => {
    const from = `MAIL FROM:<${sender}>\r\n`;
    const replies = await talk(['EHLO client.example\r\n', from, 'RCPT TO:<any@returned.com>\r\n']);
    return replies.find((reply) => /^5/.test(reply)) ?? replies[3]!;
  };
  for (const sender of addressesAtIps) expect(await replyTo(sender), sender).toMatch(/^5/);
  for (const sender of ['joe@1.2.3.4', 'joe@1.2.3.4.', 'joe@127.1', 'ceo'])
    expect(await replyTo(sender), sender).toMatch(/^5(53 5\.1\.7|01 )/);
  for (const sender of ['', 'joe@1.2.3.example']) expect(await replyTo(sender), sender).toMatch(/^250/);
});
