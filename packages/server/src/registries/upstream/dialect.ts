import type {
  Availability,
  DsRecord,
  Evidence,
  FeeQuestion,
  FoundOrder,
  ListedPrice,
  OfferedTld,
  Registry,
  RegistryContact,
  RegistryFee,
  Reply,
  ReportedRefunds,
  StatementLine,
  TransferOutlook,
} from '../../core/ports/registry.ts';
import type { Answered, Call, Login, SignedCall } from './wire.ts';

/**
 * What differs between upstreams with different APIs. A dialect translates requests and answers. The driver sends them, and core decides
 * about lost answers (`decideByOrders`). What differs between brands of one dialect is data in the profile.
 */
export interface Dialect {
  /** Adds the credentials. Only the connection calls it, so no journal, log or error contains them. */
  sign(call: Call, login: Login): SignedCall;
  /** Only if requests carry the token of a login instead of the credentials. */
  readonly session?: {
    /** The login, to which `sign` adds the credentials. */
    readonly call: Call;
    /** The token in its answer. */
    read(body: unknown): string | undefined;
    /** The token is no longer accepted, so nothing was executed. */
    isEnded(answer: Answered): boolean;
    readonly validMs: number;
  };
  /** Undefined: answers are JSON. */
  readonly read?: (text: string) => unknown;
  /** Runs once, before the first request. */
  readonly load?: () => Promise<unknown>;
  /** The outcome of an order or a query by its answer alone. `call`: the request, if its kind is known. */
  classify(answer: Answered, isOrder: boolean, call?: Call): Outcome;
  /** Only if the upstream executes requests with the same key once. Without it, lost orders are queried by `findOrders`. */
  readonly idempotency?: Idempotency;
  /** Only if an accepted order can be followed at the upstream. */
  follow?(operationId: string): FollowedOperation;
  readonly calls: Calls;
  /** Only if the upstream may save an accepted order instead of executing it: the requests that execute or cancel it. */
  saved?(accepted: unknown): { readonly execute: Call; readonly cancel: Call } | undefined;
  readonly detail: {
    call(name: string): Call;
    /** Instead of `call`, if the state of a domain needs several queries. */
    fetch?(send: UpstreamClient, name: string): Promise<Reply<unknown>>;
    read(body: unknown, now: Date): Detail | undefined;
  };
  /** One request for several domain names. */
  readonly check: {
    call(names: readonly string[]): Call;
    read(body: unknown, name: string): AvailabilityResult | undefined;
  };
  /** Prices of a domain; only if the upstream reports prices of single domains. */
  prices?(
    send: UpstreamClient,
    checked: AvailabilityResult,
    name: string,
    fee: FeeQuestion,
  ): Promise<Partial<Availability>>;
  /** Without an idempotency key: orders and charges of a domain. */
  readonly findOrders?: OrderSearch;
  /** What was charged, as far as the answer to an order shows it. It does not affect the outcome. */
  charge(send: UpstreamClient, body: unknown): Promise<Evidence>;
  /** The id of a created contact. */
  contactId(body: unknown): string | undefined;
  /** The upstream takes our handles as the ids of contacts, so that one that exists there already is ours. */
  readonly takesOurContactIds?: true;
  /** Only with our handles: the requests for what a contact lacks whose create was interrupted. */
  completeContact?(send: UpstreamClient, contact: RegistryContact): Promise<Reply<readonly Call[]>>;
  /** Only if the upstream has no contacts, so that each order contains their data: an id that is derived from the data. */
  contactIdOf?(contact: RegistryContact): string;
  /** Instead of `calls.create`, if a registration needs queries first. */
  prepareCreate?(send: UpstreamClient, order: Order): Promise<Prepared>;
  /** Instead of `calls.renew`, if a renewal needs queries first. */
  prepareRenew?(send: UpstreamClient, detail: Detail, order: RenewOrder): Promise<Prepared>;
  /** The requests of a transfer in. `present`: the domain as the upstream shows it. */
  transfer(send: UpstreamClient, order: TransferOrder, present: Detail | null): Promise<Prepared>;
  /** The refusal of an accepted transfer that is certain to fail. */
  transferRefusal?(
    send: UpstreamClient,
    name: string,
    accepted: unknown,
  ): Promise<(Evidence & { readonly code: number }) | undefined>;
  /** Only if the upstream can be queried whether a transfer in is possible. */
  transferOutlook?(
    send: UpstreamClient,
    name: string,
    authCode: string | undefined,
  ): Promise<Reply<TransferOutlook | null>>;
  /** Refunds of a domain. */
  refunds?(send: UpstreamClient, name: string): Promise<Reply<ReportedRefunds>>;
  /** Our domains there, page by page. */
  list?(send: UpstreamClient, cursor: string | undefined): Promise<Reply<Page<AccountDomain>>>;
  /** Our charges there, page by page; of one domain if it is named. */
  statement?(send: UpstreamClient, cursor: string | undefined, name?: string): Promise<Reply<Page<StatementEntry>>>;
  /** Our costs for these TLDs; rows of other TLDs may be among them. Only if the upstream has a price list. */
  priceList?(send: UpstreamClient, tlds: readonly string[]): Promise<Reply<readonly ListedPrice[]>>;
  /** The TLDs that our account may sell, with the facts that the upstream reports. Only if it can be queried for them. */
  offeredTlds?(send: UpstreamClient): Promise<Reply<readonly OfferedTld[]>>;
  /** The present auth code. Only if the upstream makes auth codes (`authCode.madeBy` of the profile). */
  readAuthCode?(send: UpstreamClient, detail: Detail): Promise<Reply<string>>;
  /** Only if the upstream reports changes. Otherwise all domains are compared regularly. */
  notifications?(send: UpstreamClient, cursor: NotificationCursor): Pick<Registry, 'poll' | 'acknowledge'>;
  /** Reports that a registrant confirmed the address. */
  readonly confirmation?: {
    call(detail: Detail, confirmed: { readonly address: string; readonly at: Date }): Call;
    /** The upstream does not leave confirmations to us. */
    refusesReports(refusal: UpstreamRefusal | undefined): boolean;
  };
  balance(send: UpstreamClient, clientId: string): Promise<Reply<string | undefined>>;
  /** Queries of a connection test that only this dialect has. */
  probe(send: UpstreamClient): Promise<{ readonly findings: readonly string[]; readonly notes: readonly string[] }>;
}

/** The requests of an order, why it cannot be ordered now (a text), or why it is refused before anything is sent. */
export type Prepared = readonly Call[] | string | { readonly refusal: Evidence & { readonly code: number } };

/** The requests, or the reply if there is nothing to send. */
export function callsOf(prepared: Prepared): readonly Call[] | Reply<never> {
  if (typeof prepared === 'string') return { kind: 'unsent', why: prepared };
  return 'refusal' in prepared ? { kind: 'refused', evidence: prepared.refusal } : prepared;
}

/** Sends a query. */
export type UpstreamClient = (call: Call) => Promise<UpstreamAnswer>;

export interface UpstreamAnswer {
  readonly reply: Reply<unknown>;
  readonly refusal?: UpstreamRefusal | undefined;
}

/** The refusal as it was received. */
interface UpstreamRefusal {
  readonly message: string;
  /** What the operator can do. */
  readonly fix: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The call does not exist, as far as the answer shows. */
  readonly isUnknownCall: boolean;
}

export type Outcome =
  | { readonly kind: 'done'; readonly body: unknown }
  /** The operation continues there under this id. */
  | { readonly kind: 'accepted'; readonly operationId: string | undefined; readonly body: unknown }
  | {
      readonly kind: 'refused';
      readonly evidence: Evidence & { readonly code: number };
      readonly refusal?: UpstreamRefusal;
    }
  | { readonly kind: 'unknown'; readonly text: string; readonly isUnreadable?: true }
  /** Not processed because of our login, the rate limit, or another order on the domain. */
  | { readonly kind: 'unsent'; readonly text: string; readonly pause?: Pause };

export type Pause =
  | { readonly because: 'login'; readonly status: number }
  | { readonly because: 'rate_limit'; readonly ms: number };

interface Idempotency {
  headers(key: string, waitSeconds: number): Readonly<Record<string, string>>;
}

export interface FollowedOperation {
  readonly call: Call;
  /** Undefined: still in progress. */
  read(body: unknown, accepted: unknown): Outcome | undefined;
}

export interface OrderSearch {
  find(send: UpstreamClient, name: string, since: Date): Promise<Reply<readonly FoundOrder[]>>;
  readonly visibleAfterMs: number;
  /**
   * What a renewal contains, so that the upstream refuses a repeated one: the present expiry date, its year alone, or nothing. Use
   * `none` if it is not documented that an outdated one is refused.
   */
  readonly renewGuard: 'date' | 'year' | 'none';
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** Undefined: the last page. */
  readonly next: string | undefined;
}

interface NotificationCursor {
  read(): Promise<string | null>;
  keep(cursor: string): Promise<void>;
}

export interface AvailabilityResult {
  readonly status: 'available' | 'ours' | 'taken' | 'unknown';
  readonly reason?: string | undefined;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** A row of a list: a domain that is ours, or was. */
export interface AccountDomain {
  readonly id: string;
  readonly name: string;
  readonly isOurs: boolean;
  readonly expiresAt: Date | null;
  readonly statuses: readonly string[];
}

/** Lines of a statement about one domain, by its id there or by its name. */
export interface StatementEntry {
  readonly domainId?: string | undefined;
  readonly name?: string | undefined;
  readonly lines: readonly StatementLine[];
}

export type Role = 'registrant' | 'admin' | 'tech' | 'billing';
/** The ids of contacts at the upstream; undefined: no contact in this role. */
export type ContactIds = Readonly<Partial<Record<Role, string | undefined>>>;

/** The data of contacts by their ids; empty if the upstream has contacts. */
export type ContactData = Readonly<Record<string, RegistryContact>>;

export interface Order {
  readonly name: string;
  readonly years: number;
  readonly contacts: ContactIds;
  readonly contactData: ContactData;
  readonly nameservers: readonly string[];
  /** Additional fields that the catalogue states for the TLD. */
  readonly extra: Readonly<Record<string, string>>;
  /** The order includes the privacy service of the upstream. */
  readonly isPrivate?: boolean;
  readonly fee: RegistryFee | undefined;
  readonly operationId: string | undefined;
}

/** A transfer in. What the upstream does not take with a transfer, core sets after it. */
export interface TransferOrder {
  readonly name: string;
  readonly authCode: string;
  /** Empty if our records have none for the domain yet. */
  readonly contacts: ContactIds;
  readonly contactData: ContactData;
  /** Empty: the nameservers stay as they are. */
  readonly nameservers: readonly string[];
  readonly extra: Readonly<Record<string, string>>;
  readonly isPrivate?: boolean;
  readonly fee?: RegistryFee | undefined;
  readonly operationId?: string | undefined;
}

interface RenewOrder {
  readonly years: number;
  readonly fee: RegistryFee | undefined;
  readonly operationId: string | undefined;
}

/** `private`: the privacy service of the upstream. */
export type Flag = 'locked' | 'suspended' | 'protected' | 'private';

/** The requests of each order. An order can need several. `create` and the transfer switch the upstream's auto-renewal off. */
export interface Calls {
  create(order: Order): readonly Call[];
  renew(detail: Detail, order: RenewOrder): readonly Call[];
  remove(detail: Detail): readonly Call[];
  restore(detail: Detail, fee: RegistryFee | undefined): readonly Call[];
  /** Only if the upstream has a call to cancel a transfer in. */
  cancelTransfer?(detail: Detail): readonly Call[];
  /** Only if the upstream has calls to answer a transfer away. */
  answerTransfer?(detail: Detail, answer: 'approve' | 'reject'): readonly Call[];
  nameservers(detail: Detail, hostnames: readonly string[]): readonly Call[];
  contacts(detail: Detail, ids: ContactIds, data: ContactData): readonly Call[];
  /** Only if the upstream accepts DS records. */
  ds?(detail: Detail, add: readonly DsRecord[], remove: readonly DsRecord[]): readonly Call[];
  /** An upstream that makes auth codes ignores `code`: the requests that replace the present code, or none. */
  authCode(detail: Detail, code: string): readonly Call[];
  /** Only if the upstream has its own auto-renewal: switches it on or off. */
  autoRenew?(detail: Detail, isOn: boolean): readonly Call[];
  /** Only flags that the upstream has. */
  readonly flags: Readonly<Partial<Record<Flag, (detail: Detail, isOn: boolean) => readonly Call[]>>>;
  /** Only if one request can contain several changes: the requests for all of these changes. */
  merge?(detail: Detail, calls: readonly Call[]): readonly Call[];
  contact(id: string): Call;
  createContact(contact: RegistryContact): readonly Call[];
  /** Only if contacts can be changed there. Otherwise a change creates a new contact, which replaces the old one. */
  updateContact?(id: string, contact: RegistryContact): readonly Call[];
  removeContact(id: string): readonly Call[];
  /** Only if the upstream has calls for child nameservers. */
  readonly hosts?: HostCalls;
}

type HostCalls = AddressCalls | WholeHostCalls;

/** One request for each address. */
export interface AddressCalls {
  add(detail: Detail, hostname: string, addresses: readonly string[]): readonly Call[];
  remove(detail: Detail, hostname: string, addresses: readonly string[]): readonly Call[];
  rename(detail: Detail, hostname: string, newName: string, addresses: readonly string[]): readonly Call[];
}

/** A request has all addresses of a host. */
export interface WholeHostCalls {
  set(detail: Detail, hostname: string, addresses: readonly string[], isNew: boolean): readonly Call[];
  remove(detail: Detail, hostname: string): readonly Call[];
  rename(detail: Detail, hostname: string, newName: string, addresses: readonly string[]): readonly Call[];
  /** The addresses of a host, if the domain does not show them. */
  read?(send: UpstreamClient, detail: Detail, hostname: string): Promise<Reply<readonly string[]>>;
  /** At most one IPv4 and one IPv6 address. */
  readonly onePerFamily?: true;
}

/** A domain at the upstream. */
export interface Detail {
  readonly id: string;
  readonly name: string;
  /** The state, in our terms. */
  readonly status: RemoteStatus;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** The date up to which we have paid there. */
  readonly expiresAt: Date | null;
  /** The original text. */
  readonly expiryText: string | undefined;
  /** The last day on which a renewal is accepted at its usual price, if it differs from the expiry date. */
  readonly renewBy?: Date | null | undefined;
  /** Whether the upstream'''s own auto-renewal is on; undefined: it does not report that. */
  readonly autoRenew?: boolean | undefined;
  /** Whether the privacy service of the upstream is on; undefined: it does not report that. */
  readonly isPrivate?: boolean | undefined;
  readonly isLocked: boolean;
  readonly isSuspended: boolean;
  readonly isProtected: boolean;
  readonly contacts: Readonly<Record<Role, string | undefined>>;
  readonly nameservers: readonly string[];
  readonly hosts: readonly { readonly hostname: string; readonly ip: string }[];
  readonly ds: readonly DsRecord[];
  readonly registryStatuses: readonly string[];
  readonly rgpStatuses: readonly string[];
  /** The registrant has to confirm the address, or the domain is on hold because of it. */
  readonly confirmation: 'awaited' | 'held' | undefined;
  /** The operation in progress for the domain there. */
  readonly underway: string | undefined;
  readonly transfer: RemoteTransfer | undefined;
  readonly transferAway: RemoteTransfer | undefined;
}

export interface RemoteTransfer {
  readonly status: string | undefined;
  /** The other registrar. */
  readonly registrar: string | undefined;
  readonly requestedAt: Date | null;
  readonly actionAt: Date | null;
}

export type RemoteStatus =
  /** Ordered, not registered yet. */
  | 'pending'
  /** A transfer in is pending. */
  | 'pending_transfer_in'
  | 'live'
  | 'redemption'
  | 'pending_restore'
  | 'pending_delete'
  /** A transfer to another registrar is pending. */
  | 'pending_transfer'
  /** Transferred away. */
  | 'transferred_out'
  /** Deleted, or never registered. */
  | 'absent';
