import type { DomainContactType } from './model/domain.ts';
import { TLD_EXTENSIONS, TLD_NAMESPACES, type TldPart } from './tld/index.ts';

/** Namespace URIs by part. An absent part is not served by this registry and cannot be sent. */
export type Namespaces = {
  readonly epp: string;
  readonly domain?: string;
  readonly contact?: string;
  readonly host?: string;
  readonly secDNS?: string;
  readonly rgp?: string;
  /** RFC 8748 or a draft of it: the URI decides the form. */
  readonly fee?: string;
  readonly loginSec?: string;
  /** RFC 9154; behaviour only, announced at login. */
  readonly secureAuthInfo?: string;
  /** RFC 9038; behaviour only, announced at login. */
  readonly unhandledNamespaces?: string;
  readonly lowBalancePoll?: string;
  /** Verisign balance-1.0 */
  readonly balance?: string;
  readonly rgpPoll?: string;
  readonly changePoll?: string;
  readonly maintenance?: string;
  /** idn-1.0, or Verisign's idnLang-1.0: the URI decides the form. */
  readonly idn?: string;
  readonly launch?: string;
  readonly allocationToken?: string;
  readonly orgext?: string;
  readonly sync?: string;
  /** keysys-1.0 of CentralNic Reseller (RRPproxy). */
  readonly keysys?: string;
} & { readonly [P in TldPart]?: string };

/** Verisign's poll and balance mappings are object services: its greeting lists them among the objURIs. */
const OBJECT_PARTS = [
  'domain',
  'contact',
  'host',
  'lowBalancePoll',
  'rgpPoll',
  'balance',
] as const satisfies (keyof Namespaces)[];
const EXTENSION_PARTS = [
  'secDNS',
  'rgp',
  'fee',
  'loginSec',
  'secureAuthInfo',
  'unhandledNamespaces',
  'changePoll',
  'maintenance',
  'idn',
  'launch',
  'allocationToken',
  'orgext',
  'sync',
  'keysys',
  ...TLD_EXTENSIONS.map(({ part }) => part),
] as const satisfies (keyof Namespaces)[];

/** Listed in greeting and login, always in this order. */
export function objectUris(ns: Namespaces): string[] {
  return OBJECT_PARTS.flatMap((part) => ns[part] ?? []);
}

export function extensionUris(ns: Namespaces, others: readonly string[] = []): string[] {
  return [...EXTENSION_PARTS.flatMap((part) => ns[part] ?? []), ...others];
}

type HostModel = 'objects' | 'attributes';
/** `minimum` refuses contacts, `maximum` requires a registrant, `thin` has no contact objects. */
type DataModel = 'minimum' | 'maximum' | 'thin' | 'per-registrar';

export const authCodeClasses = ['lower', 'upper', 'digit', 'symbol'] as const;
export type AuthCodeClass = (typeof authCodeClasses)[number];

/** A registry's rules for auth codes. */
export type AuthCodeRules = {
  /** The accepted length, also of auth codes made by others. */
  readonly authInfoMinLength: number;
  readonly authInfoMaxLength: number;
  /** The length and alphabet of generated auth codes: at least one character of each class. */
  readonly authInfoLength: number;
  readonly authInfoClasses: readonly AuthCodeClass[];
};

/** Parts of a contact that RFC 5733 2 makes optional. */
export const CONTACT_PARTS = ['org', 'street', 'sp', 'pc', 'voice', 'fax'] as const;
export type ContactPart = (typeof CONTACT_PARTS)[number];

/** The rules of one TLD for a domain command, checked before a byte is sent. */
export type TldRules = AuthCodeRules & {
  readonly hostModel: HostModel;
  readonly dataModel: DataModel;
  readonly requiredContacts: readonly DomainContactType[];
  /** The only contacts that are sent besides the registrant. Default: all. */
  readonly sentContacts?: readonly DomainContactType[];
  readonly dnssec: 'ds' | 'key' | 'none';
  readonly minNameServers: number;
  readonly maxNameServers: number;
  readonly minPeriodYears: number;
  readonly maxPeriodYears: number;
  /** RFC 9154 is followed: an empty pw on create, a strong one only during a transfer. Default: as the greeting offers. */
  readonly secureAuthInfo?: boolean;
};

type RegistryLimits = {
  readonly sessions: number;
  /** The registry closes a connection that is idle this long; hello is sent at half of it. */
  readonly idleMs: number;
  readonly maxNamesPerCheck: number;
  readonly commandsPerSecond: number;
  readonly maxCommandsPerSession: number;
  readonly maxSessionAgeMs: number;
  readonly maxFrameBytes: number;
};

type RegistryTimeouts = {
  readonly connectMs: number;
  readonly greetingMs: number;
  readonly loginMs: number;
  readonly queryMs: number;
  readonly transformMs: number;
  readonly logoutMs: number;
};

/** An element with placeholders: `{name}`, `{tld}`, `{TLD}` in capitals, `{order.…}`. */
export type FixedElement = {
  readonly element: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly children?: readonly FixedElement[];
};

/** An extension that every command of a registry carries in the same form; announced at login. */
export type FixedExtension = FixedElement & {
  /** `domain` for every command about domains, `domain:create` for one. */
  readonly on: readonly string[];
  /** Only names and hosts under these TLDs. Default: all. */
  readonly tlds?: readonly string[];
  readonly uri: string;
};

/** Verisign: the product of a name, with every command about domains and hosts. */
export const NAMESTORE: FixedExtension = {
  on: ['domain', 'host'],
  uri: 'http://www.verisign-grs.com/epp/namestoreExt-1.1',
  element: 'namestoreExt',
  children: [{ element: 'subProduct', text: 'dot{TLD}' }],
};

/** All differences between registries, as data. */
export type RegistryProfile = {
  readonly id: string;
  readonly namespaces: Namespaces;
  /** Further extension URIs to announce at login; their elements arrive as `ext.other`. */
  readonly otherExtensionURIs: readonly string[];
  readonly extensions: readonly FixedExtension[];
  /** RFC 8807: passwords are always sent by loginSec, also short ones. */
  readonly alwaysLoginSec: boolean;
  readonly lang: string;
  readonly rules: TldRules;
  /** Rules of a TLD that differ from `rules`; keys are suffixes without the leading dot (`co.id`). */
  readonly tlds: Readonly<Record<string, Partial<TldRules>>>;
  /** Contacts belong to no TLD. Rules for their auth codes that differ from `rules`, and parts that are never sent. */
  readonly contacts: Partial<AuthCodeRules> & {
    readonly withheld?: readonly ContactPart[];
    /** The registry assigns the id of a new contact and returns it in the answer (creData). */
    readonly assignsIds?: boolean;
  };
  readonly limits: RegistryLimits;
  readonly timeouts: RegistryTimeouts;
  /** How long a check waits for others to join it. */
  readonly checkGatherMs: number;
};

export const IETF_NAMESPACES = {
  epp: 'urn:ietf:params:xml:ns:epp-1.0',
  domain: 'urn:ietf:params:xml:ns:domain-1.0',
  contact: 'urn:ietf:params:xml:ns:contact-1.0',
  host: 'urn:ietf:params:xml:ns:host-1.0',
  secDNS: 'urn:ietf:params:xml:ns:secDNS-1.1',
  rgp: 'urn:ietf:params:xml:ns:rgp-1.0',
  fee: 'urn:ietf:params:xml:ns:epp:fee-1.0',
  loginSec: 'urn:ietf:params:xml:ns:epp:loginSec-1.0',
  secureAuthInfo: 'urn:ietf:params:xml:ns:epp:secure-authinfo-transfer-1.0',
  unhandledNamespaces: 'urn:ietf:params:xml:ns:epp:unhandled-namespaces-1.0',
} as const satisfies Namespaces;

/** Every namespace that this library has a codec for. */
export const ALL_NAMESPACES = {
  ...IETF_NAMESPACES,
  changePoll: 'urn:ietf:params:xml:ns:changePoll-1.0',
  maintenance: 'urn:ietf:params:xml:ns:epp:maintenance-1.0',
  idn: 'urn:ietf:params:xml:ns:idn-1.0',
  launch: 'urn:ietf:params:xml:ns:launch-1.0',
  allocationToken: 'urn:ietf:params:xml:ns:allocationToken-1.0',
  orgext: 'urn:ietf:params:xml:ns:epp:orgext-1.0',
  lowBalancePoll: 'http://www.verisign.com/epp/lowbalance-poll-1.0',
  rgpPoll: 'http://www.verisign.com/epp/rgp-poll-1.0',
  balance: 'http://www.verisign.com/epp/balance-1.0',
  sync: 'http://www.verisign.com/epp/sync-1.0',
  keysys: 'http://www.key-systems.net/epp/keysys-1.0',
  ...TLD_NAMESPACES,
} as const satisfies Namespaces;

const SECOND_MS = 1000;
const MIB = 1024 * 1024;

/** Safe defaults for an unknown registry: few sessions, a low rate, small checks. */
export const DEFAULT_PROFILE: RegistryProfile = {
  id: 'cautious',
  namespaces: IETF_NAMESPACES,
  otherExtensionURIs: [],
  extensions: [],
  alwaysLoginSec: false,
  lang: 'en',
  rules: {
    hostModel: 'objects',
    dataModel: 'per-registrar',
    requiredContacts: [],
    dnssec: 'ds',
    minNameServers: 0,
    maxNameServers: 13,
    minPeriodYears: 1,
    maxPeriodYears: 10,
    authInfoMinLength: 1,
    authInfoMaxLength: 255,
    // RFC 5730 to 5734 set no limit. Every registry that publishes a rule accepts sixteen letters and digits.
    authInfoLength: 16,
    authInfoClasses: ['lower', 'upper', 'digit'],
  },
  tlds: {},
  contacts: {},
  limits: {
    sessions: 2,
    idleMs: 120 * SECOND_MS,
    maxNamesPerCheck: 5,
    commandsPerSecond: 1,
    maxCommandsPerSession: 800,
    maxSessionAgeMs: 3600 * SECOND_MS,
    maxFrameBytes: 2 * MIB,
  },
  timeouts: {
    connectMs: 10 * SECOND_MS,
    greetingMs: 10 * SECOND_MS,
    loginMs: 20 * SECOND_MS,
    queryMs: 10 * SECOND_MS,
    transformMs: 60 * SECOND_MS,
    logoutMs: 2 * SECOND_MS,
  },
  checkGatherMs: 5,
};

/** RFC 9154 4.1: 128 bits of entropy, which are 20 of all printable characters. No registry requires longer values than this. */
export const SECURE_AUTH_INFO = { minLength: 20, maxLength: 64, bits: 128 } as const;

/** Announced only if every TLD of the profile follows RFC 9154, because a login covers all of them. */
export function followsSecureAuthInfo({ rules, tlds }: Pick<RegistryProfile, 'rules' | 'tlds'>): boolean {
  const own = Object.values(tlds).map((tld) => tld.secureAuthInfo ?? rules.secureAuthInfo);
  return own.length === 0 ? rules.secureAuthInfo === true : own.every((isSecure) => isSecure === true);
}

/** Whether an extension applies to commands about names under this TLD. */
export const appliesUnder = ({ tlds }: FixedExtension, tld: string): boolean =>
  tlds === undefined || tlds.includes(tld);

/** The rules for a name: those of its longest suffix in the profile override the profile's own. */
export function rulesFor(profile: RegistryProfile, name: string): TldRules {
  const found = profile.tlds[tldOf(profile, name)];
  return found === undefined ? profile.rules : { ...profile.rules, ...found };
}

/** The TLD of a name: its longest suffix in the profile, otherwise its last label. */
export function tldOf(profile: Pick<RegistryProfile, 'tlds'>, name: string): string {
  const whole = name.toLowerCase();
  let last = '';
  for (let dot = whole.indexOf('.'); dot !== -1; dot = whole.indexOf('.', dot + 1)) {
    last = whole.slice(dot + 1);
    if (Object.hasOwn(profile.tlds, last)) break;
  }
  return last;
}
