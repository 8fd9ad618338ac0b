import { addDays } from '@namehold/base';
import type { SandboxTld } from '../tlds/index.ts';
import type { DomainRecord } from './record.ts';

/** RFC 3915 2: deleted and out of the zone, but restorable for some days. */
export function intoRedemption(tld: SandboxTld, domain: DomainRecord, at: Date): DomainRecord {
  const until = addDays(at, tld.graceDays.redemption);
  return { ...domain, phase: 'redemption', phaseUntil: until, redemptionUntil: until };
}

export function intoPendingDelete(tld: SandboxTld, domain: DomainRecord, at: Date): DomainRecord {
  const phaseUntil = addDays(at, tld.graceDays.pendingDelete);
  return { ...domain, phase: 'pendingDelete', phaseUntil, redemptionUntil: null };
}

/** The report did not arrive in time: the domain returns to the rest of its redemption period. */
export function backIntoRedemption(domain: DomainRecord, at: Date): DomainRecord {
  const left = domain.redemptionUntil ?? at;
  return { ...domain, phase: 'redemption', phaseUntil: left > at ? left : at };
}
