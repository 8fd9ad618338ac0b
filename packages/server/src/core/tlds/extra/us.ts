/** .us nexus: what the name is for and what ties its holder to the United States. */
export const usExtra = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: '.us nexus',
  type: 'object',
  properties: {
    us_purpose: {
      type: 'string',
      enum: ['P1', 'P2', 'P3', 'P4', 'P5'],
      description: 'P1 business for profit, P2 non-profit, P3 personal, P4 education, P5 government',
    },
    us_category: {
      type: 'string',
      pattern: '^(C11|C12|C21|C3[12](/[A-Z]{2})?)$',
      description:
        'C11 citizen, C12 permanent resident, C21 US organisation, C31 regular business in the US, C32 office in the US; C31 and C32 with the country, as C31/ID',
    },
    us_contact_id: {
      type: 'string',
      pattern: '^[0-9]{1,18}$',
      description: 'Contact that carries the nexus, where it is another.',
    },
  },
  required: ['us_purpose', 'us_category'],
  additionalProperties: false,
} as const;
