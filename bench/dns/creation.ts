import type { Fleet } from '../../test/nameservers/support/fleet.ts';
import { cpuMs } from './cpu.ts';
import { servedAfter } from './lag.ts';
import { ms, printTable } from './table.ts';

const WRITERS = 8;
const SAMPLE = 25;

export const zoneNames = (count: number) => Array.from({ length: count }, (_, n) => `m${n}.example`);

/** Zones created through the API, and when the last of them is answered by each nameserver. */
export async function measureCreation(fleet: Fleet, count: number): Promise<void> {
  const domains = await fleet.lab.domains(zoneNames(count));
  const queue = [...domains];
  const { pid } = fleet.lab.service;
  const cpuBefore = cpuMs(pid);
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let domain = queue.shift(); domain; domain = queue.shift())
        await fleet.lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
    }),
  );
  const writtenMs = performance.now() - startedAt;
  fleet.nsd.addZones(domains.map(({ name }) => name));
  // A sample over all of them, including the last one: querying each would measure the queries.
  const sample = domains.toReversed().filter((_, at) => at % Math.ceil(count / SAMPLE) === 0);
  const rows = await Promise.all(
    fleet.servers.map(async (server) => {
      let lastMs = 0;
      for (const { name } of sample)
        lastMs = Math.max(lastMs, await servedAfter(server, [`www.${name}.`, 'A'], '192.0.2.1', startedAt));
      return [server.id, ms(Math.max(0, lastMs - writtenMs))];
    }),
  );
  const cpu = (cpuMs(pid) - cpuBefore) / count;
  const title = `${count} zones created by ${WRITERS} writers: ${Math.round((count / writtenMs) * 1_000)} zones a second; ${ms(cpu)} of processor time of the service for each, publishing included`;
  printTable(title, [['', 'all answered after the last write'], ...rows]);
}
