/** The port: what the business needs of a registry, in its own words. Drivers fulfil it; nothing here names a protocol. */

/** Silence is a third outcome, and "nothing left the house" a fourth: only the first two say what is true. */
export type Reply<T> =
  | { readonly kind: 'done'; readonly data: T; readonly pending: boolean; readonly evidence: Evidence }
  | { readonly kind: 'refused'; readonly evidence: Evidence }
  | {
      readonly kind: 'unknown';
      readonly why: string;
      readonly evidence: Evidence;
      /** An answer came, and nothing could be made of it. */
      readonly isUnreadable?: true;
    }
  | { readonly kind: 'unsent'; readonly why: string };

/** What the registry said, for the operation's record and for the caller. */
export interface Evidence {
  readonly code?: number;
  readonly text?: string;
  readonly reasons?: readonly string[];
  readonly clTRID?: string;
  readonly svTRID?: string;
  /** Refused by ourselves, before anything was sent: what is wrong with what was ordered. */
  readonly own?: { readonly field: string; readonly code: 'invalid_argument' | 'price_guard_required' };
  /** What it says to have charged for the command. */
  readonly charged?: RegistryFee;
}

/** Ties a command to the operation that sends it; the journal refuses a command of a process that lost its lease. */
export interface CommandContext {
  readonly operationId?: string;
  readonly fence?: string;
  readonly step?: string;
  readonly lane?: 'money' | 'interactive' | 'background';
  /**
   * Set where a command may be forgotten: it costs nothing, to send it again does the same, and nothing that is decided hangs on whether it left. Its
   * row in the journal does not wait for the disk, and its answer is left here, for the transaction that settles the operation.
   */
  readonly owed?: PendingAnswer[];
}

/** An answer that is still to be written into the journal. */
export interface PendingAnswer {
  readonly clTRID: string;
  readonly code: number;
  readonly svTRID: string | null;
  readonly sealed: string | null;
  readonly sentAt: Date | null;
  readonly at: Date;
}

/** A price that the registry named, decimal text as it was sent. */
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
  /** Its prices are in another currency than the one that was asked for. */
  readonly isOtherCurrency?: true;
  /** Whether the fee of a command is the one that it asks for every name, as far as the registry says so. */
  readonly standard?: Partial<Record<'create' | 'renew' | 'restore' | 'transfer', boolean>>;
}

/** Which prices are wanted with a check. */
export interface FeeQuestion {
  readonly currency: string;
  readonly years: number;
  /** Of a name that another has: what it costs to bring it here. Some registries must be asked for that by itself. */
  readonly isTransfer?: true;
}

export interface DsRecord {
  readonly keytag: number;
  readonly algorithm: number;
  readonly digesttype: number;
  readonly digest: string;
  /** RFC 5910 4: some registries take the key and make the DS record by themselves. Then it is known by the one they make. */
  readonly key?: KeyData;
}

export interface KeyData {
  readonly flags: number;
  readonly protocol: number;
  /** Base64. */
  readonly pubkey: string;
}

export interface HostAddresses {
  readonly hostname: string;
  readonly addresses: readonly string[];
}

export interface RegistryDomain {
  readonly name: string;
  /** Null: another's, and the registry tells of it to its sponsor alone; nothing else is known then. */
  readonly sponsor: string | null;
  readonly isOurs: boolean;
  readonly createdAt: Date | null;
  /** When the registry last changed it (RFC 5731 3.1.2, upDate); null where it never did, or does not say. */
  readonly updatedAt: Date | null;
  readonly expiresAt: Date | null;
  /** When it last came to its present sponsor from another (RFC 5731 3.1.2, trDate); null where it never did, or the registry does not say. */
  readonly transferredAt: Date | null;
  readonly statuses: readonly string[];
  readonly rgpStatuses: readonly string[];
  /** Where it asks holders itself: it waits for the confirmation of the address, or has the name on hold for want of it. */
  readonly confirmation?: 'awaited' | 'held';
  /** What it says, in words, about a new name that it still reviews (RFC 5731 2.3, the text of pendingCreate): documents that it wants. */
  readonly reviewNote?: string;
  readonly registrant: string | null;
  readonly contacts: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string>>>;
  readonly nameservers: readonly string[];
  /** Only where nameservers are attributes of a domain (RFC 5731 1.1): the addresses that it shows for each. */
  readonly nameserverAddresses?: Readonly<Record<string, readonly string[]>>;
  readonly hosts: readonly string[];
  readonly ds: readonly DsRecord[];
}

export interface DomainOrder {
  readonly name: string;
  readonly years: number;
  readonly registrant?: string;
  /** The contact that declares who may hold the name, where the TLD asks for that. */
  readonly declarant?: string;
  readonly contacts: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string>>>;
  /** Addresses are sent only where the registry keeps hosts as attributes. */
  readonly nameservers: readonly HostAddresses[];
  readonly extra: Readonly<Record<string, string>>;
  readonly registration?: RegistrationData;
  readonly fee?: RegistryFee;
}

/** What some registrations bring beside the usual. */
export interface RegistrationData {
  /** RFC 8495; a secret, as an auth code is. */
  readonly allocationToken?: string | undefined;
  readonly idnTable?: string | undefined;
  /** RFC 8334 3.3.2: the holder was shown the claims of others, and went on. */
  readonly claims?: ClaimsNotice | undefined;
  /** RFC 7848: a signed mark in base64, as it stands in its file. */
  readonly signedMark?: string | undefined;
}

export interface ClaimsNotice {
  readonly noticeId: string;
  readonly notAfter: Date;
  readonly acceptedAt: Date;
  /** Who keeps the marks, where it is not the usual one. */
  readonly validator?: string | undefined;
}

/** RFC 5731 3.2.4: what is asked of the registry for a name that another registrar has. */
export interface TransferOrder {
  readonly name: string;
  readonly authCode: string;
  /** Null: the registry says by itself what a transfer adds. */
  readonly years: number | null;
  readonly fee?: RegistryFee;
}

/** RFC 5730 2.9.3.4; `pending` is the only one that is not final. A registry may know others. */
export type TransferStatus =
  | 'pending'
  | 'clientApproved'
  | 'clientCancelled'
  | 'clientRejected'
  | 'serverApproved'
  | 'serverCancelled'
  | (string & {});

/** The latest transfer of a name, as its registry shows it; a date that it does not tell is null. */
export interface RegistryTransfer {
  readonly name: string;
  readonly status: TransferStatus;
  /** Who asked for it (reID), and when (reDate). */
  readonly gaining: string;
  readonly isToUs: boolean;
  readonly requestedAt: Date | null;
  /** Who must act or has acted (acID); by when, or when it was done (acDate). */
  readonly losing: string;
  readonly actionAt: Date | null;
  /** The end of the term once it is done. */
  readonly expiresAt: Date | null;
}

/** What a registry itself says about a transfer to us. */
export interface TransferOutlook {
  readonly registrar: string | null;
  readonly expiresAt: Date | null;
  /** Null: none was tried, or it does not tell. */
  readonly isCodeRight: boolean | null;
  /** Everything that is in the way, in core's words for it where there is one; `from`: from then on it is gone. */
  readonly obstacles: readonly { readonly reason: string; readonly from: Date | null }[];
}

/** The difference between what is and what is wanted. */
export interface DomainChange {
  readonly addNameservers?: readonly HostAddresses[];
  readonly removeNameservers?: readonly string[];
  readonly addStatuses?: readonly string[];
  readonly removeStatuses?: readonly string[];
  readonly registrant?: string;
  /** With another registrant: who declares from now on. */
  readonly declarant?: string;
  readonly addContacts?: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string>>>;
  readonly removeContacts?: Readonly<Partial<Record<'admin' | 'tech' | 'billing', string>>>;
  readonly addDs?: readonly DsRecord[];
  readonly removeDs?: readonly DsRecord[];
  /** Null unsets it (RFC 9154: no code unless a transfer is wanted). */
  readonly authCode?: string | null;
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
  /** RFC 5733 2.9: not to be published. */
  readonly isHidden: boolean;
}

export interface RegistryHost {
  readonly hostname: string;
  readonly addresses: readonly string[];
  readonly isOurs: boolean;
  readonly statuses: readonly string[];
}

/** RFC 8590: an act upon a name that was none of our commands. */
export interface RegistryChange {
  readonly state: 'before' | 'after';
  /** create, delete, renew, transfer, update, restore, autoRenew, autoDelete, autoPurge, custom; with the part or the custom name. */
  readonly operation: string;
  readonly detail: string | null;
  readonly at: Date;
  readonly who: string;
  readonly reason: string | null;
  /** Of a dispute: `udrp`, `urs` or another by its name. */
  readonly dispute: { readonly type: string; readonly id: string } | null;
  readonly svTRID: string;
}

/** RFC 9167: when a registry works on its systems. */
export interface RegistryMaintenance {
  readonly id: string;
  readonly name: string | null;
  readonly start: Date;
  readonly end: Date;
  /** It was called off, or is over before its time. */
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
  /** Namespaces of what it brought and we never said to understand (RFC 9038). */
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
        /** Both as in a RegistryTransfer; messages that an older release stored have none. */
        readonly requestedAt?: Date;
        readonly actionAt?: Date;
      }
    | { readonly kind: 'domain'; readonly name: string }
    /** Somebody changed a name of ours at the registry; how it was before, or is after. */
    | {
        readonly kind: 'change';
        readonly name: string;
        readonly change: RegistryChange;
        readonly shown: Partial<RegistryDomain>;
      }
    | { readonly kind: 'restore_due'; readonly name: string; readonly reportDueAt: Date }
    | { readonly kind: 'maintenance'; readonly items: readonly RegistryMaintenance[] }
    | { readonly kind: 'low_balance'; readonly available: RegistryFee; readonly limit: RegistryFee }
    /** Not in a form that we know; it is kept as it came. */
    | { readonly kind: 'unreadable'; readonly why: string }
    | { readonly kind: 'other' };
}

/** Decimal amounts in the currency in which the registry is paid. */
export interface RegistryBalance {
  /** What may still be spent, credit included. */
  readonly available: string;
  /** At this much or less the registry calls the account low. */
  readonly threshold: string;
}

/** One line of our account statement at a registry. */
export interface StatementLine {
  readonly at: Date;
  readonly kind: 'charge' | 'refund';
  /** `create`, `renew`, `autorenew`, `restore`, `transfer`. */
  readonly command: string;
  readonly fee: RegistryFee;
  /** Of the command that was charged (RFC 5730 2.5); left out where the statement does not name it. */
  readonly clTRID?: string;
}

export interface GivenBack {
  /** `command` is null where it is not told for what the money was paid. */
  readonly lines: readonly { readonly command: string | null; readonly fee: RegistryFee }[];
  /** What is not among them was not given back. Else it may only be told in other words. */
  readonly isWhole: boolean;
}

/** A name as the registry's own list and statement have it: sponsored by us now, or paid by us once. */
export interface Holding {
  readonly name: string;
  readonly isOurs: boolean;
  readonly expiresAt: Date | null;
  readonly statuses: readonly string[];
  readonly lines: readonly StatementLine[];
}

/** How a registry wants names of one TLD; the catalogue of TLDs follows it. */
export interface RegistryCapabilities {
  readonly hostModel: 'objects' | 'attributes';
  readonly contactModel: 'minimum' | 'maximum' | 'thin' | 'per-registrar';
  readonly dnssec: 'ds' | 'key' | 'none';
  /** The only roles of which the registry is told; left out: all. */
  readonly sentRoles?: readonly ('registrant' | 'admin' | 'tech' | 'billing')[];
  /** A check can ask for prices (RFC 8748). */
  readonly supportsFees: boolean;
  /** `isSecure`, RFC 9154: a name has a code only while a transfer is wanted. Elsewhere it always has one, which nobody knows. */
  readonly authCode: { readonly minLength: number; readonly maxLength: number; readonly isSecure: boolean };
}

export interface Registry {
  readonly id: string;
  /**
   * Only where it sends no messages: what happens to our names there is found by comparing them, each once in so long, and never more than so
   * many a minute, because orders need the account too.
   */
  readonly compared?: { readonly everyMs: number; readonly namesPerMinute: number };
  /** It assigns the ids of contacts: that a handle of ours "exists" there (2302) says nothing about our contact. */
  readonly assignsContactIds?: true;
  /** With names like this one. */
  capabilitiesOf(name: string): RegistryCapabilities;
  /** A strong one, as this registry takes them; nothing is sent. */
  newAuthCode(name: string): string;
  /** Only where the registry offers a list with its statement: a page in the order of octets, or one name. */
  holdings?(wanted: { after: string; limit: number } | { name: string }): Promise<Reply<readonly Holding[]>>;
  /**
   * Only where the registry itself tells what it gave back and its graces are not to be relied on (a platform shows them late, or never): what it
   * ever gave back for the name. Then this decides what a delete gives back.
   */
  givenBack?(name: string): Promise<Reply<GivenBack>>;
  check(names: readonly string[], fee?: FeeQuestion): Promise<Reply<readonly Availability[]>>;
  /** RFC 8334 3.1: the keys of the claims for a name, by which its notice is found; none where nobody claims it. Only where it can be asked. */
  claimsFor?(name: string): Promise<Reply<readonly string[]>>;
  /** `null`: the registry says that there is no such name. */
  info(name: string, context?: CommandContext): Promise<Reply<RegistryDomain | null>>;
  /** The same for another registrar's name, with its auth code: refused (2202) where the code is not the one that is set. */
  infoWithCode(name: string, authCode: string, context?: CommandContext): Promise<Reply<RegistryDomain | null>>;
  /**
   * Only where it can be asked whether another registrar's name may come: it knows more than it shows. `null`: it does not tell after all.
   */
  transferOutlook?(name: string, authCode: string | undefined): Promise<Reply<TransferOutlook | null>>;
  /**
   * Only where it asks holders itself: this one has confirmed the address to us. Refused (2201) where it takes no such word from us. Told
   * twice it is told once.
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
  /** Null data: done or accepted, and nothing more was said. */
  requestTransfer(order: TransferOrder, context: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  /** `null`: the registry knows of no transfer of this name. */
  queryTransfer(name: string, context?: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  cancelTransfer(name: string, context: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  approveTransfer(name: string, context: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  rejectTransfer(name: string, context: CommandContext): Promise<Reply<RegistryTransfer | null>>;
  update(name: string, change: DomainChange, context: CommandContext): Promise<Reply<null>>;
  contactInfo(handle: string, context?: CommandContext): Promise<Reply<{ handle: string; isHidden: boolean } | null>>;
  /** With the id that the contact has at the registry, where it tells one. */
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
  /** Our account at the registry; left out: it has no command for it. */
  balance?(): Promise<Reply<RegistryBalance>>;
}

export interface RestoreReport {
  readonly dataBefore: string;
  readonly dataAfter: string;
  readonly deletedAt: Date;
  readonly restoredAt: Date;
  readonly reason: string;
}

/** All connected registries. */
export interface Registries {
  of(registryId: string): Promise<Registry>;
  /** Whether calls to it are worth trying now; a dead registry costs the others nothing. */
  isReachable(registryId: string): boolean;
  /** Before work is taken up that any process could do. False: this one has no session there, because others have them all. */
  hasRoom(registryId: string): Promise<boolean>;
  /** That it has no room was told a moment ago; nobody is asked. */
  isCrowded(registryId: string): Promise<boolean>;
  /** It has one open now, and asks nobody for it. */
  hasSession(registryId: string): Promise<boolean>;
  close(): Promise<void>;
}
