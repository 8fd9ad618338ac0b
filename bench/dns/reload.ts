import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { readZoneFile } from '@namehold/dns';
import { AnswerThreads } from '../../packages/server/src/nameservers/responder/threads.ts';
import { packEntry } from '../../packages/server/src/nameservers/responder/zone-feed.ts';
import { plainAnswering } from '../../test/nameservers/support/answering.ts';
import { askUdp } from '../../test/nameservers/support/ask.ts';
import { zoneNameOf, zoneText } from './answers.ts';
import { ms, printTable, quantile } from './table.ts';

const BUNDLE = 500;
const ASK_EVERY_MS = 2;
const IDLE_MS = 5_000;

const memoryKb = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);

/** The slowest answer of one thread while all its zones are loaded again, against the slowest while it is idle; and memory per zone. */
export async function measureReload(zones: number): Promise<void> {
  const threads = new AnswerThreads(1, { answering: plainAnswering }, (error) => {
    throw error;
  });
  const bundles = (serial: number) => {
    const text = zoneText.replace(' 1 7200', ` ${serial} 7200`);
    return function* () {
      for (let from = 0; from < zones; from += BUNDLE)
        yield Array.from({ length: Math.min(BUNDLE, zones - from) }, (_, n) => {
          const name = zoneNameOf(from + n);
          return packEntry({
            kind: 'zone',
            id: String(from + n),
            name,
            serial,
            rrsets: readZoneFile(text, { origin: name }).rrsets,
          });
        });
    };
  };
  await threads.notify({ kind: 'cookies', secrets: ['00'.repeat(16)] });
  await threads.notify({ kind: 'feed', entries: [] });
  const before = memoryKb();
  const packed = [...bundles(2)()];
  const packedKb = memoryKb() - before;
  for (const entries of packed) await threads.notify({ kind: 'feed', entries });
  const zoneKb = (memoryKb() - before - packedKb) / zones;
  const port = await threads.listen(['127.0.0.1'], 0);
  const at = { address: '127.0.0.1', port };
  const rows: string[][] = [['', 'answers', 'slowest', '99 of 100', 'took']];
  const during = async (name: string, work: () => Promise<unknown>) => {
    const times: number[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const askedAt = performance.now();
        await askUdp(at, `www.${zoneNameOf(7)}`, 'A', 20_000);
        times.push(performance.now() - askedAt);
        await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      }
    })();
    const startedAt = performance.now();
    await work();
    const took = performance.now() - startedAt;
    isOver = true;
    await asking;
    const sorted = times.toSorted((a, b) => a - b);
    rows.push([name, String(times.length), ms(sorted.at(-1)!), ms(quantile(sorted, 0.99)), ms(took)]);
  };
  await during('idle', () => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
  await during('all zones anew', async () => {
    for (const entries of packed) await threads.notify({ kind: 'feed', entries });
  });
  await threads.close();
  printTable(
    `answers while ${zones} zones of 11 RRsets are loaded again (load of the machine ${loadavg()[0]!.toFixed(1)}); ${zoneKb.toFixed(1)} kB a zone`,
    rows,
  );
}
