import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryTarget } from '../../packages/server/src/nameservers/publish/dns-client.ts';
import type { Fleet } from '../../test/nameservers/support/fleet.ts';
import { zoneNames } from './creation.ts';
import { printTable } from './table.ts';

const SECONDS = 5;

interface Rate {
  readonly perSecond: number;
  readonly averageMs: number;
  readonly lost: number;
}

/** dnsperf with the same zones, one server after the other in one run. */
export function measureQueries(fleet: Fleet, zones: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-dnsperf-'));
  const file = join(folder, 'questions');
  writeFileSync(
    file,
    zoneNames(zones)
      .map((name) => `www.${name} A\n`)
      .join(''),
  );
  const servers = [fleet.lab.embedded, fleet.knot, fleet.nsd];
  const rates = servers.map((server) => ({ id: server.id, ...dnsperf(server, file) }));
  rmSync(folder, { recursive: true, force: true });
  const own = rates[0]!.perSecond;
  printTable(`queries a second over ${zones} zones (dnsperf, ${SECONDS} s each, on the same cores)`, [
    ['', 'a second', 'average', 'lost', 'embedded to it'],
    ...rates.map(({ id, perSecond, averageMs, lost }) => [
      id,
      Math.round(perSecond),
      `${averageMs.toFixed(2)} ms`,
      lost,
      (own / perSecond).toFixed(2),
    ]),
  ]);
}

function dnsperf(server: QueryTarget, file: string): Rate {
  const args = [
    '-s',
    server.address,
    '-p',
    String(server.port),
    '-d',
    file,
    '-l',
    String(SECONDS),
    '-c',
    '4',
    '-T',
    '1',
  ];
  const text = execFileSync('dnsperf', args, { encoding: 'utf8' });
  const figure = (label: RegExp) => Number(label.exec(text)?.[1] ?? Number.NaN);
  return {
    perSecond: figure(/Queries per second:\s+([\d.]+)/),
    averageMs: figure(/Average Latency \(s\):\s+([\d.]+)/) * 1_000,
    lost: figure(/Queries lost:\s+(\d+)/),
  };
}
