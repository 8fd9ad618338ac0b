import type { ContactInfData, Disclose, Phone, PostalInfo, TldExtensions } from '@namehold/epp';
import { roidOf } from '../domain/record.ts';
import { type Provenance, provenance } from '../registry/provenance.ts';

export interface ContactDetails {
  readonly postal: readonly PostalInfo[];
  readonly voice?: Phone;
  readonly fax?: Phone;
  readonly email: string;
  readonly disclose?: Disclose;
}

export interface ContactRecord extends Provenance {
  readonly id: string;
  readonly handle: string;
  readonly statuses: readonly string[];
  readonly details: ContactDetails;
  readonly authHash: string | null;
  readonly extensions: TldExtensions;
  readonly linked: boolean;
  readonly transferPending: boolean;
}

/** RFC 5733 2.2: linked may be combined with any status; ok only with linked. */
function contactStatuses(contact: ContactRecord): string[] {
  const statuses = [...contact.statuses];
  if (contact.transferPending) statuses.push('pendingTransfer');
  if (statuses.length === 0) statuses.push('ok');
  if (contact.linked) statuses.push('linked');
  return statuses;
}

export function contactInfo(contact: ContactRecord): ContactInfData {
  return {
    object: 'contact',
    type: 'infData',
    id: contact.handle,
    roid: roidOf('C', contact.id),
    statuses: contactStatuses(contact).map((value) => ({ value })),
    ...contact.details,
    ...provenance(contact),
  };
}
