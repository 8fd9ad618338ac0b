import type { TldExtensions } from '../tld/index.ts';
import type { XmlElement } from '../xml/tree.ts';
import type { Period, Status } from './common.ts';
import type { LaunchAnswer, LaunchCheckAnswer } from './launch.ts';
import type { ChangeNotice } from './poll.ts';

/** RFC 5910 dsData. `digest` is upper-case hex. */
export type DsRecord = {
  readonly keyTag: number;
  readonly alg: number;
  readonly digestType: number;
  readonly digest: string;
  readonly key?: KeyRecord;
};
/** RFC 5910 keyData. `pubKey` is base64 without white space. */
export type KeyRecord = {
  readonly flags: number;
  readonly protocol: number;
  readonly alg: number;
  readonly pubKey: string;
};
/** RFC 5910 section 4: one interface at a time, never both in one command. */
export type SecDnsRecords =
  | { readonly kind: 'ds'; readonly records: readonly DsRecord[]; readonly maxSigLifeSeconds?: number }
  | { readonly kind: 'key'; readonly records: readonly KeyRecord[]; readonly maxSigLifeSeconds?: number };
export type SecDnsRemoval =
  | { readonly kind: 'all' }
  | { readonly kind: 'ds'; readonly records: readonly DsRecord[] }
  | { readonly kind: 'key'; readonly records: readonly KeyRecord[] };
export type SecDnsUpdate = {
  readonly urgent?: boolean;
  readonly rem?: SecDnsRemoval;
  readonly add?: SecDnsRecords;
  readonly maxSigLifeSeconds?: number;
};

/** RFC 3915: a restore request, or the report that must follow it. */
export type RgpRestore = { readonly op: 'request' } | { readonly op: 'report'; readonly report: RgpReport };
export type RgpReport = {
  readonly preData: string;
  readonly postData: string;
  readonly deletedAt: Date;
  readonly restoredAt: Date;
  readonly reason: string;
  readonly statements: readonly [string, string];
  readonly other?: string;
};
/** addPeriod, autoRenewPeriod, renewPeriod, transferPeriod, redemptionPeriod, pendingRestore, pendingDelete. */
export type RgpAnswer = { readonly statuses: readonly Status[] };

/** A decimal as on the wire (`12.50`). Convert it to minor units with the exponent of its currency. */
export type DecimalText = string;
export type FeeCommandName = 'create' | 'renew' | 'transfer' | 'restore' | 'update' | 'delete' | 'custom';
export type FeeQuery = {
  readonly name: FeeCommandName;
  readonly customName?: string;
  readonly phase?: string;
  readonly subphase?: string;
  readonly period?: Period;
};
/** RFC 8748 check: the commands to price. */
export type FeeCheck = { readonly currency?: string; readonly commands: readonly FeeQuery[] };
export type Fee = {
  readonly amount: DecimalText;
  readonly description?: string;
  readonly lang?: string;
  readonly refundable?: boolean;
  /** xsd:duration, such as P5D. */
  readonly gracePeriod?: string;
  readonly applied?: 'immediate' | 'delayed';
};
/** RFC 8748: a credit is zero or negative. */
export type FeeCredit = { readonly amount: DecimalText; readonly description?: string; readonly lang?: string };
export type FeePrice = FeeQuery & {
  readonly standard?: boolean;
  readonly fees: readonly Fee[];
  readonly credits: readonly FeeCredit[];
  readonly reason?: string;
};
export type FeeCheckItem = {
  readonly id: string;
  readonly available: boolean;
  /** `standard`, `premium` or the registry's own class. */
  readonly class?: string;
  readonly prices: readonly FeePrice[];
  readonly reason?: string;
};
export type FeeCheckAnswer = { readonly currency: string; readonly items: readonly FeeCheckItem[] };
/** RFC 8748 create, renew, transfer, update: the price that we agree to pay. */
export type FeeTransform = {
  readonly currency?: string;
  readonly fees: readonly Fee[];
  readonly credits?: readonly FeeCredit[];
};
export type FeeTransformAnswer = {
  readonly currency?: string;
  readonly period?: Period;
  readonly fees: readonly Fee[];
  readonly credits: readonly FeeCredit[];
  readonly balance?: DecimalText;
  readonly creditLimit?: DecimalText;
};

/** RFC 8807. `pw` and `newPW` here are the long ones; the codec writes [LOGIN-SECURITY] into the login itself. */
export type UserAgent = { readonly app?: string; readonly tech?: string; readonly os?: string };
export type LoginSec = { readonly userAgent?: UserAgent; readonly pw?: string; readonly newPW?: string };
export type LoginSecEvent = {
  readonly type: 'password' | 'certificate' | 'cipher' | 'tlsProtocol' | 'newPW' | 'stat' | 'custom' | (string & {});
  readonly level: 'warning' | 'error';
  readonly name?: string;
  readonly expiresAt?: Date;
  readonly value?: string;
  readonly duration?: string;
  readonly text: string;
};

/** The table of an IDN (idn-1.0), or its language tag (Verisign's idnLang-1.0, which has no `uname`). */
export type IdnTable = { readonly table: string; readonly uname?: string };
/** RFC 8544; an empty id in a removal removes every organisation with that role. */
export type OrganisationRef = { readonly id: string; readonly role: string };
export type OrganisationUpdate = {
  readonly add?: readonly OrganisationRef[];
  readonly rem?: readonly OrganisationRef[];
  readonly chg?: readonly OrganisationRef[];
};
/** Verisign sync-1.0 */
export type SyncExpiry = { readonly month: number; readonly day: number };

/** keysys-1.0: texts by element name, without prefix and without the `X-` of the HTTP API. */
export type KeysysFields = Readonly<Record<string, string>>;
/** `infData` is about a domain. A poll message has texts, and a note. */
export type KeysysAnswer =
  | { readonly type: 'infData' | 'contactInfData'; readonly fields: KeysysFields }
  | { readonly type: 'poll'; readonly fields: KeysysFields; readonly info?: string };

/** Extension elements of namespaces without a codec in this library, whole and in order. */
export type OtherExtensions = { readonly other?: readonly XmlElement[] };

/** All extensions of an answer. */
export type AnswerExtensions = OtherExtensions & {
  readonly secDNS?: SecDnsRecords;
  readonly rgp?: RgpAnswer;
  readonly feeCheck?: FeeCheckAnswer;
  readonly fee?: FeeTransformAnswer;
  readonly loginSec?: { readonly events: readonly LoginSecEvent[] };
  /** Extensions of single TLDs, by their name. */
  readonly tld?: TldExtensions;
  readonly idn?: IdnTable;
  readonly launchCheck?: LaunchCheckAnswer;
  readonly launch?: LaunchAnswer;
  /** RFC 8495: a secret, like an auth code. */
  readonly allocationToken?: string;
  readonly organisations?: readonly OrganisationRef[];
  readonly keysys?: KeysysAnswer;
  /** RFC 8590: who changed the object of this message at the registry, and why. */
  readonly change?: ChangeNotice;
};
