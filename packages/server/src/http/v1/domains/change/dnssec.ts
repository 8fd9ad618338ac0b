import { z } from 'zod';
import { addDs, digestDigits, dsAlgorithms, removeDs } from '../../../../core/domains/change/dnssec.ts';
import { asText, FieldRefusal, field, integer, text } from '../../../field.ts';
import { dsExample, dsView } from '../read/ds-view.ts';
import { changeRoute } from './change-route.ts';

function oneOf(numbers: readonly number[], about: string) {
  return field({ type: 'integer', enum: [...numbers], description: about }, (value) => {
    const read = asText(value).trim();
    const number = Number(read);
    if (!/^\d{1,3}$/.test(read) || !numbers.includes(number)) {
      throw new FieldRefusal(`Must be one of ${numbers.join(', ')}.`);
    }
    return number;
  });
}

const fields = {
  keytag: integer({ min: 0, max: 65_535, about: 'Key tag.', example: 12345 }),
  algorithm: oneOf(dsAlgorithms, 'Key algorithm.'),
  digesttype: oneOf(Object.keys(digestDigits).map(Number), 'Digest algorithm.'),
  digest: text({ max: 200, about: 'The digest, hexadecimal.' }),
};

/** The TLD decides between the two forms: `dnssec.records` of GET /v1/tlds/{name}. */
const eitherForm = {
  keytag: fields.keytag.optional(),
  algorithm: fields.algorithm,
  digesttype: fields.digesttype.optional(),
  digest: fields.digest.optional(),
  flags: oneOf([256, 257], 'Flags of the key, if the TLD takes keys: 257 or 256.').optional(),
  protocol: oneOf([3], 'Protocol of the key, if the TLD takes keys: 3.').optional(),
  pubkey: text({ max: 1_000, about: 'Public key in base64, if the TLD takes keys.' }).optional(),
};

export const addDsRoute = changeRoute({
  method: 'POST',
  path: '/dnssec',
  customer: 'manage',
  summary: 'Add a DS record',
  description:
    'Adds one DS record at the registry: keytag, algorithm, digesttype, digest. If `dnssec.records` of GET /v1/tlds/{name} is `key`, the TLD takes keys: send flags, protocol, algorithm and pubkey. The response then has the record that the registry derived from the key.',
  fields: eitherForm,
  view: dsView,
  errors: ['already_exists'],
  example: { input: dsExample, output: dsExample },
  order(ctx, caller, where, input) {
    const { keytag, algorithm, digesttype, digest, flags, protocol, pubkey } = input;
    const record = { keytag, algorithm, digesttype, digest, flags, protocol, pubkey };
    return addDs(ctx, caller, { ...where, record });
  },
});

export const removeDsRoute = changeRoute({
  method: 'DELETE',
  path: '/dnssec/{keytag}/{algorithm}/{digesttype}/{digest}',
  customer: 'manage',
  summary: 'Remove a DS record',
  description: 'Removes the DS record that all four values identify.',
  fields,
  view: z.object({ deleted: z.literal(true) }),
  example: { input: dsExample, output: { deleted: true } },
  order(ctx, caller, where, { keytag, algorithm, digesttype, digest }) {
    return removeDs(ctx, caller, { ...where, record: { keytag, algorithm, digesttype, digest } });
  },
});
