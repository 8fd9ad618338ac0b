import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { RCODE } from '@namehold/dns';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAgainMs, askUdp, until } from '../../../../test/nameservers/support/ask.ts';
import { Lab, type LabDomain } from '../../../../test/nameservers/support/lab.ts';
import { bareEnv } from '../../../../test/support/bare-env.ts';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { program } from '../../../../test/support/program.ts';
import { resume, suspend } from '../../../../test/support/suspend.ts';
import { readNameserver } from '../../src/embedded/nameserver-process.ts';
import { isAlive, newFolder, removeFolder, runNamehold, threadsOf } from '../support/process.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let lab: Lab;
let domain: LabDomain;
let alone: ChildProcess | undefined;
const www = (address: string) => [{ name: 'www', type: 'A', ttl: 300, records: [address] }];

beforeAll(async () => {
  database = await migratedDatabase();
  lab = await Lab.start(database.url, { NAMEHOLD_DNS_PORT: String(await freePort()) });
  domain = await lab.domain('stays.example');
  await lab.patch(domain, www('192.0.2.1'));
});

afterAll(async () => {
  alone?.kill('SIGKILL');
  await lab?.close();
  await database?.drop();
});

/** Repeats the query until the expected response, so that no test depends on the start time. */
async function answers(address: string, name = 'www.stays.example.'): Promise<void> {
  const wanted = Buffer.from(address.split('.').map(Number)).toString('hex');
  await until(
    `${name} is ${address}`,
    async () =>
      (await askUdp(lab.embedded, name, 'A', askAgainMs))?.answer
        .map((rr) => Buffer.from(rr.rdata).toString('hex'))
        .join(),
    (found) => found === wanted,
    120_000,
  );
}

test('answers queries while the service is suspended, killed and restarted', async () => {
  await answers('192.0.2.1');
  const { pid } = lab.service;
  const nameserver = lab.nameserverPid;
  expect(threadsOf(nameserver)).toContain('watchdog');
  suspend(pid);
  await answers('192.0.2.1');
  expect((await askUdp(lab.embedded, 'no.stays.example.', 'A'))!.rcode).toBe(RCODE.NXDOMAIN);
  resume(pid);
  await lab.service.kill();
  await answers('192.0.2.1');
  // The nameserver still follows the database.
  await lab.patchBeside(domain, www('192.0.2.2'));
  await answers('192.0.2.2');
  await lab.service.start();
  expect(lab.nameserverPid).toBe(nameserver);
  await lab.patch(domain, www('192.0.2.3'));
  await answers('192.0.2.3');
});

test('restarts a dead nameserver process on the same port', async () => {
  const before = lab.nameserverPid;
  process.kill(before, 'SIGKILL');
  await until(
    'gone',
    async () => isAlive(before),
    (alive) => !alive,
  );
  await answers('192.0.2.3');
  expect(lab.nameserverPid).not.toBe(before);
});

/** `namehold nameserver` with an unreachable database. */
async function startAlone(databaseUrl: string): Promise<void> {
  const { port } = lab.embedded;
  alone = spawn(process.execPath, [program, 'nameserver'], {
    env: {
      ...bareEnv(),
      NAMEHOLD_DATA_DIR: lab.folder,
      NAMEHOLD_DNS_PORT: String(port),
      NAMEHOLD_LOG_LEVEL: 'silent',
      DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function endAlone(): Promise<void> {
  const ended = new Promise((resolve) => alone!.once('exit', resolve));
  alone!.kill('SIGTERM');
  expect(await ended).toBe(0);
}

test('stops with the service, and starts alone from disk without the database', async () => {
  const before = lab.nameserverPid;
  await lab.service.stop();
  expect([isAlive(before), readNameserver(join(lab.folder, 'nameserver'))]).toEqual([false, undefined]);
  expect(await askUdp(lab.embedded, 'www.stays.example.', 'A', 200)).toBeUndefined();
  await startAlone(`postgresql://nobody@127.0.0.1:${await freePort()}/nothing`);
  await answers('192.0.2.3');
  expect((await askUdp(lab.embedded, 'elsewhere.example.', 'A'))!.rcode).toBe(RCODE.REFUSED);
  await endAlone();
});

test('reports a damaged zone log and reads the zones from the database again', async () => {
  const file = join(lab.folder, 'nameserver', 'zones');
  const octets = readFileSync(file);
  for (let at = octets.indexOf('stays.example.'); at >= 0; at = octets.indexOf('stays.example.', at + 1))
    octets[at]! ^= 0x01;
  writeFileSync(file, octets);
  await startAlone(`postgresql://nobody@127.0.0.1:${await freePort()}/nothing`);
  // A missing zone may be damaged: SERVFAIL sends the client to another nameserver.
  await until(
    'SERVFAIL',
    async () => (await askUdp(lab.embedded, 'www.stays.example.', 'A', askAgainMs))?.rcode,
    (rcode) => rcode === RCODE.SERVFAIL,
    120_000,
  );
  await endAlone();
  await startAlone(database.url);
  await answers('192.0.2.3');
  await endAlone();
  rmSync(file);
  await startAlone(database.url);
  await answers('192.0.2.3');
  await endAlone();
});

test('leaves a nameserver that the operator started running when the service stops', async () => {
  await startAlone(database.url);
  await answers('192.0.2.3');
  const own = readNameserver(join(lab.folder, 'nameserver'))!;
  expect(own.is_own).toBe(true);
  await lab.service.start();
  await lab.patch(domain, www('192.0.2.9'));
  await answers('192.0.2.9');
  await lab.service.stop();
  await answers('192.0.2.9');
  const second = await runNamehold(['nameserver'], { folder: lab.folder, env: { NAMEHOLD_DNS_PORT: '0' } });
  expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('runs on')]);
  await endAlone();
});

const takenPorts = [
  ['NAMEHOLD_DNS_PORT', 'udp'],
  ['NAMEHOLD_SANDBOX_PORT', 'tcp'],
  ['NAMEHOLD_PORT', 'tcp'],
  ['NAMEHOLD_DNS_PORT', 'tcp'],
  ['NAMEHOLD_METRICS_PORT', 'tcp'],
] as const;
test.each(process.env.NAMEHOLD_TESTS === 'long' ? takenPorts : takenPorts.slice(0, 2))(
  'refuses to start with one sentence when the port in %s is in use (%s), and leaves no process',
  async (setting, protocol) => {
    const port = await freePort();
    const server = createServer();
    const socket = createSocket('udp4');
    if (protocol === 'tcp') await new Promise<void>((open) => server.listen(port, '127.0.0.1', open));
    else await new Promise<void>((open) => socket.bind(port, '127.0.0.1', open));
    const folder = newFolder();
    const { code, stdout, stderr } = await runNamehold(['serve'], { folder, env: { [setting]: String(port) } });
    const sentence = `namehold serve: port ${port} on 127.0.0.1 is in use by another program: end that program, or choose another port by ${setting}\n`;
    expect([code, stdout, stderr]).toEqual([1, '', sentence]);
    socket.close();
    server.close();
    removeFolder(folder);
  },
);
