import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { binariesIn } from '@namehold/postgres/embedded/binaries';
import { type Cluster, openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { freePort } from '../test/support/ports.ts';

/**
 * Writes the database of an earlier commit as SQL, for the tests of upgrades:
 *
 *   node tools/upgrade-fixture.ts b8dd914 packages/server/test/upgrades/fixtures/b8dd914.sql.gz
 *
 * The service of that commit runs on Debian's PostgreSQL 15, which has pg_dump, and gets orders through its API. It uses the packages that
 * are installed here.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const debian = '/usr/lib/postgresql/15/bin';
const [commit, file] = process.argv.slice(2);
if (!commit || !file) throw new Error('usage: node tools/upgrade-fixture.ts <commit> <file.sql.gz>');

const folder = mkdtempSync(join(tmpdir(), 'namehold-fixture-'));
const checkout = join(folder, 'checkout');
let cluster: Cluster | undefined;
try {
  execFileSync('git', ['worktree', 'add', '--detach', checkout, commit], { cwd: root });
  // Links of packages are relative, so they lead to the code of that commit.
  cpSync(join(root, 'node_modules'), join(checkout, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  cluster = await openCluster({ folder: join(folder, 'postgres'), binaries: binariesIn(debian) });
  await withAdmin(cluster, async (client) => {
    for (const name of ['namehold', 'registry']) await client.query(`create database ${name}`);
  });
  await runService(cluster);
  const text = dump(cluster);
  writeFileSync(file, gzipSync(text, { level: 9 }));
  console.log(`${file}: ${Math.round(readFileSync(file).length / 1024)} KiB, ${text.split('\n').length} lines`);
} finally {
  await cluster?.stop();
  if (existsSync(checkout)) execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: root });
  rmSync(folder, { recursive: true, force: true });
}

async function withAdmin(at: Cluster, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: at.url('postgres') });
  await client.connect();
  await work(client).finally(() => client.end());
}

async function runService(at: Cluster): Promise<void> {
  const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()));
  const [port, metrics, sandbox, dns, primary, redirect] = ports.map(String);
  const service = spawn(process.execPath, [join(checkout, 'packages/server/src/main.ts'), 'serve'], {
    cwd: checkout,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: at.url('namehold'),
      NAMEHOLD_SANDBOX_DATABASE_URL: at.url('registry'),
      NAMEHOLD_DATA_DIR: join(folder, 'data'),
      NAMEHOLD_LOG_LEVEL: 'warn',
      NAMEHOLD_PORT: port,
      NAMEHOLD_METRICS_PORT: metrics,
      NAMEHOLD_SANDBOX_PORT: sandbox,
      NAMEHOLD_DNS_PORT: dns,
      NAMEHOLD_PRIMARY_PORT: primary,
      NAMEHOLD_REDIRECT_PORT: redirect,
    },
  });
  const ended = new Promise<void>((resolve) => service.once('exit', () => resolve()));
  try {
    await order(`http://127.0.0.1:${port}`);
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
}

async function order(base: string): Promise<void> {
  const credentials = join(folder, 'data', 'credentials.json');
  while (!existsSync(credentials) || !(await fetch(`${base}/readyz`).catch(() => undefined))?.ok) await sleep(200);
  const { key, api_key } = JSON.parse(readFileSync(credentials, 'utf8')) as { key?: string; api_key?: string };
  const authorization = `Basic ${Buffer.from(`1000:${key ?? api_key}`).toString('base64')}`;
  const call = async (method: string, path: string, fields: Record<string, string> = {}) => {
    const body = method === 'GET' ? undefined : new URLSearchParams(fields);
    const answer = await fetch(base + path, { method, headers: { authorization }, ...(body ? { body } : {}) });
    const text = await answer.text();
    console.log(method, path, answer.status, answer.ok ? '' : text);
    return text ? JSON.parse(text) : undefined;
  };
  const party = {
    password: 'correct horse battery',
    name: 'Sari Dewi',
    company: 'Dewi Batik',
    address_line_1: 'Jalan Melati 5',
    city: 'Bandung',
    state: 'Jawa Barat',
    country_code: 'ID',
    zipcode: '40111',
    tel_cc_no: '62',
    tel_no: '227654321',
  };
  await call('POST', '/v1/customers', { ...party, email: 'sari@dewi-batik.example' });
  const child = await call('POST', '/v1/resellers', { ...party, email: 'a@island.example', selling_currency: 'USD' });
  await call('POST', `/v1/resellers/${child.reseller_id ?? child}/transactions/fund`, {
    amount: '100.00',
    description: 'bank transfer',
  });
  const contacts = {
    customer_id: '2001',
    registrant_contact_id: '3001',
    admin_contact_id: '3001',
    tech_contact_id: '3002',
    billing_contact_id: '3001',
    invoice_option: 'no_invoice',
  };
  for (const name of ['example-shop.com', 'second-thoughts.com', 'bicycle-shop.net', 'bicycle-shop.org'])
    await call('POST', '/v1/domains', { ...contacts, domain_name: name });
  await call('DELETE', '/v1/domains/second-thoughts.com');
  const { end_date } = await call('GET', '/v1/domains/example-shop.com');
  await call('POST', '/v1/domains/example-shop.com/renew', {
    years: '1',
    current_date: end_date.slice(0, 10),
    invoice_option: 'no_invoice',
  });
  await call('PUT', '/v1/domains/bicycle-shop.net/theft_protection');
  await call('POST', '/v1/domains/example-shop.com/dns/ip', { hostname: 'www', value: '192.0.2.1' });
  await call('POST', '/v1/domains/example-shop.com/dns/mx', { value: 'mail.example.net', priority: '10' });
  await call('DELETE', '/v1/domains/example-shop.com/dns/ip/www/192.0.2.1');
}

/** Without commands of psql, so that a client can send the text as it is. */
function dump(at: Cluster): string {
  const text = execFileSync(
    join(debian, 'pg_dump'),
    ['--no-owner', '--inserts', '--rows-per-insert=500', '--dbname', at.url('namehold')],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  return text.replace(/^(--( .*)?|\\(un)?restrict .*)\n/gm, '');
}
