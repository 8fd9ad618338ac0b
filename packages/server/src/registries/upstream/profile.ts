import { authCodeClasses } from '@namehold/epp';
import { z } from 'zod';
import { badField } from '../../core/errors.ts';
import { contractSchema } from './dialects/contract/settings.ts';
import { logicBoxesDefaults, logicBoxesSchema } from './dialects/logicboxes/settings.ts';
import { openproviderDefaults, openproviderSchema } from './dialects/openprovider/settings.ts';
import { openSrsDefaults, openSrsSchema } from './dialects/opensrs/settings.ts';
import { realtimeRegisterDefaults, realtimeRegisterSchema } from './dialects/realtimeregister/settings.ts';

const second = 1_000;
const ms = (most: number) => z.int().min(1).max(most);
const codeLength = z.int().min(authCodeClasses.length).max(255);

const kinds = ['upstream', 'platform'] as const;

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

/** Schema of an upstream profile. Omitted fields have the defaults. */
const upstreamSchema = z.strictObject({
  /** `platform` is the name in older profiles. */
  kind: z.enum(kinds),
  id: z.string().optional(),
  /**
   * `namehold`: our own API in addition to the contract (Idempotency-Key, events, operations, prices in checks). `contract`: the
   * contract alone. `logicboxes`: also its brands ResellerClub, NetEarthOne, Resell.biz, Reseller.id and others.
   */
  dialect: z
    .enum(['namehold', 'contract', 'logicboxes', 'openprovider', 'opensrs', 'realtimeregister'])
    .default('namehold'),
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
  contract: contractSchema.prefault({}),
  logicboxes: logicBoxesSchema.prefault({}),
  openprovider: openproviderSchema.prefault({}),
  opensrs: openSrsSchema.prefault({}),
  realtimeregister: realtimeRegisterSchema.prefault({}),
});

/** Defaults of a dialect that differ from those above. */
const dialectDefaults: Readonly<Record<string, { readonly limits?: object; readonly [field: string]: unknown }>> = {
  // It checks DS records itself.
  namehold: { nameserversWithTransfer: true },
  logicboxes: logicBoxesDefaults,
  openprovider: openproviderDefaults,
  opensrs: openSrsDefaults,
  realtimeregister: realtimeRegisterDefaults,
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
