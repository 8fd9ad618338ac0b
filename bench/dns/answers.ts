import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readZoneFile } from '@namehold/dns';
import { openNameserver } from '../../packages/server/src/embedded/nameserver-process.ts';
import type { QueryTarget } from '../../packages/server/src/nameservers/publish/dns-client.ts';
import { packEntry } from '../../packages/server/src/nameservers/responder/zone-feed.ts';
import { ZoneLog } from '../../packages/server/src/nameservers/responder/zone-log.ts';
import { plainAnswering } from '../../test/nameservers/support/answering.ts';
import { startStatic } from '../../test/nameservers/support/static-engines.ts';
import { groupCpuMs } from './cpu.ts';
import { printTable, quantile } from './table.ts';

export const zoneText = `$TTL 300
@ 3600 SOA ns1.example.net. hostmaster.example.net. 1 7200 3600 1209600 300
@ NS ns1.example.net.
@ NS ns2.example.net.
@ A 192.0.2.1
@ MX 10 mail
@ TXT "v=spf1 mx -all"
www A 192.0.2.1
www AAAA 2001:db8::1
mail A 192.0.2.2
api CNAME www
shop CNAME www
`;
export const zoneNameOf = (n: number) => `m${n}.example.`;

/** Zones on the disk of a nameserver without a database. */
async function fillDisk(folder: string, count: number): Promise<void> {
  const disk = new ZoneLog(join(folder, 'zones'));
  await disk.read(async () => undefined);
  for (let from = 0; from < count; from += 500) {
    const entries = Array.from({ length: Math.min(500, count - from) }, (_, n) => {
      const name = zoneNameOf(from + n);
      const { rrsets } = readZoneFile(zoneText, { origin: name });
      return packEntry({ kind: 'zone', id: String(from + n), name, serial: 1, rrsets });
    });
    await disk.append(entries);
  }
  await disk.append([packEntry({ kind: 'complete' })]);
  await disk.close();
}

interface Tried {
  readonly threads: number;
  readonly ratePerSecond: number;
  readonly batches?: boolean;
}

async function startOwn(folder: string, { threads, ratePerSecond, batches = true }: Tried) {
  const settings = {
    folder,
    databaseUrl: 'postgresql://nobody@127.0.0.1:9/nothing',
    hosts: ['127.0.0.1'],
    port: 0,
    threads,
    logLevel: 'silent',
    metricsHost: '127.0.0.1',
    answering: { ...plainAnswering, batches, ratePerSecond, rateExempt: [] },
  };
  return openNameserver({ folder, port: 0, settings, report: () => undefined });
}

interface Rate {
  readonly perSecond: number;
  /** By processor time, which the load of the machine affects least. */
  readonly perCpuSecond: number;
}

/** Measured after a warm-up, because code is compiled at first. */
const WARM_SECONDS = '3';

function dnsperf(at: QueryTarget & { readonly pid: number }, questions: string, seconds: number): Rate {
  const where = ['-s', at.address, '-p', String(at.port), '-d', questions, '-c', '8', '-q', '400'];
  execFileSync('dnsperf', [...where, '-l', WARM_SECONDS], { stdio: 'ignore' });
  const args = [...where, '-l', String(seconds)];
  const before = groupCpuMs(at.pid);
  const text = execFileSync('dnsperf', args, { encoding: 'utf8' });
  const figure = (label: RegExp) => Number(label.exec(text)?.[1] ?? Number.NaN);
  const usedMs = groupCpuMs(at.pid) - before;
  return {
    perSecond: figure(/Queries per second:\s+([\d.]+)/),
    perCpuSecond: (figure(/Queries completed:\s+(\d+)/) / usedMs) * 1_000,
  };
}

const STEADY_PER_SECOND = 10_000;

/** Row 5 of the figures: a constant rate for a while, the time of 95 of 100 answers, and the number of lost ones. */
function atSteadyRate(at: QueryTarget, questions: string, seconds: number): string {
  const where = ['-s', at.address, '-p', String(at.port), '-d', questions, '-c', '8', '-q', '4000', '-v'];
  const args = [...where, '-Q', String(STEADY_PER_SECOND), '-l', String(seconds)];
  execFileSync('dnsperf', args, { stdio: 'ignore' });
  const text = execFileSync('dnsperf', args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  const times = [...text.matchAll(/^> \S+ \S+ \S+ ([\d.]+)$/gm)].map(([, time]) => Number(time) * 1_000);
  const p95 = quantile(
    times.sort((a, b) => a - b),
    0.95,
  );
  const lost = /Queries lost:\s+(\d+)/.exec(text)?.[1];
  const rate = /Queries per second:\s+([\d.]+)/.exec(text)?.[1];
  return `sent ${STEADY_PER_SECOND} a second for ${seconds} s: ${Math.round(Number(rate))} answered a second, 95 of 100 within ${p95.toFixed(2)} ms, ${lost} of ${times.length + Number(lost)} lost`;
}

/** A Node program that sends queries back unchanged. */
async function startEcho() {
  const file = fileURLToPath(new URL('./echo.ts', import.meta.url));
  // In a process group of its own, for its processor time.
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { address: '127.0.0.1', port: Number(port), pid: child.pid!, stop: () => child.kill() };
}

const memoryKb = (pid: number) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

/**
 * Queries a second of our nameserver as a ratio to Knot and NSD, one worker each, with the same zones in the same run, alternating, so
 * that load of the machine affects all of them; and memory per zone.
 */
export async function measureAnswers(zones: number, rounds: number, seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-answers-'));
  const questions = join(folder, 'questions');
  const lines = Array.from(
    { length: zones },
    (_, n) => `www.${zoneNameOf(n)} A\n${zoneNameOf(n)} MX\nshop.${zoneNameOf(n)} AAAA\nno.${zoneNameOf(n)} A\n`,
  );
  writeFileSync(questions, lines.join(''));
  const files = Object.fromEntries(Array.from({ length: zones }, (_, n) => [zoneNameOf(n), zoneText]));
  const empty = join(folder, 'empty');
  const own = join(folder, 'own');
  await fillDisk(empty, 1);
  await fillDisk(own, zones);
  const idle = await startOwn(empty, { threads: 1, ratePerSecond: 0 });
  const idleKb = memoryKb(idle.at.pid);
  await idle.stop();
  const peers: Awaited<ReturnType<typeof startStatic>>[] = [];
  const found = new Map<string, Rate[]>();
  let zoneKb = 0;
  try {
    for (const id of ['knot', 'nsd'] as const) peers.push(await startStatic(folder, id, files));
    for (let round = 0; round < rounds; round++) {
      for (const [label, tried] of [
        ['one thread', { threads: 1, ratePerSecond: 0 }],
        ['one thread, limits on', { threads: 1, ratePerSecond: 1_000_000 }],
        ['two threads', { threads: 2, ratePerSecond: 0 }],
        ['one thread, one by one', { threads: 1, ratePerSecond: 0, batches: false }],
      ] as const) {
        const nameserver = await startOwn(own, tried);
        if (label === 'one thread') zoneKb = (memoryKb(nameserver.at.pid) - idleKb) / zones;
        const at = { address: '127.0.0.1', port: nameserver.at.port, pid: nameserver.at.pid };
        found.set(label, [...(found.get(label) ?? []), dnsperf(at, questions, seconds)]);
        await nameserver.stop();
      }
      const echo = await startEcho();
      found.set('Node echo', [...(found.get('Node echo') ?? []), dnsperf(echo, questions, seconds)]);
      echo.stop();
      for (const peer of peers) found.set(peer.id, [...(found.get(peer.id) ?? []), dnsperf(peer, questions, seconds)]);
    }
    const nameserver = await startOwn(own, { threads: 1, ratePerSecond: 0 });
    const at = { address: '127.0.0.1', port: nameserver.at.port };
    console.log(atSteadyRate(at, questions, seconds));
    await nameserver.stop();
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
  const best = (figure: keyof Rate) =>
    new Map([...found].map(([label, rates]) => [label, Math.max(...rates.map((rate) => rate[figure]))]));
  const perSecond = best('perSecond');
  const perCpu = best('perCpuSecond');
  const rows = [...perSecond].map(([label, rate]) => [
    label,
    Math.round(rate),
    (rate / perSecond.get('knot')!).toFixed(2),
    (rate / perSecond.get('nsd')!).toFixed(2),
    Math.round(perCpu.get(label)!),
    (perCpu.get(label)! / perCpu.get('knot')!).toFixed(2),
    (perCpu.get(label)! / perCpu.get('nsd')!).toFixed(2),
  ]);
  const load = loadavg()[0]!.toFixed(1);
  printTable(
    `queries a second, ${zones} zones of 11 RRsets, best of ${rounds} rounds of ${seconds} s (load of the machine ${load}); ${zoneKb.toFixed(1)} kB a zone`,
    [['', 'a second', 'to Knot', 'to NSD', 'a processor second', 'to Knot', 'to NSD'], ...rows],
  );
}
