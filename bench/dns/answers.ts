import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readZoneFile } from '@namehold/dns';
import { openNameserver } from '../../packages/server/src/embedded/nameserver-process.ts';
import type { AskTarget } from '../../packages/server/src/nameservers/publish/asker.ts';
import { packEntry } from '../../packages/server/src/nameservers/responder/zone-feed.ts';
import { ZoneLog } from '../../packages/server/src/nameservers/responder/zone-log.ts';
import { plainAnswering } from '../../test/nameservers/support/answering.ts';
import { startStatic } from '../../test/nameservers/support/static-engines.ts';
import { groupCpuMs } from './cpu.ts';
import { printTable } from './table.ts';

const zoneText = `$TTL 300
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
const nameOf = (n: number) => `m${n}.example.`;

/** Zones on the disk of a nameserver that has no database. */
async function fillDisk(folder: string, count: number): Promise<void> {
  const disk = new ZoneLog(join(folder, 'zones'));
  await disk.read(async () => undefined);
  for (let from = 0; from < count; from += 500) {
    const entries = Array.from({ length: Math.min(500, count - from) }, (_, n) => {
      const name = nameOf(from + n);
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
}

async function startOwn(folder: string, { threads, ratePerSecond }: Tried) {
  const settings = {
    folder,
    databaseUrl: 'postgresql://nobody@127.0.0.1:9/nothing',
    hosts: ['127.0.0.1'],
    port: 0,
    threads,
    logLevel: 'silent',
    metricsHost: '127.0.0.1',
    answering: { ...plainAnswering, ratePerSecond, rateExempt: [] },
  };
  return openNameserver({ folder, port: 0, settings, report: () => undefined });
}

interface Rate {
  readonly perSecond: number;
  /** Of processor time: what a crowd on the machine changes least. */
  readonly perCpuSecond: number;
}

function dnsperf(at: AskTarget & { readonly pid: number }, questions: string, seconds: number): Rate {
  const args = [
    '-s',
    at.address,
    '-p',
    String(at.port),
    '-d',
    questions,
    '-l',
    String(seconds),
    '-c',
    '8',
    '-q',
    '400',
  ];
  const before = groupCpuMs(at.pid);
  const text = execFileSync('dnsperf', args, { encoding: 'utf8' });
  const figure = (label: RegExp) => Number(label.exec(text)?.[1] ?? Number.NaN);
  const usedMs = groupCpuMs(at.pid) - before;
  return {
    perSecond: figure(/Queries per second:\s+([\d.]+)/),
    perCpuSecond: (figure(/Queries completed:\s+(\d+)/) / usedMs) * 1_000,
  };
}

const memoryKb = (pid: number) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

/**
 * Questions a second of our nameserver as a ratio to Knot and NSD, one worker each, on the same zones in the same run, in turns, so
 * that a crowd on the machine meets all of them; and memory for each zone.
 */
export async function measureAnswers(zones: number, rounds: number, seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-answers-'));
  const questions = join(folder, 'questions');
  const lines = Array.from(
    { length: zones },
    (_, n) => `www.${nameOf(n)} A\n${nameOf(n)} MX\nshop.${nameOf(n)} AAAA\nno.${nameOf(n)} A\n`,
  );
  writeFileSync(questions, lines.join(''));
  const files = Object.fromEntries(Array.from({ length: zones }, (_, n) => [nameOf(n), zoneText]));
  const empty = join(folder, 'empty');
  const own = join(folder, 'own');
  await fillDisk(empty, 1);
  await fillDisk(own, zones);
  const idle = await startOwn(empty, { threads: 1, ratePerSecond: 0 });
  const idleKb = memoryKb(idle.at.pid);
  await idle.stop();
  const peers = await Promise.all((['knot', 'nsd'] as const).map((id) => startStatic(folder, id, files)));
  const found = new Map<string, Rate[]>();
  let zoneKb = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [label, tried] of [
        ['one thread', { threads: 1, ratePerSecond: 0 }],
        ['one thread, limits on', { threads: 1, ratePerSecond: 1_000_000 }],
        ['two threads', { threads: 2, ratePerSecond: 0 }],
      ] as const) {
        const nameserver = await startOwn(own, tried);
        if (label === 'one thread') zoneKb = (memoryKb(nameserver.at.pid) - idleKb) / zones;
        const at = { address: '127.0.0.1', port: nameserver.at.port, pid: nameserver.at.pid };
        found.set(label, [...(found.get(label) ?? []), dnsperf(at, questions, seconds)]);
        await nameserver.stop();
      }
      for (const peer of peers) found.set(peer.id, [...(found.get(peer.id) ?? []), dnsperf(peer, questions, seconds)]);
    }
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
    `questions a second, ${zones} zones of 11 RRsets, best of ${rounds} rounds of ${seconds} s (load of the machine ${load}); ${zoneKb.toFixed(1)} kB a zone`,
    [['', 'a second', 'to Knot', 'to NSD', 'a processor second', 'to Knot', 'to NSD'], ...rows],
  );
}
