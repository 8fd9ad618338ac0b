import type { DomainContact, DsRecord, HostAttribute, TldExtensions } from '@namehold/epp';
import type { KeysysState } from '../keysys/fields.ts';
import { earliest } from '../registry/calendar.ts';
import type { Provenance } from '../registry/provenance.ts';

export type Phase = 'active' | 'pendingCreate' | 'expired' | 'redemption' | 'pendingRestore' | 'pendingDelete';
type GraceKind = 'add' | 'renew' | 'autoRenew' | 'transfer';

/** During this period a delete refunds the charge of `statementId`. */
export interface Grace {
  readonly kind: GraceKind;
  readonly endsAt: Date;
  readonly years: number;
  readonly statementId: string;
}

/** A domain with all dependent data. */
export interface DomainRecord extends Provenance {
  readonly id: string;
  readonly name: string;
  readonly tld: string;
  readonly expiresAt: Date;
  readonly registrantId: string | null;
  readonly registrant: string | null;
  readonly statuses: readonly string[];
  readonly phase: Phase;
  readonly phaseUntil: Date | null;
  readonly redemptionUntil: Date | null;
  /** The missing documents of a create under review. */
  readonly reviewNote: string | null;
  readonly authHash: string | null;
  readonly nsAttributes: readonly HostAttribute[] | null;
  readonly extensions: TldExtensions;
  readonly createClTRID: string | null;
  readonly createSvTRID: string | null;
  readonly contacts: readonly DomainContact[];
  readonly hosts: readonly string[];
  readonly subordinates: readonly string[];
  readonly ds: readonly DsRecord[];
  readonly graces: readonly Grace[];
  readonly transferPending: boolean;
  readonly keysys: KeysysState | null;
}

/** When time alone next changes the domain; a pending transfer has a date of its own. */
export function dueOf(domain: Pick<DomainRecord, 'phase' | 'phaseUntil' | 'expiresAt'>): Date {
  const due = domain.phase === 'active' ? domain.expiresAt : earliest(domain.phaseUntil);
  if (due === undefined) throw new Error(`a domain in phase ${domain.phase} has no end date`);
  return due;
}

export const gracesAt = (domain: DomainRecord, at: Date): readonly Grace[] =>
  domain.graces.filter((grace) => grace.endsAt > at);

export const roidOf = (letter: 'D' | 'C' | 'H', id: string): string => `${letter}${id}-NAMEHOLD`;
