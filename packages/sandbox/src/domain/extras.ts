import type { AsiaCed, UsNexus } from '@namehold/epp';
import { refuse } from '../registry/refusal.ts';
import type { SandboxTld } from '../tlds/index.ts';
import type { LinkedContact } from './link.sql.ts';

const usPurposes = /^P[1-5]$/;
const usCategories = /^(C11|C12|C21|C31(\/[A-Z]{2})?|C32(\/[A-Z]{2})?)$/;
/** The economies of the Asia-Pacific region in the .asia charter. */
const asiaCountries = new Set(
  'AF AQ AM AU AZ BH BD BT BN KH CN CX CC CK CY FJ GE HM HK IN ID IR IQ IL JP JO KZ KI KP KR KW KG LA LB MO MY MV MH FM MN MM NR NP NZ NU NF OM PK PW PS PG PH QA WS SA SG SB LK SY TW TJ TH TL TK TO TR TM TV AE UZ VU VN YE AS'.split(
    ' ',
  ),
);
const asiaEntities = new Set([
  'naturalPerson',
  'corporation',
  'cooperative',
  'partnership',
  'government',
  'politicalParty',
  'society',
  'institution',
  'other',
]);
const asiaIdentifications = new Set([
  'passport',
  'certificate',
  'legislation',
  'societyRegistry',
  'politicalPartyRegistry',
  'other',
]);

export interface Extras {
  readonly us: UsNexus | null;
  readonly asia: AsiaCed | null;
}

export function checkUs(us: UsNexus): UsNexus {
  if (!usPurposes.test(us.purpose)) refuse(2306, `${us.purpose} is not a purpose (P1 to P5)`);
  if (!usCategories.test(us.category)) refuse(2306, `${us.category} is not a nexus category`);
  return us;
}

export function checkAsia(asia: AsiaCed): AsiaCed {
  if ('contactId' in asia) return asia;
  if (!asiaCountries.has(asia.country)) refuse(2306, `${asia.country} is outside the Asia-Pacific region`);
  if (!asiaEntities.has(asia.entityType)) refuse(2306, `${asia.entityType} is not an entity type`);
  if (asia.entityType === 'other' && !asia.otherEntityType) refuse(2003, 'otherEntityType is missing');
  if (!asiaIdentifications.has(asia.identificationType)) {
    refuse(2306, `${asia.identificationType} is not an identification type`);
  }
  if (asia.identificationType === 'other' && !asia.otherIdentificationType) {
    refuse(2003, 'otherIdentificationType is missing');
  }
  if (asia.identificationNumber.trim() === '') refuse(2003, 'identificationNumber is missing');
  return asia;
}

/**
 * Required extensions of a command about a domain: none for .us, whose nexus is on the registrant's contact; for .asia the declaring
 * contact.
 */
export function readExtras(
  tld: SandboxTld,
  sent: { readonly us?: UsNexus | undefined; readonly asia?: AsiaCed | undefined },
  contacts: ReadonlyMap<string, LinkedContact>,
  registrant: string | null,
): Extras {
  if (sent.us !== undefined) refuse(2306, "the nexus belongs to the registrant's contact, not to the domain");
  if (sent.asia !== undefined && tld.extra !== 'asia') refuse(2306, `.${tld.tld} has no charter eligibility`);
  if (tld.extra === 'us') {
    const registrantContact = registrant === null ? undefined : contacts.get(registrant);
    if (!registrantContact?.us) refuse(2003, '.us needs a registrant with a nexus: purpose and category');
  }
  if (tld.extra !== 'asia') return { us: null, asia: null };
  const { asia } = sent;
  if (asia === undefined) refuse(2003, '.asia needs the contact that declares eligibility (ced)');
  if (!('contactId' in asia)) refuse(2306, 'the declaration belongs to a contact; the domain names that contact');
  if (!contacts.get(asia.contactId)?.asia) {
    refuse(2306, `contact ${asia.contactId} carries no charter eligibility declaration`);
  }
  return { us: null, asia };
}

/** The contact of an .asia declaration is read with the others. */
export const contactOfAsia = (asia: AsiaCed | undefined): string[] =>
  asia !== undefined && 'contactId' in asia ? [asia.contactId] : [];
