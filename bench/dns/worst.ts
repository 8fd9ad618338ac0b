import { spawn } from 'node:child_process';
import { allTenants } from '@namehold/postgres';
import { openNameserver } from '../../packages/server/src/core/nameservers/list.ts';
import { findNameserver } from '../../packages/server/src/core/nameservers/nameserver.sql.ts';
import { askUdp } from '../../test/nameservers/support/ask.ts';
import type { Fleet } from '../../test/nameservers/support/fleet.ts';
import { putFile } from './large.ts';
import { ms, printTable, quantile } from './table.ts';

const ZONE_RECORDS = 99_000;
const IDLE_MS = 10_000;
const ASK_EVERY_MS = 2;
const ANSWER_TIMEOUT_MS = 20_000;

interface Answers {
  readonly worst: number;
  readonly usual: number;
  readonly tookMs: number;
}

/** The slowest answer of the embedded nameserver while a very large zone is imported, transferred and rolled back. */
export async function measureWorst(fleet: Fleet): Promise<void> {
  const { lab } = fleet;
  const [small, large] = await lab.domains(['small.example', 'vast.example']);
  for (const domain of [small!, large!])
    await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  const first = (await lab.call('GET', `/domains/${large!.id}/zone`)).serial as number;
  const file = (address: string) =>
    `$ORIGIN vast.example.\n${Array.from({ length: ZONE_RECORDS }, (_, n) => `h${n} 300 A ${address}`).join('\n')}\n`;
  const [one, two] = [file('192.0.2.1'), file('192.0.2.2')];
  const phases: [string, () => Promise<unknown>][] = [
    ['idle', () => new Promise((resolve) => setTimeout(resolve, IDLE_MS))],
    ['dry run of an import', () => putFile(fleet, large!.id, one, '?dry_run=true')],
    ['import', () => putFile(fleet, large!.id, one)],
    ['import of other records', () => putFile(fleet, large!.id, two)],
    ['AXFR', () => transfer(fleet, 'AXFR')],
    ['IXFR from the first serial', () => transfer(fleet, `IXFR=${first}`)],
    ['roll-back', () => lab.rollback(large!, first)],
  ];
  const rows: string[][] = [['', 'slowest answer', '99 of 100', 'over idle', 'ratio', 'took']];
  let idle: Answers | undefined;
  for (const [name, work] of phases) {
    const answers = await askDuring(fleet, work);
    idle ??= answers;
    rows.push([
      name,
      ms(answers.worst),
      ms(answers.usual),
      ms(answers.worst - idle.worst),
      (answers.worst / idle.worst).toFixed(2),
      ms(answers.tookMs),
    ]);
  }
  printTable(`answers of the embedded nameserver beside a zone of ${ZONE_RECORDS} records`, rows);
}

async function askDuring(fleet: Fleet, work: () => Promise<unknown>): Promise<Answers> {
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await askUdp(fleet.lab.embedded, 'www.small.example.', 'A', ANSWER_TIMEOUT_MS);
      times.push(performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
  })();
  const startedAt = performance.now();
  await work();
  const tookMs = performance.now() - startedAt;
  isOver = true;
  await asking;
  const sorted = times.toSorted((a, b) => a - b);
  return { worst: sorted.at(-1)!, usual: quantile(sorted, 0.99), tookMs };
}

/** In a separate process, so that reading the answer does not slow the queries. */
async function transfer(fleet: Fleet, kind: string): Promise<void> {
  const row = await findNameserver(fleet.lab.ctx.db.as(allTenants), 'knot1');
  const key = openNameserver(fleet.lab.ctx, row!).key!;
  const signature = `${key.algorithm}:${key.name}:${Buffer.from(key.secret).toString('base64')}`;
  const port = String(fleet.primaryPort);
  const args = ['@127.0.0.1', '-p', port, '-y', signature, '+timeout=60', 'vast.example.', kind];
  const child = spawn('kdig', args, { stdio: 'ignore' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`kdig ended with ${code}`);
}
