import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Programs for tests: real nameservers, a resolver, an EPP client and a registry of other authors, PostgreSQL 15, a browser, a PDF
 * reader, a certificate authority.
 */
export const testPackages = [
  'bind9',
  'bind9-dnsutils',
  'bind9-utils',
  'chromium-headless-shell',
  'knot',
  'knot-dnssecutils',
  'knot-dnsutils',
  'ldnsutils',
  'libnet-epp-perl',
  'libnet-opensrs-perl',
  'libyaml-libyaml-perl',
  'nsd',
  'openssl',
  'pdns-backend-sqlite3',
  'pdns-server',
  'pebble',
  'pgbouncer',
  'poppler-utils',
  'postfix',
  'postgresql-15',
  'postsrsd',
  'python3',
  'python3-dkim',
  'python3-idna',
  'sqlite3',
  'unbound',
];
/** Large packages that only the long tests need. */
export const longPackages = ['etcd-server', 'patroni', 'rspamd'];

const policy = '/usr/sbin/policy-rc.d';

export function ensureDebianPackages(packages: readonly string[]): void {
  const missing = packages.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(
      `The tests need Debian packages that are not installed, and this user may not install them. Run as root:\n  ${command}`,
    );
    process.exit(1);
  }
  console.error(`Installing Debian packages (once): ${missing.join(' ')}`);
  // Packages must not start their services: the tests start their own copies on loopback.
  const ours = !existsSync(policy);
  if (ours) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-q'], { stdio: ['ignore', 'ignore', 'inherit'], env });
    const { status } = spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    });
    if (status !== 0) {
      console.error(`apt-get could not install them; try by hand:\n  ${command}`);
      process.exit(1);
    }
  } finally {
    if (ours) rmSync(policy, { force: true });
  }
}

function isInstalled(name: string): boolean {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholder
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { encoding: 'utf8' });
  return stdout === 'installed';
}
