import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../../test/support/ports.ts';
import { mxSnippet } from '../../src/cli/snippets/mx.ts';
import { MailRoutes } from '../../src/core/mail-forwarding/routes.ts';
import { MailCounter } from '../../src/mx/mail-counter.ts';
import { MailPolicy } from '../../src/mx/mail-policy.ts';
import { lookupIn } from '../../src/mx/maps.ts';
import { MessageLimits } from '../../src/mx/message-limits.ts';
import { policy } from '../../src/mx/policy.ts';
import { type ProtocolServer, serveProtocol } from '../../src/mx/protocol-server.ts';
import { socketmap } from '../../src/mx/socketmap.ts';
import { Srs } from '../../src/mx/srs.ts';
import type { PostfixCopy } from '../support/postfix.ts';
import { startMailHost } from './mail-host.ts';
import { OtherMailServers, sendSmtp } from './other-mail-servers.ts';
import { RspamdCopy, serveTxt } from './rspamd.ts';

const mailDomain = 'forward.example';
const now = () => new Date();
const srs = new Srs(mailDomain, ['one-secret-of-ours'], now);
const others = new OtherMailServers();
const keys = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
  records.set(name, `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`);
  return pem;
};
const records = new Map<string, string>();
const authorKey = keys('mail._domainkey.author.example');
const arcKey = keys(`arc._domainkey.${mailDomain}`);
records.set('_dmarc.author.example', 'v=DMARC1; p=reject');
records.set('author.example', 'v=spf1 -all');
records.set('_dmarc.lenient.example', 'v=DMARC1; p=none');
let servers: ProtocolServer[];
let postfix: PostfixCopy;
let rspamd: RspamdCopy;
let closeDns: () => void;
let isSilent = false;
let mailPolicy: MailPolicy;

beforeAll(async () => {
  const [port, othersPort, milter, dnsPort] = await Promise.all(Array.from({ length: 4 }, freePort));
  const routes = new MailRoutes();
  routes.put({
    domain_id: '1',
    name: 'shop.example',
    refused: null,
    routes: [
      ['info', { kind: 'targets', addresses: ['sari@home.example'], spam: 'refuse' }],
      ['all', { kind: 'targets', addresses: ['sari@home.example'], spam: 'mark' }],
      ['', { kind: 'targets', addresses: ['sari@home.example'], spam: 'refuse', isCatchAll: true }],
    ],
  });
  const parts = {
    routes,
    srs,
    mailDomain,
    mailHosts: ['mx1.service.example'],
    writtenDomains: [],
    postmaster: '',
    hasBegun: () => true,
    isComplete: () => true,
  };
  const answer = lookupIn(parts);
  mailPolicy = new MailPolicy({
    ...parts,
    limits: new MessageLimits({ perHour: 200, perDay: 200 }),
    counts: new MailCounter(),
    now,
  });
  servers = [
    await serveProtocol(
      socketmap((map, key) => {
        if (map === 'spam' && isSilent) throw new Error('hung up');
        if (map === 'judged') return { kind: mailPolicy.recordResult(key) ? 'ok' : 'notfound', data: '' };
        return answer(map, key);
      }),
      '127.0.0.1',
      0,
    ),
    await serveProtocol(
      policy((attributes) => mailPolicy.decide(attributes)),
      '127.0.0.1',
      0,
    ),
  ];
  const [maps, asked] = servers as [ProtocolServer, ProtocolServer];
  const snippet = mxSnippet({
    mailHost: 'mx1.service.example',
    mailHosts: ['mx1.service.example'],
    mailDomain,
    mxHost: '127.0.0.1',
    mxPort: maps.port,
    mxPolicyPort: asked.port,
  });
  closeDns = await serveTxt(dnsPort!, records);
  // The message contains its score; missing records of its author add 2.8.
  const weights = [2, 4, 6, 8, 10, 40].map(
    (score) => `WORTH_${score} { re = 'X-Worth=/^${score}$/H'; score = ${score}; }\n`,
  );
  const more = { 'local.d/regexp.conf': weights.join('') };
  rspamd = new RspamdCopy(snippet, { port: milter!, dnsPort: dnsPort!, arcKey, domain: mailDomain, more });
  await vi.waitFor(
    async () => {
      const socket = connect(milter!, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    },
    { timeout: 300_000, interval: 200 },
  );
  await others.open(othersPort!);
  postfix = startMailHost({
    port: port!,
    snippet,
    othersPort: othersPort!,
    more: { smtpd_milters: `inet:127.0.0.1:${milter}`, smtpd_authorized_xclient_hosts: '127.0.0.1' },
  });
});
afterAll(async () => {
  postfix?.stop();
  await rspamd?.stop();
  closeDns?.();
  await others.close();
  for (const server of servers ?? []) await server.close();
});

/** From a public address (XCLIENT), because rspamd trusts loopback; returns the reply to the message. */
async function send(
  from: string,
  text: string,
  { isSigned = false, to = ['info'], worth = 0 }: { isSigned?: boolean; to?: readonly string[]; worth?: number } = {},
): Promise<string> {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...(isSigned ? { dkim: { domainName: 'author.example', keySelector: 'mail', privateKey: authorKey } } : {}),
  });
  const { message } = await transport.sendMail({
    from,
    to: 'info@shop.example',
    subject: 'An offer of chairs',
    text,
    ...(worth === 0 ? {} : { headers: { 'X-Worth': String(worth) } }),
  });
  const reply = await sendSmtp(postfix.port, [
    'EHLO mail.author.example\r\n',
    'XCLIENT ADDR=203.0.113.25 NAME=mail.author.example\r\n',
    'EHLO mail.author.example\r\n',
    `MAIL FROM:<${from}>\r\n`,
    ...to.map((local) => `RCPT TO:<${local}@shop.example>\r\n`),
    'DATA\r\n',
    `${message.toString().replace(/\r\n$/, '')}\r\n.\r\n`,
    'QUIT\r\n',
  ]);
  const lines = reply.trim().split('\r\n');
  return lines[lines.findIndex((line) => line.startsWith('354')) + 1] ?? reply;
}

/** A mail with these headers, from an address at the other mail servers; the answer to the mail's end. */
async function sendHeaders(headers: readonly string[]): Promise<string> {
  const reply = await sendSmtp(postfix.port, [
    'EHLO mail.evil.example\r\n',
    'XCLIENT ADDR=203.0.113.25 NAME=mail.evil.example\r\n',
    'EHLO mail.evil.example\r\n',
    'MAIL FROM:<a@lenient.example>\r\n',
    'RCPT TO:<info@shop.example>\r\n',
    'DATA\r\n',
    `${[...headers, 'To: <info@shop.example>', 'Subject: Chairs', `Date: ${new Date().toUTCString()}`, `Message-ID: <${crypto.randomUUID()}@lenient.example>`].join('\r\n')}\r\n\r\nPay this bill.\r\n.\r\n`,
    'QUIT\r\n',
  ]);
  const lines = reply.trim().split('\r\n');
  return lines[lines.findIndex((line) => line.startsWith('354')) + 1] ?? reply;
}

/** Judged by dkimpy, which reads the same records. */
function verifySignatures(raw: string): { dkim: boolean; arc: string } {
  const script = `
import sys, json, dkim
records = json.loads(sys.argv[1])
def txt(name, timeout=5):
  found = records.get(name.decode().rstrip('.').lower())
  return None if found is None else found.encode()
message = sys.stdin.buffer.read()
cv, _, reason = dkim.arc_verify(message, dnsfunc=txt)
print(json.dumps({'dkim': dkim.verify(message, dnsfunc=txt), 'arc': (cv or b'').decode() if isinstance(cv, bytes) else str(cv)}))`;
  const { stdout, stderr } = spawnSync(
    '/usr/bin/python3',
    ['-c', script, JSON.stringify(Object.fromEntries(records))],
    {
      input: raw,
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { dkim: boolean; arc: string };
}

test("keeps the author's signature valid after forwarding, and adds an ARC seal", async () => {
  expect(await send('sales@author.example', 'Chairs, and tables too.', { isSigned: true }), rspamd.log()).toMatch(
    /^250 /,
  );
  const mail = await vi.waitFor(
    () => {
      expect(others.arrived.length, rspamd.log()).toBe(1);
      return others.arrived[0]!;
    },
    { timeout: 300_000, interval: 100 },
  );
  expect(mail.from).toBe(srs.forward('sales@author.example'));
  expect(mail.raw).toMatch(/^Authentication-Results: mx1\.service\.example;/m);
  expect(mail.raw).toMatch(/dkim=pass/);
  expect(mail.raw).toMatch(/^ARC-Seal: .*d=forward\.example/ms);
  expect(verifySignatures(mail.raw)).toEqual({ dkim: true, arc: 'pass' });
  // The verifier can fail.
  expect(verifySignatures(mail.raw.replace('Chairs, and', 'Chairs and')).dkim).toBe(false);
});

test('refuses spam and forged mail of a domain that forbids it, during the SMTP session', async () => {
  expect(await send('sales@author.example', 'Pay this bill.')).toMatch(/^55\d 5\.7\.1 This message fails DMARC/);
  const gtube = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
  expect(await send('sales@lenient.example', gtube)).toMatch(/^55\d 5\.7\.1 /);
  expect(await send('sales@lenient.example', 'A letter that nobody signed.')).toMatch(/^250 /);
});

test('uses the spam setting of each address', async () => {
  const worth = async (score: number, ...to: string[]) => {
    const text = `Chairs of ${crypto.randomUUID()}.`;
    const reply = await send('sales@lenient.example', text, { to, worth: score });
    if (!reply.startsWith('250')) return reply.slice(0, 3);
    const mail = await vi.waitFor(
      () => {
        const found = others.arrived.find(({ raw }) => raw.includes(text));
        expect(found, rspamd.log()).toBeDefined();
        return found!;
      },
      { timeout: 300_000, interval: 50 },
    );
    return /^X-Spam: Yes/m.test(mail.raw) ? 'marked' : 'plain';
  };
  expect(await worth(2, 'info')).toBe('plain');
  expect(await worth(8, 'info')).toBe('marked');
  expect(await worth(10, 'info')).toBe('554');
  expect(await worth(40, 'all')).toBe('marked');
  expect(await worth(10, 'all', 'all+tag')).toBe('marked');
  expect(await worth(2, 'guessed')).toBe('plain');
  expect(await worth(4, 'guessed')).toBe('marked');
  expect(await worth(6, 'guessed', 'another')).toBe('554');
  // A sender to an existing address counts as no dictionary attack.
  expect(await worth(6, 'guessed', 'info')).toBe('marked');
});

test('counts messages by the result of rspamd', async () => {
  const counted = () => mailPolicy.takeCounts().map(({ outcome, messages }) => `${outcome} ${messages}`);
  // Messages of earlier tests: one by a DMARC rule, the others by score. The known pattern is refused without a custom rule.
  expect(counted()).toEqual(['forwarded 9', 'refused 1', 'spam 2']);
  await send('sales@author.example', 'Pay this bill.');
  expect(counted()).toEqual(['refused 1']);
});

test('uses the default spam setting for all addresses without the spam map', async () => {
  isSilent = true;
  const sent = (to: string, worth: number) => send('sales@lenient.example', 'Chairs.', { to: [to], worth });
  expect(await sent('all', 40)).toMatch(/^554 /);
  expect(await sent('guessed', 8)).toMatch(/^250 /);
});

test('refuses mail with several From headers, or with authors in several domains', async () => {
  isSilent = false;
  for (const headers of [
    ['From: <a@lenient.example>', 'From: <ceo@author.example>'],
    ['From: <ceo@author.example>', 'From: <a@lenient.example>'],
    ['From: <a@lenient.example>, <ceo@author.example>'],
    ['From: Team: <a@lenient.example>, <ceo@author.example>;'],
  ])
    expect(await sendHeaders(headers), rspamd.log()).toMatch(/^55\d 5\.7\.1 This message has more than one From/);
  expect(await sendHeaders(['From: <a@lenient.example>, <b@Lenient.example>'])).toMatch(/^250 /);
});
