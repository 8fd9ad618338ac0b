import { addDays } from '@namehold/base';
import type { SandboxTld } from '../tlds/index.ts';
import type { DomainRecord } from './record.ts';

/** RFC 3915 2: deleted, out of the zone, and for so many days to be had back. */
export function intoRedemption(tld: SandboxTld, domain: DomainRecord, at: Date): DomainRecord {
  const until = addDays(at, tld.graceDays.redemption);
  return { ...domain, phase: 'redemption', phaseUntil: until, redemptionUntil: until };
}

export function intoPendingDelete(tld: SandboxTld, domain: DomainRecord, at: Date): DomainRecord {
  const phaseUntil = addDays(at, tld.graceDays.pendingDelete);
  return { ...domain, phase: 'pendingDelete', phaseUntil, redemptionUntil: null };
}

/** The report did not come in time: back into what is left of the redemption period. */
export function backIntoRedemption(domain: DomainRecord, at: Date): DomainRecord {
  const left = domain.redemptionUntil ?? at;
  return { ...domain, phase: 'redemption', phaseUntil: left > at ? left : at };
}
