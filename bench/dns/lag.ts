import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryTarget } from '../../packages/server/src/nameservers/publish/dns-client.ts';
import { askUdp, summary } from '../../test/nameservers/support/ask.ts';
import type { Fleet } from '../../test/nameservers/support/fleet.ts';
import { ms, printTable, quantile } from './table.ts';

const POLL_MS = 2;
const PATIENCE_MS = 120_000;

/** Milliseconds since `startedAt` until the server's answer contains the text. */
export async function servedAfter(
  server: QueryTarget & { id: string },
  question: readonly [name: string, type: string],
  text: string,
  startedAt: number,
): Promise<number> {
  for (;;) {
    const message = await askUdp(server, ...question, 500);
    const now = performance.now();
    if (message && summary(message).includes(text)) return now - startedAt;
    if (now - startedAt > PATIENCE_MS)
      throw new Error(`${server.id} does not answer ${question.join(' ')} with ${text}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Knot and NSD accept changes of one zone once a second; a pause between changes excludes this throttle. */
const PAUSE_MS = 1_200;

/** From sending the request of a change until each nameserver answers with it. */
export async function measureLag(fleet: Fleet, rounds: number): Promise<void> {
  const domain = await fleet.lab.domain('lag.example');
  const times = new Map<string, number[]>([
    ['interface', []],
    ...fleet.servers.map(({ id }) => [id, []] as [string, number[]]),
  ]);
  for (let round = 0; round <= rounds; round++) {
    const address = `192.0.2.${round + 1}`;
    const startedAt = performance.now();
    const written = fleet.lab.patch(domain, [{ name: 'www', type: 'A', ttl: 60, records: [address] }]).then(() => {
      if (round > 0) times.get('interface')!.push(performance.now() - startedAt);
      else fleet.nsd.addZone('lag.example');
    });
    await Promise.all([
      written,
      ...fleet.servers.map(async (server) => {
        const lag = await servedAfter(server, ['www.lag.example.', 'A'], address, startedAt);
        // The first round creates the zone and does not count.
        if (round > 0) times.get(server.id)!.push(lag);
      }),
    ]);
    await sleep(PAUSE_MS);
  }
  printTable(`change by HTTP until answered, ${rounds} changes of one record`, [
    ['', 'p50', 'p95', 'max'],
    ...[...times].map(([id, list]) => {
      const sorted = list.toSorted((a, b) => a - b);
      return [id, ms(quantile(sorted, 0.5)), ms(quantile(sorted, 0.95)), ms(sorted.at(-1)!)];
    }),
  ]);
}
