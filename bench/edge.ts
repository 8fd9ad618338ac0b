import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureHandshakes, measureRedirects } from './edge/against-bare.ts';
import { startServers } from './edge/servers.ts';
import { measureHttps, measureServed } from './edge/to-visitors.ts';

/**
 * Cost and speed of an edge: redirects and TLS handshakes as ratios to plain Node in the same run, the time of a rule until three edges
 * serve it, and of a domain until HTTPS, with a certificate authority that answers at once.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'redirects,handshakes,served,https' },
    rules: { type: 'string', default: '100' },
    names: { type: 'string', default: '20' },
  },
});
const wanted = new Set(values.only.split(','));
const kept: boolean[] = [];

function newIdentity(): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-bench-edge-'));
  const at = (name: string) => join(folder, name);
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  execFileSync('openssl', [...made, '-keyout', at('k'), '-out', at('c'), '-subj', '/CN=name.example'], {
    stdio: 'ignore',
  });
  const identity = { cert: readFileSync(at('c'), 'utf8'), key: readFileSync(at('k'), 'utf8') };
  rmSync(folder, { recursive: true, force: true });
  return identity;
}

const load = () => console.log(`load of the machine: ${loadavg()[0]!.toFixed(1)}`);

load();
if (wanted.has('redirects') || wanted.has('handshakes')) {
  const servers = await startServers(newIdentity());
  if (wanted.has('redirects')) kept.push(await measureRedirects(servers));
  if (wanted.has('handshakes')) kept.push(await measureHandshakes(servers));
  await servers.stop();
}
if (wanted.has('served')) kept.push(await measureServed(Number(values.rules)));
if (wanted.has('https')) kept.push(await measureHttps(Number(values.names)));
load();
process.exit(kept.every(Boolean) ? 0 : 1);
