import { resolve } from 'node:path';
import { withCurrentNames } from './config/former-names.ts';
import { mailForwardingSettings } from './config/mail-forwarding.ts';
import {
  addresses,
  characterString,
  cookieSecrets,
  currency,
  databaseUrl,
  daysKept,
  integer,
  list,
  mailAddress,
  masterKey,
  oneOf,
  optional,
  optionalPort,
  origins,
  port,
  program,
  ranges,
  repairable,
  replicaUrl,
  type Setting,
  SettingError,
  setting,
  smtpUrl,
  text,
  url,
  zoneName,
} from './config/values.ts';
import { weaknesses } from './config/weaknesses.ts';
import { webForwardingSettings } from './config/web-forwarding.ts';

export { SettingError };

const settings = {
  mode: setting(
    'NAMEHOLD_MODE',
    'sandbox',
    'sandbox runs everything locally, with demo accounts; production refuses weak settings.',
    oneOf('sandbox', 'production'),
  ),
  dataDir: setting(
    'NAMEHOLD_DATA_DIR',
    '.namehold',
    'Data folder: master key, embedded database, credentials.json.',
    (value) => resolve(value),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'URL of PostgreSQL 15 or newer, in place of the embedded one. Its login owns the tables and runs the migrations.',
    databaseUrl,
  ),
  databaseAppUrl: setting(
    'NAMEHOLD_DATABASE_APP_URL',
    '',
    'Login for requests, limited to one reseller at a time. Default: DATABASE_URL as namehold_app.',
    databaseUrl,
  ),
  databaseSchedulerUrl: setting(
    'NAMEHOLD_DATABASE_SCHEDULER_URL',
    '',
    'Login for background jobs, operations and ledger entries. Default: DATABASE_URL as namehold_clockwork.',
    databaseUrl,
  ),
  databaseRetentionUrl: setting(
    'NAMEHOLD_DATABASE_RETENTION_URL',
    '',
    'Login that purges old rows. Default: DATABASE_URL as namehold_retention.',
    databaseUrl,
  ),
  databaseReplicaUrl: setting(
    'NAMEHOLD_DATABASE_REPLICA_URL',
    '',
    'Standbys for reads of lists, events, audit and statements, such as postgresql://two:5432,three:5432/namehold. The logins are those of the primary.',
    replicaUrl,
  ),
  databaseReplicaWaitMs: setting(
    'NAMEHOLD_DATABASE_REPLICA_WAIT_MS',
    '50',
    'How long a read waits for a standby that is behind, in milliseconds, before it uses the primary.',
    integer(0, 10_000),
  ),
  sandboxDatabaseUrl: setting(
    'NAMEHOLD_SANDBOX_DATABASE_URL',
    '',
    'Database of the sandbox registry, if DATABASE_URL is set and a sandbox registry is wanted.',
    databaseUrl,
  ),
  databaseConnections: setting(
    'NAMEHOLD_DATABASE_CONNECTIONS',
    '16',
    'Maximum PostgreSQL connections of a process for each of its two logins. A third is reserved for reads. Transactions of one account use at most a third of the others.',
    integer(2, 500),
  ),
  diskFreeMb: setting(
    'NAMEHOLD_DISK_FREE_MB',
    '256',
    'With less free disk space in the data folder, in MiB, /readyz returns 503.',
    integer(0, 1_000_000_000),
  ),
  masterKey: setting(
    'NAMEHOLD_MASTER_KEY',
    '',
    'Key that encrypts stored secrets, 64 hexadecimal digits. Sandbox mode creates one in the data folder.',
    masterKey,
  ),
  masterKeyFormer: setting(
    'NAMEHOLD_MASTER_KEY_FORMER',
    '',
    'The former master key during a rotation. It decrypts existing secrets until namehold master-key rotate has run.',
    masterKey,
  ),
  masterKeyCommand: setting(
    'NAMEHOLD_MASTER_KEY_COMMAND',
    '',
    'Command that prints the master key, for example from a key service, in place of NAMEHOLD_MASTER_KEY. A second line is the former key.',
    optional,
  ),
  operatorCurrency: setting(
    'NAMEHOLD_OPERATOR_CURRENCY',
    'USD',
    'Production mode, first start: the currency of the operator account. It cannot be changed later.',
    currency,
  ),
  keepEventsDays: setting(
    'NAMEHOLD_KEEP_EVENTS_DAYS',
    '400',
    'Retention of events, in days. 0: permanent.',
    daysKept(1),
  ),
  keepNoticesDays: setting(
    'NAMEHOLD_KEEP_NOTICES_DAYS',
    '800',
    'Retention of sent notices and their delivery status, in days, at least 366. 0: permanent.',
    daysKept(366),
  ),
  keepAuditDays: setting(
    'NAMEHOLD_KEEP_AUDIT_DAYS',
    '1830',
    'Retention of the audit log, in days. The hash at the cut is kept. 0: permanent.',
    daysKept(90),
  ),
  keepOperationsDays: setting(
    'NAMEHOLD_KEEP_OPERATIONS_DAYS',
    '550',
    'Retention of operations that moved no money, with their journal, in days. Purchases and rows needed for reconciliation are kept. 0: permanent.',
    daysKept(460),
  ),
  keepJournalDays: setting(
    'NAMEHOLD_KEEP_JOURNAL_DAYS',
    '550',
    'Retention of registry commands that belong to no operation, in days. 0: permanent.',
    daysKept(460),
  ),
  keepPollMessagesDays: setting(
    'NAMEHOLD_KEEP_POLL_MESSAGES_DAYS',
    '550',
    'Retention of processed poll messages, in days. 0: permanent.',
    daysKept(90),
  ),
  keepQuotesDays: setting(
    'NAMEHOLD_KEEP_QUOTES_DAYS',
    '30',
    'Retention of quotes after their expiry, in days. 0: permanent.',
    daysKept(1),
  ),
  keepIdempotencyDays: setting(
    'NAMEHOLD_KEEP_IDEMPOTENCY_DAYS',
    '3',
    'Retention of answers to an Idempotency-Key, in days. 0: permanent.',
    daysKept(1),
  ),
  host: setting('NAMEHOLD_HOST', '127.0.0.1', 'Listen address of the HTTP API.', text),
  port: setting('NAMEHOLD_PORT', '8080', 'Port of the HTTP API. 0: a free port.', port),
  publicUrl: setting(
    'NAMEHOLD_PUBLIC_URL',
    '',
    'Public URL of the service, used in links. Default: http://HOST:PORT.',
    url,
  ),
  tlsCertFile: setting('NAMEHOLD_TLS_CERT_FILE', '', 'Certificate chain (PEM) for HTTPS without a proxy.', optional),
  tlsKeyFile: setting('NAMEHOLD_TLS_KEY_FILE', '', 'Private key (PEM) of that certificate.', optional),
  trustedProxies: setting(
    'NAMEHOLD_TRUSTED_PROXIES',
    '',
    'Addresses or ranges of proxies whose X-Forwarded-For is trusted.',
    ranges,
  ),
  connectionsPerNetwork: setting(
    'NAMEHOLD_CONNECTIONS_PER_NETWORK',
    '500',
    'Maximum concurrent HTTP connections of one IPv4 address or IPv6 /64. One IPv4 /24 or IPv6 /48 gets at most 2,500 of the 10,000 connections of a process. Trusted proxies are exempt. 0: no limit of both.',
    integer(0, 10_000),
  ),
  metricsHost: setting('NAMEHOLD_METRICS_HOST', '127.0.0.1', 'Listen address of the metrics.', text),
  metricsPort: setting(
    'NAMEHOLD_METRICS_PORT',
    '',
    'Port for Prometheus metrics. Empty: none. 0: a free port.',
    optionalPort,
  ),
  corsOrigins: setting(
    'NAMEHOLD_CORS_ORIGINS',
    '',
    'Origins that may call the API from a browser; * for any. Empty: only /swagger.',
    origins,
  ),
  logLevel: setting(
    'NAMEHOLD_LOG_LEVEL',
    'info',
    'Lowest log level.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  rateLimitPerMinute: setting(
    'NAMEHOLD_RATE_LIMIT_PER_MINUTE',
    '3000',
    'Requests a minute for each API key. A session has a fifth of it. Half of it can be used in one burst.',
    integer(10, 10_000_000),
  ),
  addressRateLimitPerMinute: setting(
    'NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE',
    '6000',
    'Requests a minute from each address, over all API keys.',
    integer(10, 10_000_000),
  ),
  costLimitPerMinute: setting(
    'NAMEHOLD_COST_LIMIT_PER_MINUTE',
    '6000',
    'Units of work a minute for each reseller: a queried domain 1, twenty rows of a list 1, a password hash 10, a zone read or write 20.',
    integer(100, 10_000_000),
  ),
  requestsInFlight: setting(
    'NAMEHOLD_REQUESTS_IN_FLIGHT',
    '1000',
    'Maximum concurrent requests of a process, half as many of one account, and three quarters of all accounts below one top account. Further requests get 503 with Retry-After at once.',
    integer(10, 100_000),
  ),
  shutdownDelayMs: setting(
    'NAMEHOLD_SHUTDOWN_DELAY_MS',
    '',
    'After a stop signal, /readyz returns 503 for this time, in milliseconds, before new connections are refused, so that load balancers notice. Default: 5000 in production, 0 in sandbox mode.',
    (value) => (value === '' ? undefined : integer(0, 15_000)(value)),
  ),
  shedWaitMs: setting(
    'NAMEHOLD_SHED_WAIT_MS',
    '2000',
    'Load shedding limit in milliseconds. If requests wait this long for the event loop or a database connection during a whole second, new reads or writes get 503 with Retry-After. Anonymous and expensive requests get it at half of this wait. 0: never.',
    integer(0, 60_000),
  ),
  shedMemoryMb: setting(
    'NAMEHOLD_SHED_MEMORY_MB',
    '1536',
    'Load shedding as above, by memory of the process (heap and buffers), in MiB. 0: never.',
    integer(0, 1_000_000),
  ),
  waitMs: setting(
    'NAMEHOLD_WAIT_MS',
    '10000',
    'How long a call waits for a registry before it returns 202, in milliseconds since its arrival.',
    integer(0, 60_000),
  ),
  leaseMs: setting(
    'NAMEHOLD_LEASE_MS',
    '20000',
    'Time until another process takes over the operations of a dead process, in milliseconds.',
    integer(500, 600_000),
  ),
  eventLoopLimitMs: setting(
    'NAMEHOLD_EVENT_LOOP_LIMIT_MS',
    '30000',
    'Limit for a blocked event loop, in milliseconds. The process then logs the stack of its main thread and exits, so that a supervisor restarts it. Time while the process is suspended or a debugger is attached does not count. 0: never.',
    integer(0, 3_600_000),
  ),
  sandboxPort: setting(
    'NAMEHOLD_SANDBOX_PORT',
    '7000',
    'Port of the sandbox registry (EPP over TLS, loopback). 0: a free port.',
    port,
  ),
  demoDomains: setting(
    'NAMEHOLD_DEMO_DOMAINS',
    'off',
    'Sandbox mode, first start: on creates a few demo domains with a history. npm start sets on.',
    oneOf('on', 'off'),
  ),
  sandboxReplyTimeoutMs: setting(
    'NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS',
    '60000',
    'Timeout for answers of the sandbox registry, in milliseconds; then the outcome is unknown.',
    integer(50, 600_000),
  ),
  defaultNameservers: setting(
    'NAMEHOLD_DEFAULT_NAMESERVERS',
    'ns1.namehold-dns.net,ns2.namehold-dns.net',
    'Nameservers of a domain whose order names none.',
    list,
  ),
  theftProtection: setting(
    'NAMEHOLD_THEFT_PROTECTION',
    'on',
    'Whether new domains start with theft protection (no transfer to another registrar), if the TLD supports it: on or off.',
    oneOf('on', 'off'),
  ),
  approvalHours: setting(
    'NAMEHOLD_APPROVAL_HOURS',
    '72',
    'Hours until a change that waits for an approval of its reseller, or a move that waits for the other reseller, expires.',
    integer(1, 720),
  ),
  orderDays: setting(
    'NAMEHOLD_ORDER_DAYS',
    '30',
    'Days that an order waits for the payment of its customer before it is cancelled.',
    integer(1, 365),
  ),
  compareHours: setting(
    'NAMEHOLD_COMPARE_HOURS',
    '24',
    'Every domain is compared with its registry once in this number of hours.',
    integer(1, 720),
  ),
  watchMinutes: setting(
    'NAMEHOLD_WATCH_MINUTES',
    '10',
    'A watched domain is compared with its registry once in this number of minutes.',
    integer(1, 15),
  ),
  repair: setting(
    'NAMEHOLD_REPAIR',
    '',
    'Data that is restored automatically after an unexpected change at the registry: nameservers, ds. Empty: changes are only reported.',
    repairable,
  ),
  parkingAddresses: setting(
    'NAMEHOLD_PARKING_ADDRESS',
    '',
    'Addresses (IPv4, IPv6) of a new zone and its www until the owner changes them. Empty: none.',
    addresses,
  ),
  dnsHosts: setting(
    'NAMEHOLD_DNS_HOST',
    '127.0.0.1',
    'Listen addresses of the nameserver. 0.0.0.0 and :: mean all addresses of the machine at its start, each with its own socket.',
    addresses,
  ),
  dnsPort: setting(
    'NAMEHOLD_DNS_PORT',
    '5300',
    'Port of the nameserver (UDP and TCP). 0: a free port. off: no nameserver.',
    optionalPort,
  ),
  dnsThreads: setting(
    'NAMEHOLD_DNS_THREADS',
    '1',
    'Threads of the nameserver. Each holds all zones in memory.',
    integer(1, 64),
  ),
  dnsBatches: setting(
    'NAMEHOLD_DNS_BATCHES',
    'on',
    'Waiting queries are read and answered in batches, by Linux system calls. `off`: one by one, by Node.',
    oneOf('on', 'off'),
  ),
  dnsRateLimit: setting(
    'NAMEHOLD_DNS_RATE_LIMIT',
    '50',
    'UDP answers of one kind from one zone to one network (/24, /56) a second. Clients with a valid DNS cookie are not limited. 0: no limit.',
    integer(0, 1_000_000),
  ),
  dnsRateSlip: setting(
    'NAMEHOLD_DNS_RATE_SLIP',
    '2',
    'Every n-th answer beyond the limit is sent empty with the TC bit, the others are dropped. 0: all are dropped.',
    integer(0, 10),
  ),
  dnsRateExempt: setting(
    'NAMEHOLD_DNS_RATE_EXEMPT',
    '127.0.0.0/8,::1',
    'Addresses and ranges without rate limit.',
    ranges,
  ),
  dnsCookieSecrets: setting(
    'NAMEHOLD_DNS_COOKIE_SECRETS',
    '',
    'Secrets of DNS cookies (RFC 9018), 32 hexadecimal digits each; the first signs new cookies. For nameservers that share an address. Empty: random, changed daily.',
    cookieSecrets,
  ),
  dnsVersion: setting(
    'NAMEHOLD_DNS_VERSION',
    '',
    'Answer to TXT queries for `version.bind` and `version.server` in class CH, at most 255 characters. Empty: refused.',
    characterString,
  ),
  dnsServerId: setting(
    'NAMEHOLD_DNS_SERVER_ID',
    '',
    'Identifier of this nameserver: the answer to `id.server` and `hostname.bind` in class CH (RFC 4892), and the NSID option (RFC 5001). At most 255 characters. Empty: refused and omitted.',
    characterString,
  ),
  dnsTcpConnections: setting(
    'NAMEHOLD_DNS_TCP_CONNECTIONS',
    '512',
    'Maximum TCP connections of each thread. A new one closes the longest idle one.',
    integer(1, 65_535),
  ),
  dnsTcpConnectionsPerAddress: setting(
    'NAMEHOLD_DNS_TCP_CONNECTIONS_PER_ADDRESS',
    '64',
    'Maximum TCP connections of one address to each thread. One IPv4 /24 or IPv6 /48 gets at most a quarter of all.',
    integer(1, 65_535),
  ),
  dnsTcpIdleMs: setting(
    'NAMEHOLD_DNS_TCP_IDLE_MS',
    '10000',
    'Idle timeout of a TCP connection, in milliseconds.',
    integer(100, 600_000),
  ),
  dnsTcpQueries: setting(
    'NAMEHOLD_DNS_TCP_QUERIES',
    '1000',
    'Maximum queries on one TCP connection; then it is closed.',
    integer(1, 1_000_000),
  ),
  dnsMetricsPort: setting(
    'NAMEHOLD_DNS_METRICS_PORT',
    '',
    'Port for Prometheus metrics of the nameserver, at NAMEHOLD_METRICS_HOST. Empty: none. 0: a free port.',
    optionalPort,
  ),
  primaryHost: setting(
    'NAMEHOLD_PRIMARY_HOST',
    '127.0.0.1',
    'Listen address of the hidden primary, for zone transfers.',
    text,
  ),
  primaryPort: setting(
    'NAMEHOLD_PRIMARY_PORT',
    '5301',
    'Port of the hidden primary, opened with the first nameserver that uses transfers. 0: a free port. off: no hidden primary.',
    optionalPort,
  ),
  catalogZone: setting(
    'NAMEHOLD_CATALOG_ZONE',
    'catalog.namehold.invalid',
    'Name of the catalog zone (RFC 9432), which lists all zones for your nameservers.',
    zoneName,
  ),
  publishAlarmSeconds: setting(
    'NAMEHOLD_PUBLISH_ALARM_SECONDS',
    '300',
    'An alarm is raised if a nameserver is behind a change for this number of seconds.',
    integer(1, 86_400),
  ),
  alarmCommand: setting(
    'NAMEHOLD_ALARM_COMMAND',
    '',
    'Absolute path of a program to run for each new alarm, without arguments. It reads the alarm as JSON from standard input.',
    program,
  ),
  smtpUrl: setting(
    'NAMEHOLD_SMTP_URL',
    '',
    'Mail server, such as smtp://user:password@mail.example.net:587 (STARTTLS) or smtps://...:465; append ?tls=none for a server without TLS. Empty in sandbox mode: mail is kept at GET /v1/sandbox/mail.',
    smtpUrl,
  ),
  mailPerAccount: setting(
    'NAMEHOLD_MAIL_PER_ACCOUNT',
    '5000',
    'Mails of one group that calls of one account may cause in 24 hours. Further mails are not sent and raise an alarm. Expiry notices do not count.',
    integer(1, 100_000_000),
  ),
  mailPerMailbox: setting(
    'NAMEHOLD_MAIL_PER_MAILBOX',
    '50',
    'The same limit for one mailbox; sub-addresses (user+1@, user+2@) count together. All accounts that never proved the address may together send five times as many.',
    integer(1, 100_000_000),
  ),
  mailFrom: setting(
    'NAMEHOLD_MAIL_FROM',
    'notices@namehold.invalid',
    'Sender address of mail, unless a reseller has its own.',
    mailAddress,
  ),
  mailBounce: setting(
    'NAMEHOLD_MAIL_BOUNCE',
    '',
    'Return address for bounces, such as bounce@example.net. Each mail uses its own variant, bounce+...@example.net, for namehold mail bounce. Empty: NAMEHOLD_MAIL_FROM, and bounces are not processed.',
    (value) => (value === '' ? undefined : mailAddress(value)),
  ),
  verifyRegistrants: setting(
    'NAMEHOLD_VERIFY_REGISTRANTS',
    'hold',
    'Registrants of gTLD domains must confirm their email address within 15 days. hold: otherwise the domain is taken out of the DNS; ask: it stays; off: no confirmation is requested.',
    oneOf('hold', 'ask', 'off'),
  ),
  registrantChanges: setting(
    'NAMEHOLD_REGISTRANT_CHANGES',
    'agent',
    'Change of the registrant of a gTLD domain. agent: your agreements make the reseller the designated agent of both sides (ICANN Transfer Policy II.A), and the change is made at once; confirm: both sides confirm it by a link in a mail. A call can override this (designated_agent).',
    oneOf('agent', 'confirm'),
  ),
  mailGiveUpHours: setting(
    'NAMEHOLD_MAIL_GIVE_UP_HOURS',
    '72',
    'A notice that was not delivered to a mail server within this number of hours has failed.',
    integer(1, 720),
  ),
  dkimDomain: setting('NAMEHOLD_DKIM_DOMAIN', '', 'Signing domain of outgoing mail (DKIM, RFC 6376).', optional),
  dkimSelector: setting('NAMEHOLD_DKIM_SELECTOR', '', 'Selector of the DKIM key.', optional),
  dkimKeyFile: setting('NAMEHOLD_DKIM_KEY_FILE', '', 'File with the private DKIM key (PEM).', optional),
  ...webForwardingSettings,
  ...mailForwardingSettings,
  testFaults: setting(
    'NAMEHOLD_TEST_FAULTS',
    '',
    'Sandbox mode only, for recovery tests: failpoints at which the process kills itself, or blocks its event loop (<point>=block).',
    list,
  ),
} satisfies Record<string, Setting<unknown>>;

export type Config = { readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['parse']> };

/** Reads every setting from the environment. Throws a SettingError that names each unknown NAMEHOLD_ variable and each invalid value. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const env = withCurrentNames(environment);
  const names = new Set(Object.values(settings).map((s) => s.name));
  const problems = Object.keys(env)
    .filter((name) => name.startsWith('NAMEHOLD_') && !names.has(name))
    .map((name) => `${name} is not a setting of Namehold (docs/operate/settings.md lists them)`);
  const values: Record<string, unknown> = {};
  for (const [key, s] of Object.entries(settings)) {
    const given = env[s.name];
    const value = given === undefined || given === '' ? s.fallback : given;
    try {
      values[key] = s.parse(value);
    } catch (error) {
      problems.push(
        `${s.name} must be ${(error as Error).message}; it is ${holdsSecret(s.name) ? '(hidden)' : `"${value}"`}`,
      );
    }
  }
  if (problems.length > 0) throw new SettingError(problems.join('\n'));
  const config = values as Config;
  if (Boolean(config.tlsCertFile) !== Boolean(config.tlsKeyFile))
    throw new SettingError('NAMEHOLD_TLS_CERT_FILE and NAMEHOLD_TLS_KEY_FILE must be set together');
  if (Boolean(config.acmeEabKeyId) !== Boolean(config.acmeEabHmacKey))
    throw new SettingError('NAMEHOLD_ACME_EAB_KEY_ID and NAMEHOLD_ACME_EAB_HMAC_KEY must be set together');
  if (Boolean(config.acmeSecondEabKeyId) !== Boolean(config.acmeSecondEabHmacKey))
    throw new SettingError(
      'NAMEHOLD_ACME_SECOND_EAB_KEY_ID and NAMEHOLD_ACME_SECOND_EAB_HMAC_KEY must be set together',
    );
  if (config.acmeSecondDirectory && (!config.acmeDirectory || config.acmeSecondDirectory === config.acmeDirectory))
    throw new SettingError('NAMEHOLD_ACME_SECOND_DIRECTORY requires NAMEHOLD_ACME_DIRECTORY and must differ from it');
  if (new Set([config.dkimDomain, config.dkimSelector, config.dkimKeyFile].map(Boolean)).size > 1)
    throw new SettingError(
      'NAMEHOLD_DKIM_DOMAIN, NAMEHOLD_DKIM_SELECTOR and NAMEHOLD_DKIM_KEY_FILE must be set together',
    );
  const weak = config.mode === 'production' ? weaknesses(config) : [];
  if (weak.length > 0) throw new SettingError(weak.join('\n'));
  return config;
}

/** Database URLs contain passwords. */
const holdsSecret = (name: string) => /(MASTER_KEY(_\w+)?|DATABASE_(\w+_)?URL|SMTP_URL|SECRETS|HMAC_KEY)$/.test(name);

export interface DisplayedSetting {
  readonly name: string;
  readonly meaning: string;
  readonly fallback: string;
  /** null: nothing is set, or it is a secret. */
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly isSet: boolean;
}

/** The effective settings for an operator. Secrets, and command lines that may contain them, only show whether they are set. */
export function displayedSettings(config: Config): DisplayedSetting[] {
  return Object.entries(settings).map(([key, { name, meaning, fallback }]) => {
    const value: unknown = config[key as keyof Config];
    const isSet = value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
    const isSecret = holdsSecret(name) || name.endsWith('_COMMAND');
    const text = typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
    return { name, meaning, fallback, value: isSet && !isSecret ? text : null, isSecret, isSet };
  });
}

/** For the documentation. */
export function settingRows(): { name: string; fallback: string; meaning: string }[] {
  return Object.values(settings).map(({ name, fallback, meaning }) => ({ name, fallback, meaning }));
}
