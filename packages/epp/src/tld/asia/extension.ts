import { attribute, children, token } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import type { TldExtension } from '../extension.ts';
import { type FieldMapping, parentAt, readMapped, writeMapped } from '../mapping.ts';

/** Countries of the charter community: the Asia, Australia and Pacific region as ICANN defines it. */
const community =
  'AE AF AM AQ AU AZ BD BH BN BT CC CK CN CX CY FJ FM GE HK HM ID IL IN IQ IR JO JP KG KH KI KP KR KW KZ LA LB LK MH MM MN MO MV MY NF NP NR NU NZ OM PG PH PK PS PW QA SA SB SG SY TH TJ TK TL TM TO TR TV TW UZ VN VU WS YE';

const elements = { create: 'create', update: 'update/chg', info: 'infData' } as const;

const declaration: FieldMapping = [
  { field: 'asia_country', path: 'cedData/ccLocality' },
  { field: 'asia_entity_type', path: 'cedData/legalEntityType' },
  { field: 'asia_identification_type', path: 'cedData/identForm' },
  { field: 'asia_identification_number', path: 'cedData/identNumber' },
  { field: 'asia_other_entity_type', path: 'cedData/otherLEType' },
  { field: 'asia_other_identification_type', path: 'cedData/otherIdentForm' },
];

/** asia-1.0: a contact carries the eligibility declaration, and a domain names that contact. */
export const asia = {
  name: 'asia',
  part: 'asiaCed',
  uri: 'urn:afilias:params:xml:ns:asia-1.0',
  prefix: 'asia',
  documentation: 'the charter eligibility declaration: identifies a legal entity or a person in the region',
  schema: {
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
        description: 'Legal form of the declaring contact.',
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
        description: 'Document that proves the legal form.',
      },
      asia_other_identification_type: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'With asia_identification_type other.',
      },
      asia_identification_number: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Number of that document.',
      },
      asia_contact_id: {
        type: 'string',
        pattern: '^[0-9]{1,18}$',
        description: 'Contact that makes the declaration, where it is another.',
      },
    },
    required: ['asia_country', 'asia_entity_type', 'asia_identification_type', 'asia_identification_number'],
    allOf: [
      {
        // Without required, the condition is also true for a missing field.
        if: { properties: { asia_entity_type: { const: 'other' } }, required: ['asia_entity_type'] },
        // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
        then: { required: ['asia_other_entity_type'] },
      },
      {
        // Without required, the condition is also true for a missing field.
        if: { properties: { asia_identification_type: { const: 'other' } }, required: ['asia_identification_type'] },
        // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
        then: { required: ['asia_other_identification_type'] },
      },
    ],
    additionalProperties: false,
  },
  carrier: 'contact',
  isReferencedByDomain: true,
  elements,
  write(ns, verb, fields) {
    const handle = fields.asia_contact_id;
    if (handle === undefined) return writeMapped(ns, elements[verb], declaration, fields);
    const contact = element(ns, 'contact', { type: 'ced' }, handle);
    const [name, wrapper] = elements[verb].split('/') as [string, string?];
    return element(ns, name, undefined, wrapper === undefined ? contact : element(ns, wrapper, undefined, contact));
  },
  /** Domains also list other contacts and a maintenance address here. */
  read(el, verb) {
    const parent = parentAt(el, elements[verb]);
    const contacts = parent === undefined ? [] : children(parent, el.ns, 'contact');
    const contact = contacts.find((each) => attribute(each, 'type') === 'ced');
    return contact === undefined ? readMapped(el, elements[verb], declaration) : { asia_contact_id: token(contact) };
  },
  example: {
    asia_country: 'ID',
    asia_entity_type: 'naturalPerson',
    asia_identification_type: 'passport',
    asia_identification_number: 'A1234567',
  },
} as const satisfies TldExtension;
