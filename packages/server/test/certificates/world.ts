import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { allTenants, sql } from '@namehold/postgres';
import { expect, vi } from 'vitest';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import type { Called, TestService } from '../../../../test/support/service.ts';

const run = promisify(execFile);

export const soon = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 300_000, interval: 100 });

/** Every failpoint of a certificate order. */
export const failpoints = [
  'written',
  'before-order',
  'ordered',
  'order-stored',
  'proofs-stored',
  'proofs-placed',
  'asked',
  'key-stored',
  'finalized',
  'downloaded',
  'issued',
  'cleaned',
].map((failpoint) => `certificate:${failpoint}`);

export const ownNameservers = ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'];

/** Inserts a domain that is delegated to us or elsewhere. */
export async function makeDomain(
  t: Pick<TestService, 'ctx'>,
  name: string,
  nameservers: readonly string[] = ownNameservers,
): Promise<string> {
  const id = await insertDomainRow(t as TestService, { resellerId: '1000', customerId: '2001', name });
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update domain set nameservers = ${nameservers} where id = ${id}`),
  );
  return id;
}

type Call = (method: string, path: string, options: object) => Promise<Called>;

export async function forward(call: Call, id: string, hosts: readonly string[] = ['@', 'www']): Promise<void> {
  const rules = hosts.map((host) => ({ host, target: `https://target.example/${host === '@' ? '' : host}` }));
  const called = await call('PUT', `/v1/domains/${id}/forwarding`, { json: { rules }, headers: { 'If-Match': '*' } });
  expect(called.status, called.text).toBe(200);
}

export async function certificateOf(t: TestService, id: string) {
  return (await t.call('GET', `/v1/domains/${id}/forwarding`)).body.certificate;
}

interface Order {
  readonly state: string;
  readonly reason: string | null;
  readonly method: string;
  readonly names: string[];
  readonly troubles: number;
  readonly url: string | null;
  readonly proofs: unknown;
}

export function ordersOf(t: TestService, id: string): Promise<Order[]> {
  return t.ctx.db
    .as(allTenants)
    .many<Order>(
      sql`select state, reason, method, names, troubles, url, proofs from certificate_order where domain_id = ${id} order by id`,
    );
}

/** The status of an HTTPS request, and the serial number of the certificate. */
export async function visit(
  t: TestService,
  host: string,
  rootFile: string,
): Promise<{ readonly status: number; readonly location: string; readonly certificate: string }> {
  const at = ['--connect-to', `::127.0.0.1:${t.service.edge!.tlsPort}`, '--cacert', rootFile];
  const format = '%{http_code} %{redirect_url}\\n%{certs}';
  const { stdout } = await run('curl', ['-sS', '-o', '/dev/null', '-w', format, ...at, `https://${host}/`]);
  const [first = '', ...certificates] = stdout.split('\n');
  const [status, location = ''] = first.split(' ');
  const serial = certificates.find((line) => line.startsWith('Serial Number:')) ?? '';
  return { status: Number(status), location, certificate: serial };
}
