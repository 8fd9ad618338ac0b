/** Core's words for what a caller sends, where the contract spells them otherwise; all others are the same in both. */
const contractWords = new Map<string, string>(
  Object.entries({
    nameservers: 'ns',
    registrant: 'registrant_contact_id',
    admin: 'admin_contact_id',
    tech: 'tech_contact_id',
    billing: 'billing_contact_id',
    customer: 'customer_id',
    reseller: 'reseller_id',
    quote: 'quote_id',
    whitelist: 'ip_whitelist',
    eligibility: 'eligibility_criteria',
    host: 'hostname',
    host_address: 'ip_address',
    digest_type: 'digesttype',
  }),
);

export const contractWord = (field: string): string => contractWords.get(field) ?? field;

/** A sentence that begins with its field, as those of bad fields do. */
export function inContractWords(sentence: string, field: string | undefined): string {
  const isLed = field !== undefined && sentence.startsWith(`${field}: `);
  return isLed ? `${contractWord(field)}${sentence.slice(field.length)}` : sentence;
}
