import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/ports.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { askUdp, summary, until } from './support/ask.ts';

// A resolver follows delegations to port 53 only, so this test binds it on separate loopback addresses.
const ours = '127.0.9.1';
const registryServer = '127.0.9.3';
const resolver = { address: '127.0.9.10', port: 0 };

let t: TestService;
const folder = mkdtempSync(join(tmpdir(), 'namehold-resolver-'));
const running: ChildProcess[] = [];

beforeAll(async () => {
  resolver.port = await freePort();
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_DNS_HOST: ours, NAMEHOLD_DNS_PORT: '53' } });
});

afterAll(async () => {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(running.map((child) => child.exitCode ?? new Promise((ended) => child.once('exit', ended))));
  await t?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Root, the registry's published TLD zone, and the zone of our nameservers' names. */
function serveRegistry(comZone: string): void {
  const zones = {
    '.': `$TTL 60
. SOA a.root. hostmaster.root. 1 60 60 600 60
. NS a.root.
a.root. A ${registryServer}
com. NS a.tlds.test.
namehold-dns.net. NS a.tlds.test.
a.tlds.test. A ${registryServer}
`,
    'com.': comZone,
    'namehold-dns.net.': `$TTL 60
@ SOA a.tlds.test. hostmaster.tlds.test. 1 60 60 600 60
@ NS a.tlds.test.
ns1 A ${ours}
ns2 A ${ours}
`,
  };
  mkdirSync(folder, { recursive: true });
  const zoneLines = Object.entries(zones).map(([name, text], at) => {
    writeFileSync(join(folder, `${at}.zone`), text);
    return `zone:\n  name: "${name}"\n  zonefile: "${folder}/${at}.zone"\n`;
  });
  writeFileSync(
    join(folder, 'nsd.conf'),
    `server:
  ip-address: ${registryServer}@53
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zone.list"
  server-count: 1
remote-control:
  control-enable: no
${zoneLines.join('')}`,
  );
  running.push(spawn('nsd', ['-d', '-c', join(folder, 'nsd.conf')], { stdio: 'ignore' }));
}

function serveResolver(): void {
  writeFileSync(join(folder, 'root.hints'), `. 60 NS a.root.\na.root. 60 A ${registryServer}\n`);
  writeFileSync(
    join(folder, 'unbound.conf'),
    `server:
  interface: ${resolver.address}
  port: ${resolver.port}
  access-control: 127.0.0.0/8 allow
  do-not-query-localhost: no
  do-daemonize: no
  do-ip6: no
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: "${folder}/unbound.pid"
  use-syslog: no
  module-config: "iterator"
  root-hints: "${folder}/root.hints"
remote-control:
  control-enable: no
`,
  );
  running.push(spawn('unbound', ['-d', '-c', join(folder, 'unbound.conf')], { stdio: 'ignore' }));
}

test('resolves a newly registered name from the root through the registry to our nameserver', async () => {
  const registered = await t.call('POST', '/v1/domains', {
    form: {
      domain_name: 'fresh.com',
      customer_id: '2001',
      registrant_contact_id: '3001',
      admin_contact_id: '3001',
      tech_contact_id: '3001',
      billing_contact_id: '3001',
      invoice_option: 'no_invoice',
    },
  });
  expect(registered.status, registered.text).toBe(200);
  const changed = await t.call('PATCH', `/v1/domains/${registered.body.domain_id}/zone/rrsets`, {
    json: {
      rrsets: [
        { name: 'www', type: 'A', ttl: 300, records: ['192.0.2.80'] },
        { name: 'shop', type: 'CNAME', ttl: 300, records: ['www.fresh.com.'] },
      ],
    },
  });
  expect(changed.status, changed.text).toBe(200);
  const delegations = await t.control('GET', '/zones/com');
  expect(delegations.text).toContain('fresh.com. IN NS ns1.namehold-dns.net.');
  serveRegistry(delegations.text);
  serveResolver();
  const resolved = async () => {
    const message = await askUdp(resolver, 'shop.fresh.com.', 'A', 2_000, true);
    return message ? summary(message) : 'silence';
  };
  await until('the resolver', resolved, (found) => found.includes('www.fresh.com. 300 A 192.0.2.80'));
  const nameservers = await askUdp(resolver, 'fresh.com.', 'NS', 2_000, true);
  expect(summary(nameservers!)).toContain('NS ns2.namehold-dns.net.');
  expect((await askUdp(resolver, 'nothing.fresh.com.', 'A', 2_000, true))!.rcode).toBe(3);
});
