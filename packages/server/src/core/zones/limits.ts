import { DEFAULT_RRSET_LIMITS, type RRsetLimits } from '@namehold/dns';

const days = 86_400_000;

/** Every bound on zones, in one place. A bench may raise them. */
export const zoneLimits = {
  recordsPerZone: 100_000,
  /** Over all RRsets of one PUT or PATCH; a zone file is bound by recordsPerZone alone. */
  recordsPerCall: 5_000,
  rrsetsPerCall: 2_000,
  /** Up to here a change is made where the request is; beyond it in the workshop, beside the main thread. */
  lightRecords: 1_000,
  lightFileBytes: 16_384,
  zoneFileBytes: 16 * 1_048_576,
  zoneFileErrors: 50,
  /** RRsets that a 412 shows of the present state. */
  rrsetsInPrecondition: 200,
  /** Records of one change that the audit log repeats; the journal holds all of them. */
  recordsInAudit: 50,
  /** Records of one change that the history shows. */
  recordsInHistory: 1_000,
  /** Records of all changes on one page of the history. */
  recordsPerHistoryPage: 5_000,
  /** Records that a contract call lists; beyond that only pages can show them. */
  recordsPerList: 2_500,
  rrsetsPerPage: 1_000,
  commentLength: 200,
  /** Warnings that an answer shows. */
  warnings: 200,
  /** Problems between RRsets that a refusal names. */
  problems: 50,
  /** The newest changes of a zone stay in the journal however old they are. */
  journalKeepChanges: 100,
  journalKeepMs: 90 * days,
  /** One write in so many, by its serial, tidies the journal of its zone. */
  journalTidyEvery: 16,
  /** A zone goes on being served this long after its domain left us. */
  withdrawGraceMs: 7 * days,
  /** A deleted or withdrawn zone can be brought back this long. */
  tombstoneMs: 30 * days,
} as const;

export const rrsetLimits: RRsetLimits = DEFAULT_RRSET_LIMITS;

export const zoneDefaults = {
  ttlSeconds: 3_600,
  nameserverTtlSeconds: 86_400,
} as const;

/** Made by a signer from the other records; written by hand they would contradict it. */
export const signerTypes: ReadonlySet<string> = new Set(['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'ZONEMD']);
