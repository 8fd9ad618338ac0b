/** Countries of the charter community: the Asia, Australia and Pacific region as ICANN defines it. */
const community =
  'AE AF AM AQ AU AZ BD BH BN BT CC CK CN CX CY FJ FM GE HK HM ID IL IN IQ IR JO JP KG KH KI KP KR KW KZ LA LB LK MH MM MN MO MV MY NF NP NR NU NZ OM PG PH PK PS PW QA SA SB SG SY TH TJ TK TL TM TO TR TV TW UZ VN VU WS YE';

/** .asia charter eligibility declaration: identifies a legal entity or individual in the region. */
export const asiaExtra = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: '.asia charter eligibility declaration',
  type: 'object',
  properties: {
    asia_country: {
      type: 'string',
      enum: community.split(' '),
      description: 'Country of the declaring contact, in the region.',
    },
    asia_entity_type: {
      type: 'string',
      enum: [
        'naturalPerson',
        'corporation',
        'cooperative',
        'partnership',
        'government',
        'politicalParty',
        'society',
        'institution',
        'other',
      ],
    },
    asia_other_entity_type: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'With asia_entity_type other.',
    },
    asia_identification_type: {
      type: 'string',
      enum: ['passport', 'certificate', 'legislation', 'societyRegistry', 'politicalPartyRegistry', 'other'],
    },
    asia_other_identification_type: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'With asia_identification_type other.',
    },
    asia_identification_number: { type: 'string', minLength: 1, maxLength: 255 },
    asia_contact_id: {
      type: 'string',
      pattern: '^[0-9]{1,18}$',
      description: 'Contact that makes the declaration, where it is another.',
    },
  },
  required: ['asia_country', 'asia_entity_type', 'asia_identification_type', 'asia_identification_number'],
  allOf: [
    {
      if: { properties: { asia_entity_type: { const: 'other' } } },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
      then: { required: ['asia_other_entity_type'] },
    },
    {
      if: { properties: { asia_identification_type: { const: 'other' } } },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
      then: { required: ['asia_other_identification_type'] },
    },
  ],
  additionalProperties: false,
} as const;
