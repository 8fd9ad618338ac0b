import {
  ALL_NAMESPACES,
  authCodeClasses,
  CONTACT_PARTS,
  type FixedElement,
  NAMESTORE,
  type Namespaces,
} from '@namehold/epp';
import { z } from 'zod';
import { keysysSchema } from './epp/keysys/settings.ts';
import { sideSchema } from './epp/side/settings.ts';

const uri = z.string().min(1).max(500).regex(/^\S+$/, 'must be a URI without spaces');
const second = 1_000;
const ms = (most: number) => z.int().min(1).max(most);
const years = z.int().min(1).max(99);
const hosts = z.int().min(0).max(99);
const codeLength = z.int().min(0).max(255);

const parts = Object.keys(ALL_NAMESPACES) as (keyof Namespaces)[];
const namespaces = z.strictObject(Object.fromEntries(parts.map((part) => [part, uri.optional()])));

const secret = z.strictObject({
  authInfoMinLength: codeLength,
  authInfoMaxLength: codeLength.min(1),
  authInfoLength: codeLength.min(authCodeClasses.length),
  authInfoClasses: z.array(z.enum(authCodeClasses)).min(1).max(authCodeClasses.length),
});

const rules = secret.extend({
  hostModel: z.enum(['objects', 'attributes']),
  dataModel: z.enum(['minimum', 'maximum', 'thin', 'per-registrar']),
  requiredContacts: z.array(z.enum(['admin', 'tech', 'billing'])).max(3),
  sentContacts: z.array(z.enum(['admin', 'tech', 'billing'])).max(3),
  dnssec: z.enum(['ds', 'key', 'none']),
  minNameServers: hosts,
  maxNameServers: hosts,
  minPeriodYears: years,
  maxPeriodYears: years,
  secureAuthInfo: z.boolean(),
});

const limits = z.strictObject({
  sessions: z.int().min(1).max(1_000),
  idleMs: ms(24 * 3600 * second),
  maxNamesPerCheck: z.int().min(1).max(1_000),
  commandsPerSecond: z.number().positive().max(100_000),
  maxCommandsPerSession: z.int().min(2),
  maxSessionAgeMs: ms(7 * 24 * 3600 * second),
  maxFrameBytes: z
    .int()
    .min(4_096)
    .max(64 * 1024 * 1024),
});

const timeouts = z.strictObject({
  connectMs: ms(600 * second),
  greetingMs: ms(600 * second),
  loginMs: ms(600 * second),
  queryMs: ms(600 * second),
  transformMs: ms(600 * second),
  logoutMs: ms(600 * second),
});

/** A TLD without leading or trailing dots. */
const suffix = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a TLD in lower case, without a leading dot');

const value = z.string().max(500);
const xmlName = z.string().regex(/^[A-Za-z_][\w.-]{0,99}$/, 'must be the name of an element');
const fixedElement: z.ZodType<FixedElement> = z.lazy(() =>
  z.strictObject({
    element: xmlName,
    attributes: z.record(xmlName, value).optional(),
    text: value.optional(),
    children: z.array(fixedElement).max(50).optional(),
  }),
) as unknown as z.ZodType<FixedElement>;
const command = /^(domain|contact|host)(:(check|info|create|renew|transfer|update|delete))?$/;
const fixedExtension = z.strictObject({
  on: z.array(z.string().regex(command, 'must be an object or a command: domain, host:create')).min(1),
  tlds: z.array(suffix).min(1).max(1_000).optional(),
  uri,
  element: xmlName,
  attributes: z.record(xmlName, value).optional(),
  text: value.optional(),
  children: z.array(fixedElement).max(50).optional(),
});

/** Extensions that a profile includes by name only. */
export const knownExtensions = { namestore: NAMESTORE } as const;

/** Schema of a profile file; it allows only values that a registry can have. Omitted fields have the defaults. */
export const profileSchema = z.strictObject({
  id: z.string().optional(),
  namespaces: z.union([z.literal('all'), namespaces]).optional(),
  otherExtensionURIs: z.array(uri).max(50).optional(),
  extensions: z
    .array(z.union([z.enum(Object.keys(knownExtensions) as (keyof typeof knownExtensions)[]), fixedExtension]))
    .max(20)
    .optional(),
  alwaysLoginSec: z.boolean().optional(),
  lang: z.string().min(2).max(40).optional(),
  rules: rules.partial().optional(),
  tlds: z.record(suffix, rules.partial()).optional(),
  contacts: secret
    .extend({ withheld: z.array(z.enum(CONTACT_PARTS)).max(CONTACT_PARTS.length), assignsIds: z.boolean() })
    .partial()
    .optional(),
  limits: limits.partial().optional(),
  timeouts: timeouts.partial().optional(),
  checkGatherMs: z.int().min(0).max(1_000).optional(),
  holdings_url: z.url().optional(),
  /** Only with `namespaces.keysys`. */
  keysys: keysysSchema.optional(),
  /** The HTTP API of an EPP upstream. */
  side: sideSchema.optional(),
  /** Currency of the registry's charges; `registry add --currency` overrides it. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency code')
    .optional(),
});

export type ProfileFile = z.infer<typeof profileSchema>;
