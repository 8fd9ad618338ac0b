import { execFileSync } from 'node:child_process';
import { allTenants } from '@namehold/postgres';
import { openNameserver } from '../../packages/server/src/core/nameservers/list.ts';
import { findNameserver } from '../../packages/server/src/core/nameservers/nameserver.sql.ts';
import type { Fleet } from '../../test/nameservers/support/fleet.ts';
import { servedAfter } from './lag.ts';
import { ms, printTable } from './table.ts';

export async function putFile(fleet: Fleet, domainId: string, file: string, query = ''): Promise<void> {
  const { base_url, reseller_id, api_key } = fleet.lab.service.credentials;
  const response = await fetch(`${base_url}/v1/domains/${domainId}/zone/file${query}`, {
    method: 'PUT',
    headers: {
      Authorization: `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}`,
      'Content-Type': 'text/dns',
      'If-Match': '*',
    },
    body: file,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.text();
}

const CHANGE_RECORDS = 1_000;
const ZONE_RECORDS = 99_000;

/** One change of many records, and the transfer of a very large zone. */
export async function measureLarge(fleet: Fleet): Promise<void> {
  await measureChange(fleet);
  await measureTransfer(fleet);
}

async function measureChange(fleet: Fleet): Promise<void> {
  const domain = await fleet.lab.domain('wide.example');
  await fleet.lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  fleet.nsd.addZone('wide.example');
  for (const server of fleet.servers)
    await servedAfter(server, ['www.wide.example.', 'A'], '192.0.2.1', performance.now());
  const rrsets = Array.from({ length: CHANGE_RECORDS }, (_, n) => ({
    name: `h${n}`,
    type: 'A',
    ttl: 300,
    records: ['192.0.2.2'],
  }));
  const startedAt = performance.now();
  await fleet.lab.patch(domain, rrsets);
  const writtenMs = performance.now() - startedAt;
  const rows = await Promise.all(
    fleet.servers.map(async (server) => {
      const lag = await servedAfter(server, [`h${CHANGE_RECORDS - 1}.wide.example.`, 'A'], '192.0.2.2', startedAt);
      return [server.id, ms(lag)];
    }),
  );
  printTable(`one change of ${CHANGE_RECORDS} records`, [
    ['', 'from the request'],
    ['interface', ms(writtenMs)],
    ...rows,
  ]);
}

async function measureTransfer(fleet: Fleet): Promise<void> {
  const { lab } = fleet;
  const domain = await lab.domain('huge.example');
  await lab.patch(domain, [{ name: 'www', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
  const lines = Array.from({ length: ZONE_RECORDS }, (_, n) => `h${n} 300 A 192.0.2.${n % 250}`);
  const startedAt = performance.now();
  await putFile(fleet, domain.id, `$ORIGIN huge.example.\n${lines.join('\n')}\n`);
  const importedMs = performance.now() - startedAt;
  const row = await findNameserver(lab.ctx.db.as(allTenants), 'knot1');
  const key = openNameserver(lab.ctx, row!).key!;
  const signature = `${key.algorithm}:${key.name}:${Buffer.from(key.secret).toString('base64')}`;
  const askedAt = performance.now();
  const args = ['@127.0.0.1', '-p', String(fleet.primaryPort), '-y', signature, '+timeout=60', 'huge.example.', 'AXFR'];
  const text = execFileSync('kdig', args, { encoding: 'utf8', maxBuffer: 256 * 1_048_576 });
  const transferMs = performance.now() - askedAt;
  const records = text.split('\n').filter((line) => /\sIN\s/.test(line)).length;
  const served = await servedAfter(fleet.knot, [`h${ZONE_RECORDS - 1}.huge.example.`, 'A'], 'A 192.0.2.', startedAt);
  printTable(`a zone of ${ZONE_RECORDS} records`, [
    ['', ''],
    ['imported by HTTP', ms(importedMs)],
    [
      `AXFR with kdig, signed, ${records} records`,
      `${ms(transferMs)}, ${Math.round(records / (transferMs / 1_000))} records a second`,
    ],
    ['answered by Knot after', ms(served)],
  ]);
}
