import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../../test/support/ports.ts';
import { resume, suspend } from '../../../../test/support/suspend.ts';
import type { SnippetPart } from '../../src/cli/snippets/snippet.ts';
import type { PostfixCopy } from '../support/postfix.ts';
import {
  demoOf,
  isAlive,
  postgresPid,
  type RunningService,
  removeFolder,
  runNamehold,
  spawnNamehold,
  startProcess,
} from '../support/process.ts';
import { startMailHost } from './mail-host.ts';
import { OtherMailServers, sendMessage } from './other-mail-servers.ts';

const others = new OtherMailServers();
let service: RunningService;
let postfix: PostfixCopy;
let env: Record<string, string>;
const children: ChildProcess[] = [];

interface Part {
  readonly child: ChildProcess;
  readonly port: number;
  log(): string;
}

/** `namehold edge` or `namehold mx`, on the folder of the service. */
async function startPart(command: 'edge' | 'mx', reply: RegExp): Promise<Part> {
  const child = spawnNamehold([command], { folder: service.folder, env });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
  const port = await soon(() => {
    const found = reply.exec(text);
    expect(found, text).not.toBeNull();
    return Number(found![1]);
  });
  return { child, port, log: () => text };
}

const soon = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 300_000, interval: 50 });

async function call(method: string, path: string, form?: Record<string, string>) {
  const reply = await fetch(`${service.url}${path}`, {
    method,
    headers: { Authorization: `Basic ${Buffer.from(demoOf(service)).toString('base64')}` },
    ...(form ? { body: new URLSearchParams(form) } : {}),
  });
  return { status: reply.status, body: await reply.json() };
}
const must = async (method: string, path: string, form?: Record<string, string>) => {
  const { status, body } = await call(method, path, form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

function visit(port: number): Promise<string> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', headers: { Host: 'killed.com' }, agent: false }, (response) => {
      response.resume();
      resolve(`${response.statusCode} ${response.headers.location}`);
    }).on('error', (error) => resolve(error.message));
  });
}

beforeAll(async () => {
  const [port, othersPort, maps, policy] = await Promise.all(Array.from({ length: 4 }, freePort));
  env = {
    NAMEHOLD_MAIL_HOSTS: 'mx1.service.example',
    NAMEHOLD_MAIL_DOMAIN: 'forward.example',
    NAMEHOLD_SRS_SECRETS: 'a-secret-of-this-installation',
    NAMEHOLD_MAIL_PER_HOUR: '100000',
    NAMEHOLD_MAIL_PER_DAY: '100000',
    NAMEHOLD_MX_PORT: String(maps),
    NAMEHOLD_MX_POLICY_PORT: String(policy),
    NAMEHOLD_MX_POSTQUEUE: '',
    NAMEHOLD_REDIRECT_ADDRESS: '127.0.0.1',
    NAMEHOLD_REDIRECT_PORT: '0',
    NAMEHOLD_REDIRECT_TLS_PORT: 'off',
    NAMEHOLD_REDIRECT_RATE_LIMIT: '0',
    NAMEHOLD_LOG_LEVEL: 'warn',
    NAMEHOLD_VERIFY_REGISTRANTS: 'off',
  };
  service = await startProcess({ env });
  await must('POST', '/v1/domains', {
    domain_name: 'killed.com',
    customer_id: '2001',
    registrant_contact_id: '3001',
    admin_contact_id: '3001',
    tech_contact_id: '3002',
    billing_contact_id: '3001',
    invoice_option: 'no_invoice',
  });
  await must('PUT', '/v1/domains/killed.com/domain_forwarding', { forward_to: 'https://one.example/' });
  await must('POST', '/v1/domains/killed.com/email_forwarding', { email: 'info', forward_to: 'sari@home.example' });
  const mailId = await soon(async () => {
    const mails = (await must('GET', '/v1/sandbox/mail')) as { mail_id: string; to: string }[];
    const found = mails.find(({ to }) => to.includes('<sari@home.example>'));
    expect(found).toBeDefined();
    return found!.mail_id;
  });
  const { folder } = service;
  const confirmed = await runNamehold(['sandbox', 'mail', mailId, '--confirm'], { folder, env });
  expect(confirmed.stdout, confirmed.stderr).toContain('confirmed');
  const printed = await runNamehold(['mx', 'snippet', '--json'], { folder, env });
  await others.open(othersPort!);
  postfix = startMailHost({
    port: port!,
    snippet: JSON.parse(printed.stdout) as SnippetPart[],
    othersPort: othersPort!,
  });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  postfix?.stop();
  await others.close();
  await service?.end();
  if (service) removeFolder(service.folder);
});

/** The server and all of its processes. */
const processesOf = (postgres: number) => [
  postgres,
  ...execFileSync('pgrep', ['-P', String(postgres)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number),
];

test('redirects every visitor and delivers every message once while PostgreSQL is down or suspended', async () => {
  const edge = await startPart('edge', /listens at 127\.0\.0\.1:(\d+)/);
  const mx = await startPart('mx', /maps at port (\d+)/);
  await soon(async () => expect(await visit(edge.port)).toBe('301 https://one.example/'));
  const message = (subject: string) => ({ from: 'author@sender.example', to: 'info@killed.com', subject });
  await soon(async () => expect(await sendMessage(postfix.port, message('the first'))).toMatch(/^250 /));
  await soon(() =>
    expect(['edge/rules', 'mx/routes'].every((file) => existsSync(join(service.folder, file)))).toBe(true),
  );

  let isOver = false;
  const visits = new Map<string, number>();
  const visitors = (async () => {
    for (; !isOver; await sleep(10)) {
      const reply = await visit(edge.port);
      visits.set(reply, (visits.get(reply) ?? 0) + 1);
    }
  })();
  const accepted: string[] = [];
  const refused: string[] = [];
  const authors = (async () => {
    for (let number = 1; !isOver; number += 1) {
      const subject = `Message ${number} during the outage`;
      const reply = await sendMessage(postfix.port, message(subject));
      if (reply.startsWith('250 ')) accepted.push(subject);
      else refused.push(reply);
    }
  })();
  const answers = () => soon(async () => expect((await call('GET', '/v1/domains/killed.com')).status).toBe(200));

  const seen = () => [accepted.length, visits.get('301 https://one.example/') ?? 0];
  await soon(() => expect(Math.min(...seen())).toBeGreaterThan(3));
  for (let kills = 0; kills < 3; kills += 1) {
    const pid = postgresPid(service.folder)!;
    process.kill(pid, 'SIGKILL');
    await soon(() => expect(isAlive(pid)).toBe(false));
    const before = seen();
    await sleep(3_000);
    await soon(() => expect(seen().every((count, at) => count > before[at]!)).toBe(true));
    await answers();
  }

  // It hangs without closing connections. An edge and a mail host that start now use their copies.
  const suspended = processesOf(postgresPid(service.folder)!);
  suspend(...suspended);
  const late = await startPart('edge', /listens at 127\.0\.0\.1:(\d+)/);
  await soon(async () => expect(await visit(late.port)).toBe('301 https://one.example/'));
  mx.child.kill('SIGKILL');
  const second = await startPart('mx', /maps at port (\d+)/);
  const before = accepted.length;
  await soon(() => expect(accepted.length).toBeGreaterThan(before + 3));
  await sleep(7_000);
  resume(...suspended);
  await answers();

  isOver = true;
  await Promise.all([visitors, authors]);
  expect([...visits.keys()]).toEqual(['301 https://one.example/']);
  // Only temporary refusals, and only while there was no mail host.
  expect(refused.filter((reply) => !/^4\d\d /.test(reply))).toEqual([]);
  expect(accepted.length).toBeGreaterThan(20);
  const arrived = () =>
    others.arrived.flatMap(({ raw }) => /^Subject: (Letter \d+ of the night)\r$/m.exec(raw)?.[1] ?? []).sort();
  await soon(() => expect(arrived().length).toBeGreaterThanOrEqual(accepted.length));
  await sleep(2_000);
  expect(arrived()).toEqual([...accepted].sort());

  // Later changes are received.
  await must('PUT', '/v1/domains/killed.com/domain_forwarding', { forward_to: 'https://two.example/' });
  for (const { port } of [edge, late])
    await soon(async () => expect(await visit(port)).toBe('301 https://two.example/'));
  await must('DELETE', '/v1/domains/killed.com/email_forwarding/info');
  await soon(async () => expect(await sendMessage(postfix.port, message('too late'))).toMatch(/^55\d /));

  // Four outages cause a few log lines each, and not one for each attempt or visitor.
  for (const { log } of [edge, mx, second, late]) {
    const lines = log().split('\n');
    const count = (text: string) => lines.filter((line) => line.includes(text)).length;
    expect(count('not read'), log()).toBeLessThanOrEqual(6);
    expect(count('not stored'), log()).toBeLessThanOrEqual(6);
    expect(lines.length, log()).toBeLessThan(60);
  }
});
