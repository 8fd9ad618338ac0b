import { z } from 'zod';
import { addDs, digestDigits, dsAlgorithms, removeDs } from '../../../../core/domains/change/dnssec.ts';
import { asText, FieldRefusal, field, integer, text } from '../../../field.ts';
import { dsExample, dsView } from '../read/ds-view.ts';
import { changeRoute, type Where } from './change-route.ts';

function oneOf(numbers: readonly number[], about: string) {
  return field({ type: 'integer', enum: [...numbers], description: about }, (value) => {
    const read = asText(value).trim();
    const number = Number(read);
    if (!/^\d{1,3}$/.test(read) || !numbers.includes(number)) {
      throw new FieldRefusal(`must be one of ${numbers.join(', ')}`);
    }
    return number;
  });
}

const fields = {
  keytag: integer({ min: 0, max: 65_535, about: 'Key tag.', example: 12345 }),
  algorithm: oneOf(dsAlgorithms, 'Algorithm of the key.'),
  digesttype: oneOf(Object.keys(digestDigits).map(Number), 'Algorithm of the digest.'),
  digest: text({ max: 200, about: 'The digest, hexadecimal.' }),
};

const orderOf = (where: Where, input: z.output<typeof dsView>) => ({
  ...where,
  record: {
    keytag: input.keytag,
    algorithm: input.algorithm,
    digesttype: input.digesttype,
    digest: input.digest,
  },
});

export const addDsRoute = changeRoute({
  method: 'POST',
  path: '/dnssec',
  summary: 'Add a DS record',
  description: 'Adds one DS record at the registry.',
  fields,
  view: dsView,
  errors: ['already_exists', 'not_available_yet'],
  example: { input: dsExample, output: dsExample },
  order: (house, caller, where, input) => addDs(house, caller, orderOf(where, input)),
});

export const removeDsRoute = changeRoute({
  method: 'DELETE',
  path: '/dnssec/{keytag}/{algorithm}/{digesttype}/{digest}',
  summary: 'Remove a DS record',
  description: 'Removes the DS record that all four values name.',
  fields,
  view: z.object({ deleted: z.literal(true) }),
  example: { input: dsExample, output: { deleted: true } },
  order: (house, caller, where, input) => removeDs(house, caller, orderOf(where, input)),
});
