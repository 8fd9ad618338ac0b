import { createHash } from 'node:crypto';
import { latinText } from '../reference/latin.ts';
import type { Party } from '../reference/party.ts';
import type { Extra } from './tld.ts';

/** A contact has no telephones beside its telephone and fax. */
export type ContactParty = Omit<Party, 'alt_tel_cc_no' | 'alt_tel_no' | 'mobile_cc_no' | 'mobile_no'>;

type LatinForm = Pick<
  Party,
  'name' | 'company' | 'address_line_1' | 'address_line_2' | 'address_line_3' | 'city' | 'state'
>;

export interface Contact extends ContactParty {
  readonly id: string;
  readonly reseller_id: string;
  readonly customer_id: string;
  readonly status: 'Active' | 'InActive' | 'Suspended';
  readonly latin: LatinForm | null;
  readonly eligibility_criteria: string[];
  readonly extra: Extra;
  readonly fingerprint: string;
  readonly is_twin: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const contactStatuses = ['InActive', 'Active', 'Suspended'] as const;

/**
 * RFC 5733 section 3.2.1: the `int` form of an address is ASCII, the `loc` form may be UTF-8. Both are stored. A contact without a Latin
 * form (a name in Chinese) is valid for every registry that accepts `loc`. An order for a registry that requires `int` refuses it.
 */
export function latinForm(party: ContactParty): LatinForm | null {
  const lines = {
    name: latinText(party.name),
    company: latinText(party.company),
    address_line_1: latinText(party.address_line_1),
    address_line_2: latinText(party.address_line_2),
    address_line_3: latinText(party.address_line_3),
    city: latinText(party.city),
    state: latinText(party.state),
  };
  return Object.values(lines).includes(undefined) ? null : (lines as LatinForm);
}

type FingerprintSource = ContactParty & Pick<Contact, 'latin' | 'eligibility_criteria' | 'extra'>;

/** Equal for equal data, in any order of fields. */
export function contactFingerprint(contact: FingerprintSource): string {
  const { extra, latin } = contact;
  const parts = [
    contact.email,
    contact.name,
    contact.company,
    contact.address_line_1,
    contact.address_line_2,
    contact.address_line_3,
    contact.city,
    contact.state,
    contact.country_code,
    contact.zipcode,
    contact.tel_cc_no,
    contact.tel_no,
    contact.fax_cc_no,
    contact.fax_no,
    [...contact.eligibility_criteria].sort(),
    Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1)),
    latin && [
      latin.name,
      latin.company,
      latin.address_line_1,
      latin.address_line_2,
      latin.address_line_3,
      latin.city,
      latin.state,
    ],
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
