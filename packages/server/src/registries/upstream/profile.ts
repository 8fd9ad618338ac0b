import { SECRET_CLASSES } from '@namehold/epp';
import { z } from 'zod';
import { badField } from '../../core/errors.ts';

const second = 1_000;
const ms = (most: number) => z.int().min(1).max(most);
const codeLength = z.int().min(SECRET_CLASSES.length).max(255);

/** What a refusal of Openprovider means. */
const refusalReasons = ['exists', 'missing', 'no_money', 'auth_code', 'invalid', 'tld', 'state', 'premium'] as const;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const hostname = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name in lower case');
const text = z.string().min(1).max(100);
const tld = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a TLD without a dot before it');

/** Only read with the dialect `logicboxes`. */
const logicBoxesSchema = z.strictObject({
  /** The host that answers availability queries, if it is another one. */
  checkHost: hostname.optional(),
  /** For orders without nameservers, which LogicBoxes requires. */
  nameservers: z.array(hostname).max(13).default([]),
  /** Type of the contacts of this connection, such as `UkContact`. */
  contactType: text.default('Contact'),
  /** Additional fields of contacts: our name and the name of the attribute. */
  contactFields: z.record(text, text).default({}),
  tlds: z
    .record(
      tld,
      z.strictObject({
        without: z
          .array(z.enum(['admin', 'tech', 'billing']))
          .max(3)
          .default([]),
        /** Additional fields of domains: our name and the name of the attribute. */
        fields: z.record(text, text).default({}),
      }),
    )
    .default({}),
  /**
   * Calls that switch its renewal of a domain on and off, such as `domains/disable-auto-renewal`. Public clients use them; the documents
   * do not have them. Without them a renewal that is on is only reported.
   */
  autoRenewCalls: z.strictObject({ on: text, off: text }).optional(),
  /** Words by which the description of a transaction names what was charged. */
  descriptions: z
    .strictObject({
      privacy: text.default('privacy'),
      create: text.default('registration'),
      renew: text.default('renewal'),
      transfer: text.default('transfer'),
      restore: text.default('restor'),
    })
    .prefault({}),
  /** An order may be missing in lists for this long after it was sent. */
  visibleAfterSeconds: z.int().min(0).max(3_600).default(60),
});

const kinds = ['upstream', 'platform'] as const;

/** Only read with the dialect `opensrs`. */
const openSrsSchema = z.strictObject({
  /** For orders without nameservers; without them OpenSRS uses those of its account settings. */
  nameservers: z.array(hostname).max(13).default([]),
  /** It is known that orders of renewals keep our operation id. */
  renewalsKeepId: z.boolean().default(false),
  /** Days after its deletion in which a domain can be redeemed. */
  redemptionDays: z.int().min(0).max(100).default(30),
  /** Number of the first page of lists. The documents say both. */
  firstPage: z.int().min(0).max(1).default(1),
  /** Additional fields of domains by TLD: our name and the name in `tld_data`. */
  tldFields: z.record(tld, z.record(text, text)).default({}),
  /** An order may be missing in lists for this long after it was sent. */
  visibleAfterSeconds: z.int().min(0).max(3_600).default(60),
});

/** As Realtime Register describes them. */
const handle = z.string().regex(/^[a-zA-Z0-9\-_@.]{3,40}$/, 'must be a handle');

/** Only read with the dialect `realtimeregister`. */
const realtimeRegisterSchema = z.strictObject({
  /** The registrant of a transfer whose contacts are not known. */
  registrant: handle.optional(),
  tlds: z
    .record(
      tld,
      z.strictObject({
        without: z
          .array(z.enum(['admin', 'tech', 'billing']))
          .max(3)
          .default([]),
        /** Months that a transfer order contains; left out: those that are usual in the TLD. */
        transferMonths: z.int().min(0).max(120).optional(),
        /** Its product in the price list; left out: `domain_` and the TLD. */
        product: text.optional(),
      }),
    )
    .default({}),
  /** Properties of contacts by registry: our name of the field and the name of the property. */
  contactProperties: z.record(text, z.record(text, text)).default({}),
  restoreReason: z.string().min(1).max(255).default('Restore requested by the registrant'),
  /** A renewal contains the present expiry date. The SDK for PHP sends it; the page about renewals does not have the field. */
  sendsExpiryDate: z.boolean().default(false),
  /** The queue of notifications is read. Only one reader gets each notification. */
  readsNotifications: z.boolean().default(false),
  /** An order may be missing in the list of processes for this long after it was sent. */
  visibleAfterSeconds: z.int().min(0).max(3_600).default(60),
});

const repeats = (requests: number, seconds: number) =>
  z
    .strictObject({
      requests: z.int().min(1).max(10_000).default(requests),
      seconds: z.int().min(1).max(3_600).default(seconds),
    })
    .prefault({});

const identicalSchema = z.strictObject({
  /** Identical queries within this time are sent once, over all processes. 0: each one is sent. */
  shareSeconds: z.int().min(0).max(60).default(3),
  /** At most so many identical requests within this time. */
  query: repeats(250, 300),
  check: repeats(18, 300),
  create: repeats(1, 11),
});

/** Only read with the dialect `openprovider`. */
const openproviderSchema = z.strictObject({
  /** For orders without nameservers. Without them, `nsGroup`. */
  nameservers: z.array(hostname).max(13).default([]),
  /** The group of nameservers for orders without nameservers. */
  nsGroup: text.default('dns-openprovider'),
  /** Which date of a domain is the end of the paid time: the one at Openprovider, or the one at the registry. */
  paidUntil: z.enum(['renewal_date', 'expiration_date']).default('renewal_date'),
  /** Time zone of its times. */
  timeZone: text.refine(isTimeZone, 'must be a time zone such as Europe/Amsterdam').default('Europe/Amsterdam'),
  /** Additional fields of a domain: our name and the name in `additional_data`. */
  domainFields: z.record(text, text).default({}),
  /** Additional fields of a contact: our name and the path of the field of a customer, such as `additional_data.passport_number`. */
  contactFields: z.record(text, text).default({}),
  /** The actions of transactions, and what was charged. */
  actions: z.record(text, z.enum(['create', 'renew', 'transfer', 'restore'])).default({
    CREATE: 'create',
    REGISTER: 'create',
    RENEW: 'renew',
    TRANSFER: 'transfer',
    RESTORE: 'restore',
  }),
  /** Codes of refusals, and what they mean. Others are known by their text. */
  codes: z.record(z.string().regex(/^\d{1,6}$/), z.enum(refusalReasons)).default({ '307': 'tld', '501': 'invalid' }),
  /** A failed order of a domain is removed before the next one, because Openprovider refuses a second order beside it. */
  removeFailedOrders: z.boolean().default(true),
  /** How long a token is used. Openprovider accepts it for two days. */
  sessionHours: z.int().min(1).max(48).default(24),
  /** An order may be missing in lists for this long after it was sent. */
  visibleAfterSeconds: z.int().min(0).max(3_600).default(60),
});

/** Schema of an upstream profile. Omitted fields have the defaults. */
const upstreamSchema = z.strictObject({
  /** `platform` is the name in older profiles. */
  kind: z.enum(kinds),
  id: z.string().optional(),
  /**
   * `namehold`: our own API in addition to the contract (Idempotency-Key, events, operations, prices in checks). `contract`: the
   * contract alone. `logicboxes`: ResellerClub, NetEarthOne, Resell.biz, Reseller.id and other brands. `openprovider`: Openprovider. `opensrs`:
   * OpenSRS. `realtimeregister`: Realtime Register.
   */
  dialect: z.enum(['namehold', 'contract', 'logicboxes', 'openprovider', 'opensrs', 'realtimeregister']).default('namehold'),
  /** Our customer account there, which owns all domains and contacts. */
  customerId: z.string().regex(/^\d{1,18}$/, 'must be the id of a customer at the upstream'),
  /** Currency of its charges. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency code'),
  transport: z.enum(['https', 'http']).default('https'),
  basePath: z
    .string()
    .regex(/^(\/[A-Za-z0-9._~-]+)*$/, 'must be a path without a slash at its end, such as /v1')
    .default('/v1'),
  /** Time zone of times without a zone. */
  utcOffset: z
    .string()
    .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/, 'must be an offset such as +07:00')
    .default('+00:00'),
  /** Without an event log, each domain is compared once in this number of minutes, as far as the rate limit allows. */
  compareMinutes: z.int().min(1).max(1_440).default(60),
  dnssec: z.enum(['ds', 'none']).default('ds'),
  /**
   * A transfer order contains the new nameservers, which some TLDs require. Otherwise they are set after the transfer, when DS records
   * are known: nameservers without the keys of the DS records would make the domain unreachable.
   */
  nameserversWithTransfer: z.boolean().default(false),
  authCode: z
    .strictObject({
      minLength: codeLength.default(8),
      maxLength: codeLength.default(32),
      length: codeLength.default(24),
      /** `upstream`: it makes the codes, and they are read there when they are needed. */
      madeBy: z.enum(['us', 'upstream']).default('us'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Concurrent requests over all processes. */
      sessions: z.int().min(1).max(100).default(4),
      /** For all kinds of requests and over all processes. */
      requestsPerMinute: z.int().min(1).max(100_000).default(600),
      namesPerCheck: z.int().min(1).max(100).default(20),
      answerBytes: z
        .int()
        .min(4_096)
        .max(16 * 1024 * 1024)
        .default(1024 * 1024),
      /** Only for an upstream that blocks an account after identical requests. */
      identical: identicalSchema.optional(),
    })
    .prefault({}),
  timeouts: z
    .strictObject({
      queryMs: ms(600 * second).default(20 * second),
      transformMs: ms(600 * second).default(60 * second),
    })
    .prefault({}),
  logicboxes: logicBoxesSchema.prefault({}),
  openprovider: openproviderSchema.prefault({}),
  opensrs: openSrsSchema.prefault({}),
  realtimeregister: realtimeRegisterSchema.prefault({}),
});

/** Defaults of a dialect that differ from those above. */
const dialectDefaults: Readonly<Record<string, { readonly limits?: object; readonly [field: string]: unknown }>> = {
  // It checks DS records itself.
  namehold: { nameserversWithTransfer: true },
  logicboxes: { basePath: '/api', limits: { sessions: 2, requestsPerMinute: 60, namesPerCheck: 5 } },
  // It has no customers below our account, and 1,000 domains in a list.
  openprovider: {
    basePath: '/v1beta',
    customerId: '0',
    limits: { sessions: 2, requestsPerMinute: 60, namesPerCheck: 15, answerBytes: 8 * 1024 * 1024, identical: {} },
    authCode: { madeBy: 'upstream' },
    dnssec: 'none',
  },
  // It has no customers below our account, and one name in a query.
  opensrs: { basePath: '', customerId: '0', limits: { sessions: 2, requestsPerMinute: 60, namesPerCheck: 1 } },
  // The account is the user of the login. A page has 1,000 rows.
  realtimeregister: {
    basePath: '/v2',
    customerId: '0',
    limits: { sessions: 4, requestsPerMinute: 120, namesPerCheck: 1, answerBytes: 8 * 1024 * 1024 },
  },
};

const checksOneName: readonly string[] = ['opensrs', 'realtimeregister'];

function withDialectDefaults(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { dialect = 'namehold' } = given as { readonly dialect?: unknown };
  const own = typeof dialect === 'string' ? dialectDefaults[dialect] : undefined;
  if (!own) return given;
  const merged = Object.entries(own).map(([field, value]) => {
    const stated = (given as Readonly<Record<string, unknown>>)[field];
    return [field, isObject(value) && isObject(stated) ? { ...value, ...stated } : (stated ?? value)];
  });
  return { ...given, ...Object.fromEntries(merged) };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The contract, and so our own API, has calls to set a code, and sends none of its own. */
const makesCodes = (dialect: string): boolean => dialect !== 'contract' && dialect !== 'namehold';

export type UpstreamProfile = z.output<typeof upstreamSchema>;

/** Whether a stored profile or file is of an upstream. */
export const isUpstream = (given: unknown): boolean =>
  typeof given === 'object' &&
  given !== null &&
  (kinds as readonly unknown[]).includes((given as { kind?: unknown }).kind);

export function readUpstreamProfile(given: unknown, id: string): UpstreamProfile {
  const read = upstreamSchema.safeParse(withDialectDefaults(given));
  if (!read.success) {
    const issue = read.error.issues[0]!;
    const at = ['profile', ...issue.path.map(String)];
    if (issue.code === 'unrecognized_keys') throw badField([...at, issue.keys[0]].join('.'), 'Unknown field.');
    throw badField(at.join('.'), issue.message.replace(/^Invalid input: /, ''));
  }
  const { dialect, limits } = read.data;
  if (checksOneName.includes(dialect) && limits.namesPerCheck > 1)
    throw badField('profile.limits.namesPerCheck', `Must be 1 with the dialect ${dialect}.`);
  if (read.data.authCode.madeBy === 'upstream' && !makesCodes(dialect))
    throw badField('profile.authCode.madeBy', `Must be us with the dialect ${dialect}.`);
  const { minLength, maxLength, length } = read.data.authCode;
  if (minLength > maxLength) throw badField('profile.authCode.minLength', 'Must not be more than maxLength.');
  if (length < minLength || length > maxLength)
    throw badField('profile.authCode.length', 'Must be between minLength and maxLength.');
  return { ...read.data, id };
}

/** Reads a stored profile; fields that it lacks get the defaults of this release. */
export const storedUpstreamProfile = (stored: unknown): UpstreamProfile =>
  upstreamSchema.parse(withDialectDefaults(stored));
