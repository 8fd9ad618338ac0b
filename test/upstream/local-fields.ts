/** A catalogue entry of a TLD with one additional field, which is kept with the domain. */
export const localFields = (tld: string, rules: object = {}) => ({
  name: tld,
  registry: 'up',
  rules: {
    extra_schema: {
      name: 'local',
      carrier: 'domain',
      namespace: 'urn:example:local-1.0',
      elements: { create: 'local' },
      mapping: [{ field: 'local_number', path: 'number' }],
      schema: { type: 'object', properties: { local_number: { type: 'string' } } },
    },
    ...rules,
  },
});
