import { criteria } from '../../../core/contacts/eligibility.ts';
import { FieldRefusal, field, id, text } from '../../field.ts';

export const customer_id = id('Id of the customer.');
export const contact_id = id('Id of the contact.');

export const eligibility_criteria = text({
  max: 63,
  about: `TLD for which the contact must qualify: ${criteria.join(', ')}, or another offered TLD.`,
  example: 'us',
});

const extraLimits = { length: 4_000, fields: 50 };

/** The contract sends a URL-encoded form inside one field. JSON text and a JSON object are accepted too. */
export const extra = field<Record<string, string>>(
  {
    type: ['object', 'string'],
    maxLength: extraLimits.length,
    maxProperties: extraLimits.fields,
    additionalProperties: { type: ['string', 'number'] },
    description:
      'Additional data that a registry requires: an object in JSON, elsewhere URL-encoded key=value pairs. GET /v1/tlds/{name} publishes the schema.',
    examples: ['us_purpose=P1&us_category=C11'],
  },
  (value) => {
    const pairs = typeof value === 'string' ? pairsOf(value) : value;
    if (typeof pairs !== 'object' || pairs === null || Array.isArray(pairs)) {
      throw new FieldRefusal('Must be key=value pairs or a JSON object.');
    }
    const entries = Object.entries(pairs as Record<string, unknown>);
    if (entries.length > extraLimits.fields)
      throw new FieldRefusal(`Must have at most ${extraLimits.fields} fields.`, 'too_many');
    return Object.fromEntries(
      entries.map(([name, part]) => {
        if (typeof part !== 'string' && typeof part !== 'number')
          throw new FieldRefusal(`${name.slice(0, 60)} must be text.`);
        return [name, String(part)];
      }),
    );
  },
);

function pairsOf(text: string): unknown {
  if (text.length > extraLimits.length)
    throw new FieldRefusal(`Must have at most ${extraLimits.length} characters.`, 'too_long');
  if (!text.trimStart().startsWith('{')) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw new FieldRefusal('Must be valid JSON.');
  }
}
