import { SECRET_CLASSES } from '@namehold/epp';
import { z } from 'zod';
import { badField } from '../../core/errors.ts';

const second = 1_000;
const ms = (most: number) => z.int().min(1).max(most);
const codeLength = z.int().min(SECRET_CLASSES.length).max(255);

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
      create: text.default('registration'),
      renew: text.default('renewal'),
      transfer: text.default('transfer'),
      restore: text.default('restor'),
      // The last one, because a domain name in a description may contain the word.
      privacy: text.default('privacy'),
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
  /** Additional fields of domains by TLD: our name and the name in `tld_data`. */
  tldFields: z.record(tld, z.record(text, text)).default({}),
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
   * contract alone. `logicboxes`: ResellerClub, NetEarthOne, Resell.biz, Reseller.id and other brands. `opensrs`: OpenSRS.
   */
  dialect: z.enum(['namehold', 'contract', 'logicboxes', 'opensrs']).default('namehold'),
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
    })
    .prefault({}),
  timeouts: z
    .strictObject({
      queryMs: ms(600 * second).default(20 * second),
      transformMs: ms(600 * second).default(60 * second),
    })
    .prefault({}),
  logicboxes: logicBoxesSchema.prefault({}),
  opensrs: openSrsSchema.prefault({}),
});

/** Defaults of a dialect that differ from those above. */
const dialectDefaults: Readonly<Record<string, { readonly limits?: object; readonly [field: string]: unknown }>> = {
  // It checks DS records itself.
  namehold: { nameserversWithTransfer: true },
  logicboxes: { basePath: '/api', limits: { sessions: 2, requestsPerMinute: 60, namesPerCheck: 5 } },
  // It has no customers below our account, and one name in a query.
  opensrs: { basePath: '', customerId: '0', limits: { sessions: 2, requestsPerMinute: 60, namesPerCheck: 1 } },
};

function withDialectDefaults(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { dialect = 'namehold', limits } = given as { readonly dialect?: unknown; readonly limits?: unknown };
  const own = typeof dialect === 'string' ? dialectDefaults[dialect] : undefined;
  if (!own) return given;
  const merged = typeof limits === 'object' && limits !== null ? { ...own.limits, ...limits } : (limits ?? own.limits);
  return { ...own, ...given, limits: merged };
}

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
  if (read.data.dialect === 'opensrs' && read.data.limits.namesPerCheck > 1)
    throw badField('profile.limits.namesPerCheck', 'Must be 1 with the dialect opensrs.');
  if (read.data.authCode.madeBy === 'upstream' && !makesCodes(read.data.dialect))
    throw badField('profile.authCode.madeBy', `Must be us with the dialect ${read.data.dialect}.`);
  const { minLength, maxLength, length } = read.data.authCode;
  if (minLength > maxLength) throw badField('profile.authCode.minLength', 'Must not be more than maxLength.');
  if (length < minLength || length > maxLength)
    throw badField('profile.authCode.length', 'Must be between minLength and maxLength.');
  return { ...read.data, id };
}

/** Reads a stored profile; fields that it lacks get the defaults of this release. */
export const storedUpstreamProfile = (stored: unknown): UpstreamProfile =>
  upstreamSchema.parse(withDialectDefaults(stored));
