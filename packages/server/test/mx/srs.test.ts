import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../../test/support/ports.ts';
import { Srs } from '../../src/mx/srs.ts';

const domain = 'forward.example';
const secrets = ['the-first-of-our-secrets', 'the-second-of-our-secrets'] as const;
const dayMs = 86_400_000;
const at = (iso: string) => () => new Date(iso);
const srs = new Srs(domain, secrets, () => new Date());

/** One of the two maps of postsrsd, by tcp_table(5). */
class Oracle {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  constructor(socket: Socket) {
    this.#socket = socket;
    const reader: Interface = createInterface({ input: socket });
    this.#lines = reader[Symbol.asyncIterator]();
  }

  static open(port: number): Promise<Oracle> {
    return vi.waitFor(
      () =>
        new Promise<Oracle>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => resolve(new Oracle(socket)));
          socket.once('error', reject);
        }),
      { timeout: 300_000, interval: 50 },
    );
  }

  /** Undefined: refused. */
  async ask(address: string): Promise<string | undefined> {
    this.#socket.write(`get ${address.replace(/[%\s]/g, (found) => `%${found.charCodeAt(0).toString(16)}`)}\n`);
    const { value } = await this.#lines.next();
    const [, code, text] = /^(\d{3}) (.*)$/.exec(value)!;
    return code === '200' ? decodeURIComponent(text!) : undefined;
  }

  close(): void {
    this.#socket.destroy();
  }
}

let postsrsd: ChildProcess;
let forward: Oracle;
let back: Oracle;
beforeAll(async () => {
  const [forwardPort, backPort] = [await freePort(), await freePort()];
  const file = `/tmp/namehold-srs-${process.pid}`;
  writeFileSync(file, `${secrets.join('\n')}\n`);
  const args = [`-s${file}`, `-d${domain}`, '-n8', '-N8', '-4', `-f${forwardPort}`, `-r${backPort}`];
  postsrsd = spawn('postsrsd', args, { stdio: 'ignore' });
  [forward, back] = [await Oracle.open(forwardPort), await Oracle.open(backPort)];
});
afterAll(() => {
  forward.close();
  back.close();
  postsrsd.kill('SIGKILL');
});

const local = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[A-Za-z0-9!#$&'*+/=?^_`{|}~-]{1,30}$/) },
  {
    weight: 2,
    arbitrary: fc.stringMatching(/^SRS0[=+-][A-Za-z0-9+/]{4,8}=[A-Z2-7]{2}=[a-z]{1,8}\.test=[a-z=]{1,10}$/),
  },
  { weight: 2, arbitrary: fc.stringMatching(/^[Ss]RS1[=+-][A-Za-z0-9]{4}=[a-z]{1,8}\.test=[=+-][A-Za-z0-9=]{4,20}$/) },
);
const host = fc.stringMatching(/^[A-Za-z0-9]{1,12}(\.[a-z0-9]{1,8})?\.[a-z][a-z0-9]{0,7}$/);
const address = fc.tuple(local, host).map((parts) => parts.join('@'));

test('decodes a thousand addresses of postsrsd, and writes its form with a hash over separated fields', async () => {
  const addresses = fc.sample(address, { numRuns: 1_000, seed: 16 });
  let chained = 0;
  for (const sender of addresses) {
    const written = srs.forward(sender);
    const theirs = (await forward.ask(sender))!;
    const unhashed = (text: string) => text.replace(/^(SRS[01]=)[^=]*=/, '$1=');
    expect(unhashed(written!), sender).toBe(unhashed(theirs));
    expect(srs.back(theirs), theirs).toBe(await back.ask(theirs));
    expect(srs.back(written!), written).toBe(srs.back(theirs));
    if (/^SRS1/.test(written!)) chained += 1;
    else expect(srs.back(written!)).toBe(sender);
  }
  expect(chained).toBeGreaterThan(200);
});

test('accepts addresses signed with a former secret, and refuses foreign ones', async () => {
  const former = new Srs(domain, [secrets[1]], () => new Date());
  const written = former.forward('sari@author.example')!;
  expect(srs.back(written)).toBe('sari@author.example');
  const foreign = new Srs(domain, ['a-secret-of-somebody-else'], () => new Date()).forward('sari@author.example')!;
  expect(srs.back(foreign)).toBeUndefined();
  expect(await back.ask(foreign)).toBeUndefined();
});

test('accepts returns for two weeks, also when the counter wraps, and in another case', () => {
  for (const start of ['2026-11-16T12:00:00Z', '2028-03-18T12:00:00Z']) {
    const written = new Srs(domain, secrets, at(start)).forward('sari@author.example')!;
    const later = (days: number) =>
      new Srs(domain, secrets, () => new Date(Date.parse(start) + days * dayMs)).back(written.toUpperCase());
    expect([0, 1, 14].map(later)).toEqual(Array(3).fill('SARI@AUTHOR.EXAMPLE'));
    expect([15, 100, 1_000, -1].map(later)).toEqual(Array(4).fill(undefined));
  }
});

test('refuses invalid addresses and those of our own domain', () => {
  for (const wrong of ['', '@', 'a', 'a@', '@b', `${'a'.repeat(600)}@b.example`, `${'a'.repeat(500)}@b.example`])
    expect(srs.forward(wrong), wrong).toBeUndefined();
  expect(srs.forward('Sari@Forward.example')).toBe('Sari@Forward.example');
  const wrong = ['SRS0=', 'SRS0====', 'SRS0=a=AA=b=c', 'SRS0=a=??=b=c', 'SRS1=a=b==c', 'SRS1=a===', 'SRS2=a', 'sari'];
  for (const each of wrong) expect(srs.back(`${each}@${domain}`), each).toBeUndefined();
  expect(srs.back(srs.forward('a@b.example')!.replace(domain, 'other.example'))).toBeUndefined();
});

test('refuses an address with another boundary between domain and local part', () => {
  const written = srs.forward('x@sender.example')!;
  expect(srs.back(written)).toBe('x@sender.example');
  expect(srs.back(written.replace('=sender.example=x@', '=sender.exampl=ex@'))).toBeUndefined();
  expect(srs.back(written.replace('=sender.example=x@', '=sender.examplex=@'))).toBeUndefined();
});

test('writes a sender with a dot at the end of its domain like one without it', () => {
  expect(srs.forward('x@sender.example.')).toBe(srs.forward('x@sender.example'));
  expect(srs.forward(`x@${domain.toUpperCase()}.`)).toBe(`x@${domain.toUpperCase()}`);
});
