import type { z } from 'zod';
import type { GivenRegistration } from '../../../../core/domains/buy/registration-data.ts';
import { text } from '../../../field.ts';

/** Additional fields that some TLDs require: `registration` of GET /v1/tlds/{name}. */
export const registrationFields = {
  allocation_token: text({ max: 255, about: 'Allocation token, if the TLD accepts one (RFC 8495).' }).optional(),
  idn_table: text({
    max: 60,
    about: 'IDN table of an internationalised domain name, if the TLD has several.',
  }).optional(),
  claims_notice_id: text({
    max: 255,
    about: 'Id of the trademark notice that the registrant accepted, in a claims phase (RFC 8334).',
  }).optional(),
  claims_not_after: text({ max: 40, about: 'Until when that notice is valid.' }).optional(),
  claims_accepted_at: text({ max: 40, about: 'When the registrant accepted it.' }).optional(),
  claims_validator: text({ max: 255, about: 'Trademark validator, if it is not the default one.' }).optional(),
  signed_mark: text({
    max: 200_000,
    about: 'The signed mark data (SMD) of the registrant, in a sunrise phase: the file, or its base64.',
  }).optional(),
} satisfies z.ZodRawShape;

type Sent = { readonly [Name in keyof typeof registrationFields]?: string | undefined };

export const registrationOf = (sent: Sent): GivenRegistration => ({
  allocationToken: sent.allocation_token,
  idnTable: sent.idn_table,
  claimsNoticeId: sent.claims_notice_id,
  claimsNotAfter: sent.claims_not_after,
  claimsAcceptedAt: sent.claims_accepted_at,
  claimsValidator: sent.claims_validator,
  signedMark: sent.signed_mark,
});
