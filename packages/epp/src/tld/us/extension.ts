import { optionalToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import type { TldExtension } from '../extension.ts';

/** neulevel-1.0: one text of names and values. Other TLDs of the registry use it differently. */
export const us = {
  name: 'us',
  part: 'usNexus',
  uri: 'urn:ietf:params:xml:ns:neulevel-1.0',
  prefix: 'neulevel',
  documentation: 'the purpose of the domain, and how the registrant is tied to the United States',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: '.us nexus',
    type: 'object',
    properties: {
      us_purpose: {
        type: 'string',
        enum: ['P1', 'P2', 'P3', 'P4', 'P5'],
        description:
          'P1 business for profit, P2 non-profit, P3 personal, P4 education, P5 government; also in words: business, non_profit, personal, education, government',
      },
      us_category: {
        type: 'string',
        pattern: '^(C11|C12|C21|C3[12](/[A-Z]{2})?)$',
        description:
          'C11 citizen, C12 permanent resident, C21 US organisation, C31 regular business in the US, C32 office in the US; C31 and C32 with the country, as C31/ID; also in words: citizen, permanent_resident, us_organization, foreign_organization, has_us_office',
      },
      us_contact_id: {
        type: 'string',
        pattern: '^[0-9]{1,18}$',
        description: 'Contact that carries the nexus, where it is another.',
      },
    },
    required: ['us_purpose', 'us_category'],
    additionalProperties: false,
  },
  valueCodes: {
    // `goverment` is the spelling of panels.
    us_purpose: {
      business: 'P1',
      non_profit: 'P2',
      personal: 'P3',
      education: 'P4',
      goverment: 'P5',
      government: 'P5',
    },
    us_category: {
      citizen: 'C11',
      permanent_resident: 'C12',
      us_organization: 'C21',
      foreign_organization: 'C31',
      has_us_office: 'C32',
    },
  },
  carrier: 'contact',
  elements: { create: 'extension', update: 'extension', info: 'extension' },
  write: (ns, _verb, { us_purpose, us_category }) =>
    element(
      ns,
      'extension',
      undefined,
      element(ns, 'unspec', undefined, `AppPurpose=${us_purpose} NexusCategory=${us_category}`),
    ),
  read(el) {
    const text = optionalToken(el, el.ns, 'unspec') ?? '';
    const value = (name: string) => new RegExp(`(?:^| )${name}=(\\S+)`, 'i').exec(text)?.[1];
    const [us_purpose, us_category] = [value('AppPurpose'), value('NexusCategory')];
    return us_purpose === undefined || us_category === undefined ? undefined : { us_purpose, us_category };
  },
  example: { us_purpose: 'P1', us_category: 'C11' },
} as const satisfies TldExtension;
