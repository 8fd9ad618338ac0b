import type { StatedFields, TldFields } from './tld-fields.ts';

/** The port: what core needs of a registry, in its own terms. Drivers implement it; no protocol is named here. */

/**
 * Besides success and refusal there are two more outcomes: `unknown` (no usable answer) and `unsent` (nothing was sent). Only the first
 * two are facts.
 */
export type Reply<T> =
  | { readonly kind: 'done'; readonly data: T; readonly pending: boolean; readonly evidence: Evidence }
  | { readonly kind: 'refused'; readonly evidence: Evidence }
  | {
      readonly kind: 'unknown';
      readonly why: string;
      readonly evidence: Evidence;
      /** An answer came but could not be parsed. */
      readonly isUnreadable?: true;
    }
  | { readonly kind: 'unsent'; readonly why: string };

/** The registry's answer, for the operation's record and for the caller. */
export interface Evidence {
  readonly code?: number;
  readonly text?: string;
  readonly reasons?: readonly string[];
  readonly clTRID?: string;
  readonly svTRID?: string;
  /** Refused by this service before anything was sent: the faulty field of the order. */
  readonly own?: { readonly field: string; readonly code: 'invalid_argument' | 'price_guard_required' };
  /** The charge that the registry reports for the command. */
  readonly charged?: RegistryFee;
}

/** Ties a command to the operation that sends it; the journal refuses a command of a process that lost its lease. */
export interface CommandContext {
  readonly operationId?: string;
  readonly fence?: string;
  readonly step?: string;
  readonly priority?: 'money' | 'interactive' | 'background';
  /**
   * Set for a command that may be lost: it is free and idempotent, and no decision depends on whether it was sent. Its journal row does
   * not wait for the disk, and its answer is added to this list for the transaction that settles the operation.
   */
  readonly pendingAnswers?: PendingAnswer[];
}

/** An answer that must still be written to the journal. */
export interface PendingAnswer {
  readonly clTRID: string;
  readonly code: number;
  readonly svTRID: string | null;
  readonly sealed: string | null;
  readonly sentAt: Date | null;
  readonly at: Date;
}

/** A registry's price, as decimal text in the form in which it was sent. */
export interface RegistryFee {
  readonly amount: string;
  readonly currency: string;
}

export interface Availability {
  readonly name: string;
  readonly available: boolean;
  readonly reason?: string;
  readonly premiumClass?: string;
  readonly createFee?: RegistryFee;
  readonly renewFee?: RegistryFee;
  readonly restoreFee?: RegistryFee;
  readonly transferFee?: RegistryFee;
  /** Its prices are in another currency than the requested one. */
  readonly isOtherCurrency?: true;
  /** Whether the fee of a command is the registry's standard fee, as far as the registry reports that. */
  readonly standard?: Partial<Record<'create' | 'renew' | 'restore' | 'transfer', boolean>>;
}

/** The prices that are requested with a check. */
export interface FeeQuestion {
  readonly currency: string;
  readonly years: number;
  /** The price of a transfer in. Some registries must be queried for it separately. */
  readonly isTransfer?: true;
}

export interface DsRecord {
  readonly keytag: number;
  readonly algorithm: number;
  readonly digesttype: number;
  readonly digest: string;
  /** RFC 5910 4: some registries take the key and compute the DS record. Then it is identified by that record. */
  readonly key?: KeyData;
}

export interface KeyData {
  readonly flags: number;
  readonly protocol: number;
  /** In base64. */
  readonly pubkey: string;
}

export interface HostAddresses {
  readonly hostname: string;
  readonly addresses: readonly string[];
}

export interface RegistryDomain {
  readonly name: string;
  /** Null: sponsored by another registrar, and the registry shows data only to the sponsor; nothing else is known then. */
  readonly sponsor: string | null;
  readonly isOurs: boolean;
  readonly createdAt: Date | null;
  /** When the registry last changed it (RFC 5731 3.1.2, upDate); null if it never did or does not report it. */
  readonly updatedAt: Date | null;
  readonly expiresAt: Date | null;
  /** When it was last transferred (RFC 5731 3.1.2, trDate); null if it never was or the registry does not report it. */
  readonly transferredAt: Date | null;
  readonly statuses: readonly string[];
  readonly rgpStatuses: readonly string[];
  /**
   * For a registry that verifies registrants: it awaits the confirmation of the email address, or has the domain on hold because it is
   * missing.
   */
  readonly confirmation?: 'awaited' | 'held';
  /** The registry's note about a new domain under review, such as required documents (RFC 5731 2.3, the text of pendingCreate). */
  readonly reviewNote?: string;
  /** Only an upstream: the last day to renew, if that is before the expiry date. */
  readonly renewBy?: Date;
  /** Only an upstream: its own auto-renewal is on for the domain. Left out: it does not report that. */
  readonly autoRenew?: boolean;
  /** Only an upstream: its privacy service hides the registrant. Left out: it does not report that. */
  readonly isPrivate?: boolean;
  readonly registrant: string | null;
  readonly contacts: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string>>>;
  readonly nameservers: readonly string[];
  /** Only if nameservers are attributes of a domain (RFC 5731 1.1): the addresses that the registry shows for each. */
  readonly nameserverAddresses?: Readonly<Record<string, readonly string[]>>;
  readonly hosts: readonly string[];
  readonly ds: readonly DsRecord[];
}

export interface DomainOrder {
  readonly name: string;
  readonly years: number;
  readonly registrant?: string;
  /** The contact that declares eligibility for the domain, if the TLD requires one. */
  readonly declarant?: string;
  readonly contacts: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string>>>;
  /** Addresses are sent only if the registry keeps hosts as attributes. */
  readonly nameservers: readonly HostAddresses[];
  readonly extra: Readonly<Record<string, string>>;
  /** Additional fields that the catalogue states for the TLD. */
  readonly statedFields?: StatedFields;
  readonly registration?: RegistrationData;
  /** With the privacy service of the upstream; only with `sellsPrivacy`. */
  readonly isPrivate?: boolean;
  readonly fee?: RegistryFee;
}

/** Additional data that some registrations need. */
export interface RegistrationData {
  /** RFC 8495; a secret, like an auth code. */
  readonly allocationToken?: string | undefined;
  readonly idnTable?: string | undefined;
  /** RFC 8334 3.3.2: the registrant was shown the claims of others and accepted them. */
  readonly claims?: ClaimsNotice | undefined;
  /** RFC 7848: a signed mark in base64, as it is in its file. */
  readonly signedMark?: string | undefined;
}

export interface ClaimsNotice {
  readonly noticeId: string;
  readonly notAfter: Date;
  readonly acceptedAt: Date;
  /** The validator that issued the notice, if it is not the default one. */
  readonly validator?: string | undefined;
}

/** Parts of a transfer order that EPP does not have (RFC 5731 3.2.4), and that an upstream may take. */
export interface TransferParties {
  readonly registrant?: string;
  readonly contacts?: DomainOrder['contacts'];
  /** Empty: the nameservers stay as they are. */
  readonly nameservers?: readonly HostAddresses[];
  readonly extra?: Readonly<Record<string, string>>;
}

/** RFC 5731 3.2.4: the transfer request for a domain of another registrar. */
interface TransferOrder extends TransferParties {
  readonly name: string;
  readonly authCode: string;
  /** Null: the registry sets the added years. */
  readonly years: number | null;
  readonly fee?: RegistryFee;
}

/** RFC 5730 2.9.3.4; only `pending` is not final. A registry may use other values. */
type TransferStatus =
  | 'pending'
  | 'clientApproved'
  | 'clientCancelled'
  | 'clientRejected'
  | 'serverApproved'
  | 'serverCancelled'
  | (string & {});

/** The latest transfer of a domain, as its registry shows it; a date that it does not report is null. */
export interface RegistryTransfer {
  readonly name: string;
  readonly status: TransferStatus;
  /** The registrar that requested it (reID), and when (reDate). */
  readonly gaining: string;
  readonly isToUs: boolean;
  readonly requestedAt: Date | null;
  /** The registrar that must act or has acted (acID), and the deadline or time (acDate). */
  readonly losing: string;
  readonly actionAt: Date | null;
  /** The expiry date after the transfer. */
  readonly expiresAt: Date | null;
}

/** The registry's own assessment of a transfer to us. */
export interface TransferOutlook {
  readonly registrar: string | null;
  readonly expiresAt: Date | null;
  /** Null: the registry did not check it or does not report it. */
  readonly isCodeRight: boolean | null;
  /** All obstacles, with core's own reason if there is one; `from`: when the obstacle ends. */
  readonly obstacles: readonly { readonly reason: string; readonly from: Date | null }[];
}

/** The difference between the present and the wanted state. */
export interface DomainChange {
  readonly addNameservers?: readonly HostAddresses[];
  readonly removeNameservers?: readonly string[];
  readonly addStatuses?: readonly string[];
  readonly removeStatuses?: readonly string[];
  readonly registrant?: string;
  /** With a new registrant: the contact that declares eligibility from now on. */
  readonly declarant?: string;
  readonly addContacts?: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string>>>;
  readonly removeContacts?: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string>>>;
  readonly addDs?: readonly DsRecord[];
  readonly removeDs?: readonly DsRecord[];
  /** Null removes it (RFC 9154: a code exists only while a transfer is wanted). */
  readonly authCode?: string | null;
  /** The registry's own renewal of the domain; only with `switchesAutoRenew`. */
  readonly autoRenew?: boolean;
  /** The privacy service of the upstream; only with `sellsPrivacy`. */
  readonly isPrivate?: boolean;
}

export interface RegistryContact {
  readonly handle: string;
  readonly name: string;
  readonly organisation: string | null;
  readonly street: readonly string[];
  readonly city: string;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly countryCode: string;
  /** `+CC.number` */
  readonly voice: string;
  readonly fax: string | null;
  readonly email: string;
  readonly extra: Readonly<Record<string, string>>;
  /** Additional fields that the catalogue states for TLDs of the registry. */
  readonly statedFields?: readonly StatedFields[];
  /** RFC 5733 2.9: not to be published. */
  readonly isHidden: boolean;
}

export interface RegistryHost {
  readonly hostname: string;
  readonly addresses: readonly string[];
  readonly isOurs: boolean;
  readonly statuses: readonly string[];
}

/** RFC 8590: a change of a domain that was not made by our commands. */
interface RegistryChange {
  readonly state: 'before' | 'after';
  /** create, delete, renew, transfer, update, restore, autoRenew, autoDelete, autoPurge, custom; with the part or the custom name. */
  readonly operation: string;
  readonly detail: string | null;
  readonly at: Date;
  readonly who: string;
  readonly reason: string | null;
  /** The kind of a dispute: `udrp`, `urs` or another name. */
  readonly dispute: { readonly type: string; readonly id: string } | null;
  readonly svTRID: string;
}

/** RFC 9167: maintenance of the registry's systems. */
export interface RegistryMaintenance {
  readonly id: string;
  readonly name: string | null;
  readonly start: Date;
  readonly end: Date;
  /** It was cancelled, or ended early. */
  readonly isOver: boolean;
  readonly systems: readonly { readonly name: string; readonly impact: string }[];
  readonly environment: string;
  /** planned or emergency. */
  readonly reason: string;
  readonly description: string | null;
  readonly tlds: readonly string[];
}

export interface PollMessage {
  readonly id: string;
  readonly queuedAt: Date | null;
  readonly text: string;
  readonly count: number;
  readonly raw: string;
  /** Namespaces in the message that we did not announce at login (RFC 9038). */
  readonly unhandled?: readonly string[];
  readonly content:
    | {
        readonly kind: 'pending_action';
        readonly name: string;
        readonly approved: boolean;
        readonly clTRID: string | null;
      }
    | {
        readonly kind: 'transfer';
        readonly name: string;
        readonly status: string;
        readonly gaining: string;
        readonly losing: string;
        readonly expiresAt: Date | null;
        /** As in RegistryTransfer; messages that an older release stored have neither. */
        readonly requestedAt?: Date;
        readonly actionAt?: Date;
      }
    | { readonly kind: 'domain'; readonly name: string }
    /** The registry changed a domain of ours; with its state before or after. */
    | {
        readonly kind: 'change';
        readonly name: string;
        readonly change: RegistryChange;
        readonly shown: Partial<RegistryDomain>;
      }
    | { readonly kind: 'restore_due'; readonly name: string; readonly reportDueAt: Date }
    | { readonly kind: 'maintenance'; readonly items: readonly RegistryMaintenance[] }
    | { readonly kind: 'low_balance'; readonly available: RegistryFee; readonly limit: RegistryFee }
    /** Not in a known form; it is kept as received. */
    | { readonly kind: 'unreadable'; readonly why: string }
    | { readonly kind: 'other' };
}

/** Decimal amounts in the currency in which the registry is paid. */
export interface RegistryBalance {
  /** The available amount, including credit. */
  readonly available: string;
  /** The registry calls the balance low at this amount or less. */
  readonly threshold: string;
}

/** One line of our account statement at a registry. */
export interface StatementLine {
  readonly at: Date;
  readonly kind: 'charge' | 'refund';
  /** `create`, `renew`, `autorenew`, `restore`, `transfer`. */
  readonly command: string;
  readonly fee: RegistryFee;
  /** Id of the command that was charged (RFC 5730 2.5); left out if the statement does not contain it. */
  readonly clTRID?: string;
}

/** An order of ours at a registry that keeps a list of them, as the registry reports it. Null: it does not report that. */
export interface FoundOrder {
  /** The registry's id of the order or charge. */
  readonly id: string;
  readonly verb: 'register' | 'renew' | 'transfer' | 'restore' | null;
  readonly at: Date | null;
  /** `failed`: not executed, and no charge remains. */
  readonly state: 'open' | 'done' | 'failed';
  /** Our operation id, if it was stored in the order. */
  readonly operationId: string | null;
}

/** How a registry without protection against repeated orders is queried about an order with a lost answer. */
interface OrderHistory {
  /** Orders and charges of a domain since this time, and possibly earlier ones. */
  find(name: string, since: Date): Promise<Reply<readonly FoundOrder[]>>;
  /** An order may be missing in the list for this long after it was sent. */
  readonly visibleAfterMs: number;
  /**
   * What a renewal contains, so that a repeated one is refused: the present expiry date, its year alone, or nothing. Only with `date`
   * is a repeated renewal safe without a query.
   */
  readonly renewGuard: 'date' | 'year' | 'none';
}

export interface ReportedRefunds {
  /** `command` is null if the registry does not report what was paid for. */
  readonly lines: readonly { readonly command: string | null; readonly fee: RegistryFee }[];
  /** The list is complete: other charges were not refunded. Otherwise a refund may be reported in another form. */
  readonly isWhole: boolean;
}

/** A row of the registry's price list: our cost for one command. */
export interface ListedPrice {
  readonly tld: string;
  readonly command: 'create' | 'renew' | 'transfer' | 'restore';
  readonly years: number;
  /** For all years together. */
  readonly fee: RegistryFee;
  /** When it begins to apply; left out: it applies now. */
  readonly from?: Date;
}

/** A TLD that our account may sell, with the facts that the registry reports. */
export interface OfferedTld {
  readonly tld: string;
  readonly minYears?: number;
  readonly maxYears?: number;
  /** Years that a transfer adds. */
  readonly transferYears?: number;
  /** Years that a restore adds. */
  readonly restoreYears?: number;
  /** Days after the expiry date in which a renewal is accepted. */
  readonly graceDays?: number;
}

/** A domain in the registry's own list and statement: sponsored by us now, or charged to us once. */
export interface Holding {
  readonly name: string;
  readonly isOurs: boolean;
  readonly expiresAt: Date | null;
  /** Null: the list states none, so a difference of state is decided by the domain itself. */
  readonly statuses: readonly string[] | null;
  /** Null: the registry has no statement. */
  readonly lines: readonly StatementLine[] | null;
}

/** What a registry supports and requires for domains of one TLD; the TLD catalogue follows it. */
export interface RegistryCapabilities {
  readonly hostModel: 'objects' | 'attributes';
  readonly contactModel: 'minimum' | 'maximum' | 'thin' | 'per-registrar';
  readonly dnssec: 'ds' | 'key' | 'none';
  /** The only contact roles that are sent to the registry; left out: all. */
  readonly sentRoles?: readonly ('registrant' | 'admin' | 'tech' | 'billing')[];
  /** URIs of the extensions that are announced to it. Left out: it does not use EPP. */
  readonly extensions?: readonly string[];
  /** A check can request prices (RFC 8748). */
  readonly supportsFees: boolean;
  /** `isSecure`, RFC 9154: a domain has a code only while a transfer is wanted. Otherwise it always has one, which is unknown. */
  readonly authCode: {
    readonly minLength: number;
    readonly maxLength: number;
    readonly isSecure: boolean;
    /** `upstream`: it makes the codes, which are read with `readAuthCode`. Left out: we make them. */
    readonly madeBy?: 'us' | 'upstream';
  };
}

export interface Registry {
  readonly id: string;
  /**
   * Only for a registry without poll messages: changes are found by comparing each domain in this interval, at most so many per minute,
   * because orders use the same account.
   */
  readonly compared?: { readonly everyMs: number; readonly namesPerMinute: number };
  /** It assigns the ids of contacts, so "exists" (2302) for a handle of ours gives no information about our contact. */
  readonly assignsContactIds?: true;
  /** Only if a repeated command could be executed twice. Core queries it before it repeats or refuses an order with a lost answer. */
  readonly orderHistory?: OrderHistory;
  /** Its own renewal of a domain (`RegistryDomain.autoRenew`) can be switched on and off by an update. */
  readonly switchesAutoRenew?: true;
  /** An upstream with a privacy service, which hides the registrant of a domain. */
  readonly sellsPrivacy?: true;
  /** A transfer order includes contacts, nameservers and additional fields. Otherwise they are set after the transfer. */
  readonly takesPartiesWithTransfer?: true;
  /** The capabilities for domains like this one. */
  capabilitiesOf(name: string): RegistryCapabilities;
  /** A strong code in the format of this registry; nothing is sent. */
  newAuthCode(name: string): string;
  /** Only if the registry offers a list, with its statement if it has one: a page in byte order, or one domain. */
  holdings?(wanted: { after: string; limit: number } | { name: string }): Promise<Reply<readonly Holding[]>>;
  /** The list has no charges, so they are compared by the balance. */
  readonly hasNoStatement?: true;
  /**
   * Only if the registry reports its refunds and its grace statuses are unreliable (an upstream shows them late or never): all its
   * refunds for the domain. They decide about the refunds of a delete.
   */
  reportedRefunds?(name: string): Promise<Reply<ReportedRefunds>>;
  check(names: readonly string[], fee?: FeeQuestion): Promise<Reply<readonly Availability[]>>;
  /**
   * RFC 8334 3.1: the claim keys of a domain name, by which its notice is found; empty if there is no claim. Only if the registry can be
   * queried for them.
   */
  claimsFor?(name: string): Promise<Reply<readonly string[]>>;
  /** Our costs for these TLDs. Only if the registry has a price list. */
  priceList?(tlds: readonly string[]): Promise<Reply<readonly ListedPrice[]>>;
  /** The TLDs that our account may sell. Only if the registry can be queried for them. */
  offeredTlds?(): Promise<Reply<readonly OfferedTld[]>>;
  /** `null`: the registry reports that the domain does not exist. */
  info(name: string, context?: CommandContext): Promise<Reply<RegistryDomain | null>>;
  /** The same for a domain of another registrar, with its auth code: refused (2202) if the code is wrong. */
  infoWithCode(name: string, authCode: string, context?: CommandContext): Promise<Reply<RegistryDomain | null>>;
  /** The present auth code of a domain of ours. Only if the registry makes the codes (`authCode.madeBy`). */
  readAuthCode?(name: string): Promise<Reply<string>>;
  /** Only if the registry can be queried whether a transfer in is possible. `null`: it does not report that after all. */
  transferOutlook?(name: string, authCode: string | undefined): Promise<Reply<TransferOutlook | null>>;
  /**
   * Only for a registry that verifies registrants: reports that the registrant confirmed the address to us. Refused (2201) if it does
   * not accept that. Idempotent.
   */
  confirmRegistrant?(name: string, confirmed: { readonly address: string; readonly at: Date }): Promise<Reply<null>>;
  create(
    order: DomainOrder,
    context: CommandContext,
  ): Promise<Reply<{ createdAt: Date; expiresAt: Date | null } | null>>;
  renew(
    name: string,
    currentExpiry: string,
    years: number,
    fee: RegistryFee | undefined,
    context: CommandContext,
  ): Promise<Reply<{ expiresAt: Date | null }>>;
  remove(name: string, context: CommandContext): Promise<Reply<null>>;
  restore(name: string, fee: RegistryFee | undefined, context: CommandContext): Promise<Reply<null>>;
  restoreReport(name: string, report: RestoreReport, context: CommandContext): Promise<Reply<null>>;
  /** Null data: done or accepted, without further data. */
  requestTransfer(order: TransferOrder, context: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  /** `null`: the registry has no transfer of this domain. */
  queryTransfer(name: string, context?: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  cancelTransfer(name: string, context: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  approveTransfer(name: string, context: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  rejectTransfer(name: string, context: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  update(name: string, change: DomainChange, context: CommandContext): Promise<Reply<null>>;
  contactInfo(handle: string, context?: CommandContext): Promise<Reply<{ handle: string; isHidden: boolean } | null>>;
  /** With the id of the contact at the registry, if it reports one. */
  createContact(contact: RegistryContact, context: CommandContext): Promise<Reply<{ readonly id: string } | null>>;
  updateContact(contact: RegistryContact, context: CommandContext): Promise<Reply<null>>;
  removeContact(handle: string, context: CommandContext): Promise<Reply<null>>;
  hostInfo(hostname: string, context?: CommandContext): Promise<Reply<RegistryHost | null>>;
  createHost(hostname: string, addresses: readonly string[], context: CommandContext): Promise<Reply<null>>;
  updateHost(
    hostname: string,
    change: { add: readonly string[]; remove: readonly string[]; newName?: string },
    context: CommandContext,
  ): Promise<Reply<null>>;
  removeHost(hostname: string, context: CommandContext): Promise<Reply<null>>;
  poll(): Promise<Reply<PollMessage | null>>;
  acknowledge(messageId: string): Promise<Reply<null>>;
  /** The balance of our account at the registry; left out: it has no command for it. */
  balance?(): Promise<Reply<RegistryBalance>>;
  /**
   * Only an upstream: the available balance as decimal text, in the currency in which it charges; null: not reported. It is not compared
   * with the ledger, because an upstream has no threshold and its statement is compared.
   */
  availableFunds?(): Promise<Reply<string | null>>;
}

interface RestoreReport {
  readonly dataBefore: string;
  readonly dataAfter: string;
  readonly deletedAt: Date;
  readonly restoredAt: Date;
  readonly reason: string;
}

/** All connected registries. */
export interface Registries {
  /** Additional fields that the TLD extensions of this release send. */
  readonly tldFields: readonly TldFields[];
  of(registryId: string): Promise<Registry>;
  /** Whether calls to it are worth trying now; an unreachable registry must not slow down the others. */
  isReachable(registryId: string): boolean;
  /** Checked before work that any process could do. False: this process has no session there, because others use them all. */
  hasFreeSession(registryId: string): Promise<boolean>;
  /** Whether it was recently without a free session; answered from the cache. */
  isSessionLimitReached(registryId: string): Promise<boolean>;
  /** Whether it has an open session now; checked without a query. */
  hasSession(registryId: string): Promise<boolean>;
  close(): Promise<void>;
}
