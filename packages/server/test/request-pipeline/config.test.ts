import { describe, expect, test } from 'vitest';
import { formerNames, formerNamesIn } from '../../src/config/former-names.ts';
import { readConfig, SettingError, settingRows } from '../../src/config.ts';
import { masterKeySource } from '../../src/embedded/master-key.ts';

function problemOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError);
    return (error as Error).message;
  }
  throw new Error(`${JSON.stringify(env)} was accepted`);
}

test('starts in sandbox mode on loopback, port 8080, without settings', () => {
  const config = readConfig({});
  expect(config).toMatchObject({ mode: 'sandbox', host: '127.0.0.1', port: 8080, trustedProxies: [], corsOrigins: [] });
  expect(config.dataDir).toMatch(/\.namehold$/);
});

test('treats an empty value as absent', () => {
  expect(readConfig({ NAMEHOLD_PORT: '', NAMEHOLD_PUBLIC_URL: '' })).toEqual(readConfig({}));
});

test('allows mail without TLS only to the same machine', () => {
  const tlsOf = (host: string) => readConfig({ NAMEHOLD_SMTP_URL: `smtp://${host}:25` }).smtpUrl?.tls;
  expect(['127.0.0.1', 'localhost', '[::1]'].map(tlsOf)).toEqual(['none', 'none', 'none']);
  expect(['127.mail.example', 'mail.example.net'].map(tlsOf)).toEqual(['required', 'required']);
});

describe('an unknown setting', () => {
  test.each(['NAMEHOLD_PROT', 'NAMEHOLD_', 'NAMEHOLD_port'])('%s stops the start and is named', (name) => {
    expect(problemOf({ [name]: 'x' })).toContain(`${name} is not a setting`);
  });
  test('is ignored if it belongs to another program', () => {
    expect(() => readConfig({ PATH: '/bin', NAMEHOLDX: '1', HOME: '/root' })).not.toThrow();
  });
});

describe('an invalid value', () => {
  test.each([
    ['NAMEHOLD_MODE', 'prod'],
    ['NAMEHOLD_PORT', '65536'],
    ['NAMEHOLD_PORT', '-1'],
    ['NAMEHOLD_PORT', '80.5'],
    ['NAMEHOLD_PORT', 'http'],
    ['NAMEHOLD_PORT', ' '],
    ['NAMEHOLD_PORT', '0x50'],
    ['NAMEHOLD_PORT', '1e3'],
    ['NAMEHOLD_METRICS_PORT', 'yes'],
    ['NAMEHOLD_PUBLIC_URL', 'api.example.net'],
    ['NAMEHOLD_PUBLIC_URL', 'https://api.example.net/v1'],
    ['NAMEHOLD_PUBLIC_URL', 'https://user:pw@api.example.net'],
    ['NAMEHOLD_PUBLIC_URL', 'ftp://api.example.net'],
    ['NAMEHOLD_PUBLIC_URL', 'https://api example.net'],
    ['NAMEHOLD_TRUSTED_PROXIES', 'proxy.example.net'],
    ['NAMEHOLD_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['NAMEHOLD_TRUSTED_PROXIES', '10.0.0.1,,nonsense'],
    ['NAMEHOLD_TRUSTED_PROXIES', '10'],
    ['NAMEHOLD_LOG_LEVEL', 'loud'],
    ['NAMEHOLD_RATE_LIMIT_PER_MINUTE', '0'],
    ['NAMEHOLD_RATE_LIMIT_PER_MINUTE', 'many'],
    ['NAMEHOLD_WAIT_MS', '-5'],
    ['NAMEHOLD_DATABASE_CONNECTIONS', '1'],
    ['NAMEHOLD_CORS_ORIGINS', 'panel.example'],
    ['NAMEHOLD_CORS_ORIGINS', 'https://panel.example/path'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['NAMEHOLD_SANDBOX_DATABASE_URL', 'localhost'],
  ])('stops the start with a message: %s=%s', (name, value) => {
    const problem = problemOf({ [name]: value });
    expect(problem).toContain(name);
    if (!name.endsWith('_URL') || name === 'NAMEHOLD_PUBLIC_URL') expect(problem).toContain(`"${value}"`);
  });
  test('is reported together with all others, one per line', () => {
    const problem = problemOf({ NAMEHOLD_PORT: 'x', NAMEHOLD_MODE: 'y', NAMEHOLD_TYPO: 'z' });
    expect(problem.split('\n')).toHaveLength(3);
  });
  test('is reported without secrets', () => {
    expect(problemOf({ NAMEHOLD_MASTER_KEY: 'my secret key' })).not.toContain('my secret');
    expect(problemOf({ DATABASE_URL: 'http://user:hunter2@db/x' })).not.toContain('hunter2');
    expect(problemOf({ NAMEHOLD_MASTER_KEY: 'ab' })).toContain('64 hexadecimal digits');
  });
});

test('refuses a certificate without its key in any mode', () => {
  expect(problemOf({ NAMEHOLD_TLS_CERT_FILE: '/tmp/x.pem' })).toContain('NAMEHOLD_TLS_KEY_FILE');
  expect(problemOf({ NAMEHOLD_TLS_KEY_FILE: '/tmp/x.key' })).toContain('NAMEHOLD_TLS_CERT_FILE');
});

const goodKey = Array.from({ length: 32 }, (_, i) => (i * 7).toString(16).padStart(2, '0')).join('');

describe('production mode', () => {
  const good = {
    NAMEHOLD_MODE: 'production',
    NAMEHOLD_MASTER_KEY: goodKey,
    NAMEHOLD_PUBLIC_URL: 'https://api.example.net',
  };
  test('accepts a valid configuration', () => {
    expect(readConfig(good).mode).toBe('production');
    expect(readConfig({ ...good, NAMEHOLD_HOST: '0.0.0.0', NAMEHOLD_TRUSTED_PROXIES: '10.0.0.0/8' }).mode).toBe(
      'production',
    );
  });
  test.each([
    { DATABASE_URL: 'postgresql://u@127.0.0.1/x' },
    { DATABASE_URL: 'postgresql://u@localhost/x' },
    { DATABASE_URL: 'postgresql://u@%2Fvar%2Frun%2Fpostgresql/x' },
    { DATABASE_URL: 'postgresql:///x?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgresql://u@db.example.net/x?sslmode=verify-full' },
    { NAMEHOLD_METRICS_PORT: '9100', NAMEHOLD_METRICS_HOST: '10.1.2.3' },
    { NAMEHOLD_METRICS_PORT: '9100', NAMEHOLD_METRICS_HOST: 'fd00::1' },
    { NAMEHOLD_METRICS_PORT: '9100' },
    { NAMEHOLD_METRICS_HOST: '198.51.100.1' },
    { NAMEHOLD_DNS_METRICS_PORT: '9101', NAMEHOLD_METRICS_HOST: '::ffff:10.0.0.1' },
    { NAMEHOLD_TRUSTED_PROXIES: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,127.0.0.1,::1,::ffff:10.0.0.0/104' },
    { NAMEHOLD_TRUSTED_PROXIES: '173.245.48.0/20,104.16.0.0/13,2400:cb00::/32,2606:4700::/32,::ffff:192.0.2.7' },
    { NAMEHOLD_DATABASE_APP_URL: 'postgresql://u@db.example.net/x?sslmode=require' },
    { NAMEHOLD_DATABASE_SCHEDULER_URL: 'postgresql://u@[::1]/x' },
  ])('accepts a strong setting: %j', (change) => {
    expect(readConfig({ ...good, ...change } as Record<string, string>).mode).toBe('production');
  });
  test.each([
    ['a missing master key', { NAMEHOLD_MASTER_KEY: '' }, 'NAMEHOLD_MASTER_KEY'],
    ['a public address without TLS', { NAMEHOLD_PUBLIC_URL: 'http://api.example.net' }, 'https://'],
    ['a missing public URL', { NAMEHOLD_PUBLIC_URL: '' }, 'NAMEHOLD_PUBLIC_URL'],
    ['a public address without TLS or proxy', { NAMEHOLD_HOST: '0.0.0.0' }, 'NAMEHOLD_TLS_CERT_FILE'],
    ['a public IPv6 address without TLS or proxy', { NAMEHOLD_HOST: '::' }, 'NAMEHOLD_TLS_CERT_FILE'],
    ['an all-zero master key', { NAMEHOLD_MASTER_KEY: '00'.repeat(32) }, 'NAMEHOLD_MASTER_KEY'],
    [
      'all IPv4 addresses as trusted proxies',
      { NAMEHOLD_TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' },
      'NAMEHOLD_TRUSTED_PROXIES',
    ],
    [
      'half of all IPv4 addresses as trusted proxies',
      { NAMEHOLD_TRUSTED_PROXIES: '128.0.0.0/1' },
      'NAMEHOLD_TRUSTED_PROXIES',
    ],
    ['half of all IPv6 addresses as trusted proxies', { NAMEHOLD_TRUSTED_PROXIES: '::/0' }, 'NAMEHOLD_TRUSTED_PROXIES'],
    ['a remote database without TLS', { DATABASE_URL: 'postgresql://u@db.example.net/x' }, 'DATABASE_URL'],
    [
      'a remote database with TLS disabled',
      { DATABASE_URL: 'postgresql://u@10.0.0.5/x?sslmode=disable' },
      'DATABASE_URL',
    ],
    [
      'metrics on all addresses',
      { NAMEHOLD_METRICS_PORT: '9100', NAMEHOLD_METRICS_HOST: '0.0.0.0' },
      'NAMEHOLD_METRICS_HOST',
    ],
    [
      'metrics on a public address',
      { NAMEHOLD_METRICS_PORT: '9100', NAMEHOLD_METRICS_HOST: '198.51.100.1' },
      'NAMEHOLD_METRICS_HOST',
    ],
    ...['APP', 'SCHEDULER', 'RETENTION'].map((login): [string, Record<string, string>, string] => [
      `the login of ${login} on another machine without TLS`,
      { [`NAMEHOLD_DATABASE_${login}_URL`]: 'postgresql://u@203.0.113.9/x' },
      `NAMEHOLD_DATABASE_${login}_URL`,
    ]),
    [
      'a database host that begins like loopback',
      { DATABASE_URL: 'postgresql://u@127.evil.example/x' },
      'DATABASE_URL',
    ],
    ['a listening host that begins like loopback', { NAMEHOLD_HOST: '127.evil.example' }, 'NAMEHOLD_TLS_CERT_FILE'],
    [
      'contradicting sslmode values',
      { DATABASE_URL: 'postgresql://u@203.0.113.9/x?sslmode=require&sslmode=disable' },
      'DATABASE_URL',
    ],
    [
      'a remote database host in a parameter',
      { DATABASE_URL: 'postgresql:///x?host=/run&host=203.0.113.9' },
      'DATABASE_URL',
    ],
    ['a master key of one repeated byte', { NAMEHOLD_MASTER_KEY: 'ab'.repeat(32) }, 'NAMEHOLD_MASTER_KEY'],
    [
      'a master key of a few distinct bytes',
      { NAMEHOLD_MASTER_KEY: '0123456789abcdef'.repeat(4) },
      'NAMEHOLD_MASTER_KEY',
    ],
    [
      'all IPv4-mapped addresses as trusted proxies',
      { NAMEHOLD_TRUSTED_PROXIES: '::ffff:0:0/96' },
      'NAMEHOLD_TRUSTED_PROXIES',
    ],
    [
      'all IPv4-mapped addresses in another notation',
      { NAMEHOLD_TRUSTED_PROXIES: '::ffff:0.0.0.0/96' },
      'NAMEHOLD_TRUSTED_PROXIES',
    ],
    [
      'half of all IPv4-mapped addresses as trusted proxies',
      { NAMEHOLD_TRUSTED_PROXIES: '::ffff:128.0.0.0/97' },
      'NAMEHOLD_TRUSTED_PROXIES',
    ],
    [
      'a range that contains all IPv4-mapped addresses',
      { NAMEHOLD_TRUSTED_PROXIES: '::/64' },
      'NAMEHOLD_TRUSTED_PROXIES',
    ],
    [
      'both halves of all IPv4 addresses as trusted proxies',
      { NAMEHOLD_TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' },
      'NAMEHOLD_TRUSTED_PROXIES',
    ],
    [
      'all IPv4 addresses in small ranges as trusted proxies',
      { NAMEHOLD_TRUSTED_PROXIES: Array.from({ length: 256 }, (_, i) => `${i}.0.0.0/8`).join(',') },
      'NAMEHOLD_TRUSTED_PROXIES',
    ],
    [
      'nameserver metrics on a public address',
      { NAMEHOLD_DNS_METRICS_PORT: '9101', NAMEHOLD_METRICS_HOST: '203.0.113.1' },
      'NAMEHOLD_METRICS_HOST',
    ],
    ['failpoints', { NAMEHOLD_TEST_FAULTS: 'x' }, 'NAMEHOLD_TEST_FAULTS'],
  ])('refuses %s', (_name, change, named) => {
    expect(problemOf({ ...good, ...change })).toContain(named);
  });
});

test('checks a master key printed by a command, and accepts a weak previous key', () => {
  const production = (...lines: string[]) =>
    masterKeySource(
      readConfig({
        NAMEHOLD_MODE: 'production',
        NAMEHOLD_PUBLIC_URL: 'https://api.example.net',
        NAMEHOLD_MASTER_KEY_COMMAND: `printf '${lines.join(' ')}'`,
      }),
    );
  const zeros = '00'.repeat(32);
  expect(() => production(zeros)).toThrow(/NAMEHOLD_MASTER_KEY_COMMAND/);
  expect(() => production('ab'.repeat(32))).toThrow(SettingError);
  expect(production(goodKey, zeros)().former).toHaveLength(1);
  expect(() => masterKeySource(readConfig({ NAMEHOLD_MASTER_KEY_COMMAND: `printf ${zeros}` }))).not.toThrow();
});

test('describes every setting', () => {
  const rows = settingRows();
  expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  for (const { name, meaning } of rows) expect(meaning.length, name).toBeGreaterThan(10);
});

describe('former names of settings', () => {
  test('set the setting of the current name', () => {
    expect(readConfig({ NAMEHOLD_LEAVE_MS: '250' }).shutdownDelayMs).toBe(250);
    expect(readConfig({ NAMEHOLD_VERIFY_HOLDERS: 'off' }).verifyRegistrants).toBe('off');
  });
  test('are accepted beside the current name with the same value, and ignored when empty', () => {
    expect(readConfig({ NAMEHOLD_LEAVE_MS: '250', NAMEHOLD_SHUTDOWN_DELAY_MS: '250' }).shutdownDelayMs).toBe(250);
    expect(readConfig({ NAMEHOLD_LEAVE_MS: '', NAMEHOLD_SHUTDOWN_DELAY_MS: '250' }).shutdownDelayMs).toBe(250);
    expect(formerNamesIn({ NAMEHOLD_LEAVE_MS: '' })).toEqual([]);
  });
  test('are refused if the current name has another value, without showing the values', () => {
    const problem = problemOf({
      NAMEHOLD_DATABASE_CLOCKWORK_URL: 'postgresql://u:hidden@one/x',
      NAMEHOLD_DATABASE_SCHEDULER_URL: 'postgresql://u:hidden@two/x',
    });
    expect(problem).toContain(
      'NAMEHOLD_DATABASE_CLOCKWORK_URL is the former name of NAMEHOLD_DATABASE_SCHEDULER_URL, and both are set differently',
    );
    expect(problem).not.toContain('hidden');
  });
  test('map to existing settings', () => {
    const names = new Set(settingRows().map(({ name }) => name));
    expect(Object.values(formerNames).filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(formerNames).filter((name) => names.has(name))).toEqual([]);
    expect(formerNamesIn({ NAMEHOLD_DEMO_NAMES: 'off' })).toEqual([
      { former: 'NAMEHOLD_DEMO_NAMES', current: 'NAMEHOLD_DEMO_DOMAINS' },
    ]);
  });
});
