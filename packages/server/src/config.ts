import { resolve } from 'node:path';
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
    'sandbox brings every part along, with demo accounts; production refuses weak settings.',
    oneOf('sandbox', 'production'),
  ),
  dataDir: setting(
    'NAMEHOLD_DATA_DIR',
    '.namehold',
    'Folder for the master key, the embedded database and credentials.json.',
    (value) => resolve(value),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'PostgreSQL 15 or newer to use instead of the embedded one, as the owner of the tables: migrations run with it.',
    databaseUrl,
  ),
  databaseAppUrl: setting(
    'NAMEHOLD_DATABASE_APP_URL',
    '',
    'Login for requests, which sees one reseller at a time. Default: DATABASE_URL as namehold_app.',
    databaseUrl,
  ),
  databaseClockworkUrl: setting(
    'NAMEHOLD_DATABASE_CLOCKWORK_URL',
    '',
    'Login for jobs, the engine and movements of money. Default: DATABASE_URL as namehold_clockwork.',
    databaseUrl,
  ),
  databaseRetentionUrl: setting(
    'NAMEHOLD_DATABASE_RETENTION_URL',
    '',
    'Login that forgets what is old. Default: DATABASE_URL as namehold_retention.',
    databaseUrl,
  ),
  databaseReplicaUrl: setting(
    'NAMEHOLD_DATABASE_REPLICA_URL',
    '',
    'Standbys at which lists, events, audit and statements may be read, such as postgresql://two:5432,three:5432/namehold; the logins are those of the primary.',
    replicaUrl,
  ),
  databaseReplicaWaitMs: setting(
    'NAMEHOLD_DATABASE_REPLICA_WAIT_MS',
    '50',
    'A standby that is further behind the primary than this, in milliseconds, is not waited for: the primary is read.',
    integer(0, 10_000),
  ),
  sandboxDatabaseUrl: setting(
    'NAMEHOLD_SANDBOX_DATABASE_URL',
    '',
    'Database of the sandbox registry, where DATABASE_URL is set and a sandbox registry is still wanted.',
    databaseUrl,
  ),
  databaseConnections: setting(
    'NAMEHOLD_DATABASE_CONNECTIONS',
    '16',
    'Connections to PostgreSQL that a process holds at most for each of its two logins; a third of them for who only reads, and of the others at most a third for the transactions of one account.',
    integer(2, 500),
  ),
  diskFreeMb: setting(
    'NAMEHOLD_DISK_FREE_MB',
    '256',
    'With less room on the disk of the data folder, in MiB, /readyz says that the service is not ready.',
    integer(0, 1_000_000_000),
  ),
  masterKey: setting(
    'NAMEHOLD_MASTER_KEY',
    '',
    'Key that seals secrets at rest, 64 hexadecimal digits. Sandbox mode makes one in the data folder.',
    masterKey,
  ),
  masterKeyFormer: setting(
    'NAMEHOLD_MASTER_KEY_FORMER',
    '',
    'The master key that is being replaced: it still opens what it sealed, until namehold master-key rotate has run.',
    masterKey,
  ),
  masterKeyCommand: setting(
    'NAMEHOLD_MASTER_KEY_COMMAND',
    '',
    'Command that prints the master key, from a key service, instead of NAMEHOLD_MASTER_KEY; a second line is the former one.',
    optional,
  ),
  operatorCurrency: setting(
    'NAMEHOLD_OPERATOR_CURRENCY',
    'USD',
    'Production mode, first start: the currency that the operator account counts in. It cannot be changed later.',
    currency,
  ),
  keepEventsDays: setting(
    'NAMEHOLD_KEEP_EVENTS_DAYS',
    '400',
    'Events, which resellers read: kept for so many days; 0 for ever.',
    daysKept(1),
  ),
  keepNoticesDays: setting(
    'NAMEHOLD_KEEP_NOTICES_DAYS',
    '800',
    'Notices that were sent, and what became of them: kept for so many days, at least 366; 0 for ever.',
    daysKept(366),
  ),
  keepAuditDays: setting(
    'NAMEHOLD_KEEP_AUDIT_DAYS',
    '1830',
    'The audit log; the hash at the cut stays: kept for so many days; 0 for ever.',
    daysKept(90),
  ),
  keepOperationsDays: setting(
    'NAMEHOLD_KEEP_OPERATIONS_DAYS',
    '550',
    'Operations that moved no money, with their journal; purchases and what the books are compared with stay: kept for so many days; 0 for ever.',
    daysKept(460),
  ),
  keepJournalDays: setting(
    'NAMEHOLD_KEEP_JOURNAL_DAYS',
    '550',
    'Commands to registries that belong to no operation: kept for so many days; 0 for ever.',
    daysKept(460),
  ),
  keepPollMessagesDays: setting(
    'NAMEHOLD_KEEP_POLL_MESSAGES_DAYS',
    '550',
    'Poll messages that were worked through: kept for so many days; 0 for ever.',
    daysKept(90),
  ),
  keepQuotesDays: setting(
    'NAMEHOLD_KEEP_QUOTES_DAYS',
    '30',
    'Quotes, counted from their end: kept for so many days; 0 for ever.',
    daysKept(1),
  ),
  keepIdempotencyDays: setting(
    'NAMEHOLD_KEEP_IDEMPOTENCY_DAYS',
    '3',
    'Answers to an Idempotency-Key: kept for so many days; 0 for ever.',
    daysKept(1),
  ),
  host: setting('NAMEHOLD_HOST', '127.0.0.1', 'Address that the HTTP interface listens on.', text),
  port: setting('NAMEHOLD_PORT', '8080', 'Port of the HTTP interface; 0 takes a free one.', port),
  publicUrl: setting(
    'NAMEHOLD_PUBLIC_URL',
    '',
    'Address under which clients reach the service; links are built from it. Default: http://HOST:PORT.',
    url,
  ),
  tlsCertFile: setting('NAMEHOLD_TLS_CERT_FILE', '', 'Certificate chain (PEM) to serve HTTPS directly.', optional),
  tlsKeyFile: setting('NAMEHOLD_TLS_KEY_FILE', '', 'Private key (PEM) of that certificate.', optional),
  trustedProxies: setting(
    'NAMEHOLD_TRUSTED_PROXIES',
    '',
    'Addresses or ranges of proxies whose X-Forwarded-For is believed.',
    ranges,
  ),
  connectionsPerNetwork: setting(
    'NAMEHOLD_CONNECTIONS_PER_NETWORK',
    '500',
    'Connections to the HTTP interface that one IPv4 address or IPv6 /64 may hold at a time; trusted proxies are exempt. 0: no limit.',
    integer(0, 10_000),
  ),
  metricsHost: setting('NAMEHOLD_METRICS_HOST', '127.0.0.1', 'Address that metrics are served on.', text),
  metricsPort: setting(
    'NAMEHOLD_METRICS_PORT',
    '',
    'Port for Prometheus metrics; empty serves none, 0 takes a free one.',
    optionalPort,
  ),
  corsOrigins: setting(
    'NAMEHOLD_CORS_ORIGINS',
    '',
    'Origins that may call from a browser; * for any. Empty: none but /swagger itself.',
    origins,
  ),
  logLevel: setting(
    'NAMEHOLD_LOG_LEVEL',
    'info',
    'Least level that is logged.',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  ),
  rateLimitPerMinute: setting(
    'NAMEHOLD_RATE_LIMIT_PER_MINUTE',
    '3000',
    'Requests a minute for each API key; half as many again may come in a burst.',
    integer(10, 10_000_000),
  ),
  addressRateLimitPerMinute: setting(
    'NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE',
    '6000',
    'Requests a minute from each address, over all keys.',
    integer(10, 10_000_000),
  ),
  costLimitPerMinute: setting(
    'NAMEHOLD_COST_LIMIT_PER_MINUTE',
    '6000',
    'Units of work a minute for each reseller: a name asked for is 1, twenty rows of a list 1, a password to hash 10, a zone to read or write 20.',
    integer(100, 10_000_000),
  ),
  requestsInFlight: setting(
    'NAMEHOLD_REQUESTS_IN_FLIGHT',
    '1000',
    'Requests that a process works on at a time, of one account at most half as many; whoever comes beyond that gets 503 with Retry-After at once.',
    integer(10, 100_000),
  ),
  leaveMs: setting(
    'NAMEHOLD_LEAVE_MS',
    '',
    'When it is told to stop, /readyz says 503 for so long, in milliseconds, before no connection is taken any more: load balancers ask on new ones. Default: 5000 in production, 0 in sandbox mode.',
    (value) => (value === '' ? undefined : integer(0, 15_000)(value)),
  ),
  shedWaitMs: setting(
    'NAMEHOLD_SHED_WAIT_MS',
    '2000',
    'Once requests have waited this long for a whole second, for their turn or for a database connection, new ones that need the same (to read, or to write) get 503 with Retry-After; at half of it already who shows no credentials and what costs more. 0: never.',
    integer(0, 60_000),
  ),
  shedMemoryMb: setting(
    'NAMEHOLD_SHED_MEMORY_MB',
    '1536',
    'The same for the memory of the process (heap and buffers), in MiB. 0: never.',
    integer(0, 1_000_000),
  ),
  waitMs: setting(
    'NAMEHOLD_WAIT_MS',
    '10000',
    'How long a caller waits for a registry before it gets 202, in milliseconds, from the arrival of its call.',
    integer(0, 60_000),
  ),
  leaseMs: setting(
    'NAMEHOLD_LEASE_MS',
    '20000',
    'How long after the death of a process its operations are taken over by another, in milliseconds.',
    integer(500, 600_000),
  ),
  eventLoopLimitMs: setting(
    'NAMEHOLD_EVENT_LOOP_LIMIT_MS',
    '30000',
    'A process whose event loop is blocked for so long logs the stack of its main thread and ends, so that a supervisor restarts it. Time in which the whole process was suspended, or a debugger is attached, does not count. 0: never.',
    integer(0, 3_600_000),
  ),
  sandboxPort: setting(
    'NAMEHOLD_SANDBOX_PORT',
    '7000',
    'Port of the sandbox registry (EPP over TLS, loopback); 0 takes a free one.',
    port,
  ),
  demoNames: setting(
    'NAMEHOLD_DEMO_NAMES',
    'off',
    'Sandbox mode, first start: whether the demo reseller has a few names with a past: on or off. npm start says on.',
    oneOf('on', 'off'),
  ),
  sandboxReplyTimeoutMs: setting(
    'NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS',
    '60000',
    'How long an answer of the sandbox registry is waited for before the outcome counts as unknown, in milliseconds.',
    integer(50, 600_000),
  ),
  defaultNameservers: setting(
    'NAMEHOLD_DEFAULT_NAMESERVERS',
    'ns1.namehold-dns.net,ns2.namehold-dns.net',
    'Nameservers that a domain gets when the order names none.',
    list,
  ),
  theftProtection: setting(
    'NAMEHOLD_THEFT_PROTECTION',
    'on',
    'Whether a new name starts with theft protection (no transfer to another registrar) where its TLD has it: on or off.',
    oneOf('on', 'off'),
  ),
  approvalHours: setting(
    'NAMEHOLD_APPROVAL_HOURS',
    '72',
    'How long a change waits for the second yes of its reseller, or a move for the yes of the other one, before it lapses, in hours.',
    integer(1, 720),
  ),
  orderDays: setting(
    'NAMEHOLD_ORDER_DAYS',
    '30',
    'How long an order waits for the payment of its customer before it is cancelled, in days.',
    integer(1, 365),
  ),
  compareHours: setting(
    'NAMEHOLD_COMPARE_HOURS',
    '24',
    'Every name is compared with its registry once in so many hours.',
    integer(1, 720),
  ),
  watchMinutes: setting(
    'NAMEHOLD_WATCH_MINUTES',
    '10',
    'A watched name is compared with its registry once in so many minutes.',
    integer(1, 15),
  ),
  repair: setting(
    'NAMEHOLD_REPAIR',
    '',
    'What is brought back by itself when it was changed at the registry behind our back: nameservers, ds. Empty: it is only reported.',
    repairable,
  ),
  parkingAddresses: setting(
    'NAMEHOLD_PARKING_ADDRESS',
    '',
    'Addresses (IPv4, IPv6) that a new zone and its www point to until the owner says otherwise; empty: nowhere.',
    addresses,
  ),
  dnsHosts: setting(
    'NAMEHOLD_DNS_HOST',
    '127.0.0.1',
    'Addresses that the nameserver answers on; 0.0.0.0 and :: stand for all that the machine has when it starts, each with a socket of its own.',
    addresses,
  ),
  dnsPort: setting(
    'NAMEHOLD_DNS_PORT',
    '5300',
    'Port of the nameserver (UDP and TCP); 0 takes a free one, off runs none.',
    optionalPort,
  ),
  dnsThreads: setting(
    'NAMEHOLD_DNS_THREADS',
    '1',
    'Threads of the nameserver, each with all zones in memory.',
    integer(1, 64),
  ),
  dnsBatches: setting(
    'NAMEHOLD_DNS_BATCHES',
    'on',
    'Questions that wait are taken and answered together, by system calls of Linux; `off`: one by one, by Node itself.',
    oneOf('on', 'off'),
  ),
  dnsRateLimit: setting(
    'NAMEHOLD_DNS_RATE_LIMIT',
    '50',
    'UDP answers of one kind from one zone to one network (/24, /56) a second; 0: no limit. Who shows a DNS cookie of ours is not limited.',
    integer(0, 1_000_000),
  ),
  dnsRateSlip: setting(
    'NAMEHOLD_DNS_RATE_SLIP',
    '2',
    'Of the answers beyond the limit every so many-th is sent empty with TC, the others are dropped; 0: all are dropped.',
    integer(0, 10),
  ),
  dnsRateExempt: setting(
    'NAMEHOLD_DNS_RATE_EXEMPT',
    '127.0.0.0/8,::1',
    'Addresses and ranges that are not limited.',
    ranges,
  ),
  dnsCookieSecrets: setting(
    'NAMEHOLD_DNS_COOKIE_SECRETS',
    '',
    'Secrets of DNS cookies (RFC 9018), 32 hexadecimal digits each, the first makes new ones; for nameservers that share an address. Empty: made by chance, changed daily.',
    cookieSecrets,
  ),
  dnsVersion: setting(
    'NAMEHOLD_DNS_VERSION',
    '',
    'Answer to TXT queries for `version.bind` and `version.server` in class CH, at most 255 characters; empty: they are refused.',
    characterString,
  ),
  dnsServerId: setting(
    'NAMEHOLD_DNS_SERVER_ID',
    '',
    'Which of several nameservers this one is: answer to `id.server` and `hostname.bind` in class CH (RFC 4892), and the NSID option (RFC 5001). At most 255 characters; empty: refused and left out.',
    characterString,
  ),
  dnsTcpConnections: setting(
    'NAMEHOLD_DNS_TCP_CONNECTIONS',
    '512',
    'TCP connections of each thread; the longest silent one makes room.',
    integer(1, 65_535),
  ),
  dnsTcpConnectionsPerAddress: setting(
    'NAMEHOLD_DNS_TCP_CONNECTIONS_PER_ADDRESS',
    '64',
    'TCP connections of one address to each thread.',
    integer(1, 65_535),
  ),
  dnsTcpIdleMs: setting(
    'NAMEHOLD_DNS_TCP_IDLE_MS',
    '10000',
    'A TCP connection without a question is closed after this, in milliseconds.',
    integer(100, 600_000),
  ),
  dnsTcpQuestions: setting(
    'NAMEHOLD_DNS_TCP_QUESTIONS',
    '1000',
    'Questions on one TCP connection before it is closed.',
    integer(1, 1_000_000),
  ),
  dnsMetricsPort: setting(
    'NAMEHOLD_DNS_METRICS_PORT',
    '',
    'Port for Prometheus metrics of the nameserver, at NAMEHOLD_METRICS_HOST; empty serves none, 0 takes a free one.',
    optionalPort,
  ),
  primaryHost: setting(
    'NAMEHOLD_PRIMARY_HOST',
    '127.0.0.1',
    'Address that the hidden primary listens on for zone transfers.',
    text,
  ),
  primaryPort: setting(
    'NAMEHOLD_PRIMARY_PORT',
    '5301',
    'Port of the hidden primary, opened once a nameserver takes transfers; 0 takes a free one, off runs none.',
    optionalPort,
  ),
  catalogZone: setting(
    'NAMEHOLD_CATALOG_ZONE',
    'catalog.namehold.invalid',
    'Name of the catalog zone (RFC 9432) from which nameservers learn which zones to fetch.',
    zoneName,
  ),
  publishAlarmSeconds: setting(
    'NAMEHOLD_PUBLISH_ALARM_SECONDS',
    '300',
    'An alarm is raised when a nameserver lags behind a change for this long, in seconds.',
    integer(1, 86_400),
  ),
  alarmCommand: setting(
    'NAMEHOLD_ALARM_COMMAND',
    '',
    'Program to run for each new alarm, by its absolute path and without arguments; it reads the alarm as JSON from standard input.',
    program,
  ),
  smtpUrl: setting(
    'NAMEHOLD_SMTP_URL',
    '',
    'Mail server, such as smtp://user:password@mail.example.net:587 (STARTTLS) or smtps://...:465; tls=none at its end for one without TLS. Empty in sandbox mode: GET /v1/sandbox/mail keeps what would be sent.',
    smtpUrl,
  ),
  mailPerAccount: setting(
    'NAMEHOLD_MAIL_PER_ACCOUNT',
    '5000',
    'Mails that calls of one account may cause in 24 hours; further ones are not sent, and raise an alarm. Expiry notices are not counted.',
    integer(1, 100_000_000),
  ),
  mailPerMailbox: setting(
    'NAMEHOLD_MAIL_PER_MAILBOX',
    '50',
    'The same for one mailbox, whatever its sub-address (user+1@, user+2@). Several accounts together may send five times as many.',
    integer(1, 100_000_000),
  ),
  mailFrom: setting(
    'NAMEHOLD_MAIL_FROM',
    'notices@namehold.invalid',
    'Address that mail comes from where a reseller has none of its own.',
    mailAddress,
  ),
  mailBounce: setting(
    'NAMEHOLD_MAIL_BOUNCE',
    '',
    'Address that undeliverable mail returns to, as bounce@example.net; each mail has its own, bounce+...@example.net, for namehold mail bounce. Empty: NAMEHOLD_MAIL_FROM, and returns are not read.',
    (value) => (value === '' ? undefined : mailAddress(value)),
  ),
  verifyHolders: setting(
    'NAMEHOLD_VERIFY_HOLDERS',
    'hold',
    'Holders of gTLD names confirm their e-mail address within 15 days. hold: without it the name goes out of the DNS; ask: it does not; off: nobody is asked.',
    oneOf('hold', 'ask', 'off'),
  ),
  holderChanges: setting(
    'NAMEHOLD_HOLDER_CHANGES',
    'agent',
    'A change of the holder of a gTLD name. agent: your agreements make the reseller the designated agent of both sides (ICANN Transfer Policy II.A), and it is carried out at once; confirm: both sides confirm it by a link in a mail. A call can say otherwise (designated_agent).',
    oneOf('agent', 'confirm'),
  ),
  mailGiveUpHours: setting(
    'NAMEHOLD_MAIL_GIVE_UP_HOURS',
    '72',
    'A notice that no mail server has taken for so many hours has failed.',
    integer(1, 720),
  ),
  dkimDomain: setting('NAMEHOLD_DKIM_DOMAIN', '', 'Domain that mail is signed for (DKIM, RFC 6376).', optional),
  dkimSelector: setting('NAMEHOLD_DKIM_SELECTOR', '', 'Selector of the DKIM key.', optional),
  dkimKeyFile: setting('NAMEHOLD_DKIM_KEY_FILE', '', 'File with the private DKIM key, PEM.', optional),
  ...webForwardingSettings,
  ...mailForwardingSettings,
  testFaults: setting(
    'NAMEHOLD_TEST_FAULTS',
    '',
    'Sandbox mode only: named points at which the process kills itself, or blocks its event loop (<point>=block), for recovery tests.',
    list,
  ),
} satisfies Record<string, Setting<unknown>>;

export type Config = { readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['parse']> };

/** Every setting from the environment. An unknown NAMEHOLD_ name or a bad value stops the start, naming it. */
export function readConfig(env: Record<string, string | undefined>): Config {
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
    throw new SettingError('NAMEHOLD_TLS_CERT_FILE and NAMEHOLD_TLS_KEY_FILE go together');
  if (Boolean(config.acmeEabKeyId) !== Boolean(config.acmeEabHmacKey))
    throw new SettingError('NAMEHOLD_ACME_EAB_KEY_ID and NAMEHOLD_ACME_EAB_HMAC_KEY go together');
  if (Boolean(config.acmeSecondEabKeyId) !== Boolean(config.acmeSecondEabHmacKey))
    throw new SettingError('NAMEHOLD_ACME_SECOND_EAB_KEY_ID and NAMEHOLD_ACME_SECOND_EAB_HMAC_KEY go together');
  if (config.acmeSecondDirectory && (!config.acmeDirectory || config.acmeSecondDirectory === config.acmeDirectory))
    throw new SettingError('NAMEHOLD_ACME_SECOND_DIRECTORY is another one beside NAMEHOLD_ACME_DIRECTORY');
  if (new Set([config.dkimDomain, config.dkimSelector, config.dkimKeyFile].map(Boolean)).size > 1)
    throw new SettingError('NAMEHOLD_DKIM_DOMAIN, NAMEHOLD_DKIM_SELECTOR and NAMEHOLD_DKIM_KEY_FILE go together');
  const weak = config.mode === 'production' ? weaknesses(config) : [];
  if (weak.length > 0) throw new SettingError(weak.join('\n'));
  return config;
}

/** A database address holds a password. */
const holdsSecret = (name: string) => /(MASTER_KEY(_\w+)?|DATABASE_(\w+_)?URL|SMTP_URL|SECRETS|HMAC_KEY)$/.test(name);

export interface ShownSetting {
  readonly name: string;
  readonly meaning: string;
  readonly fallback: string;
  /** null: nothing is set, or it is a secret. */
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly isSet: boolean;
}

/** As they count now, for an operator. What holds a secret, or may (a command line), is only said to be set. */
export function shownSettings(config: Config): ShownSetting[] {
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
