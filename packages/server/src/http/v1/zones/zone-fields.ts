import { z } from 'zod';
import { rrsetLimits, zoneLimits } from '../../../core/zones/limits.ts';
import { asText, FieldRefusal, field, flag, integer, oneOf, text } from '../../field.ts';

export { domain_id } from '../domains/buy/order-fields.ts';

const maxNameLength = 1_000;
const maxRecordLength = 262_144;

export const dry_run = flag('Check and show what would change; nothing is stored.');
export const take_over = flag(
  'If a service keeps a record of this call (managed_by), end that service for the host name, and use your records.',
);
export const comment = text({
  max: zoneLimits.commentLength,
  about: 'Comment for the history.',
  example: 'new mail host',
});
export const serial = integer({
  min: 0,
  max: 4_294_967_295,
  about: 'A serial in the history.',
  example: 1_790_000_000,
});

export const ownerField = text({
  max: maxNameLength,
  about: 'Owner: relative (www), full (www.example-shop.com.), or @ for the zone itself.',
  example: 'www',
});
export const typeField = text({ max: 20, about: 'Record type: a mnemonic, or TYPE65280.', example: 'A' });

const recordText = field({ type: 'string', maxLength: maxRecordLength, examples: ['192.0.2.1'] }, (value) => {
  if (typeof value !== 'string') throw new FieldRefusal('Must be a string.');
  if (value.length > maxRecordLength)
    throw new FieldRefusal(`Must have at most ${maxRecordLength} characters.`, 'too_long');
  if (!value.isWellFormed() || value.includes('\0'))
    throw new FieldRefusal('Contains characters that cannot be stored.');
  return value;
});

/** The zone checks its limits, together with everything else that is wrong with the RRsets. */
const ttlField = field(
  {
    type: 'integer',
    minimum: rrsetLimits.minTtlSeconds,
    maximum: rrsetLimits.maxTtlSeconds,
    description: 'Time to live in seconds. Default: unchanged, or 3600.',
    examples: [3_600],
  },
  (value) => {
    const read = asText(value).trim();
    if (!/^\d{1,15}$/.test(read)) throw new FieldRefusal('Must be a whole number of seconds.');
    return Number(read);
  },
);

const rrset = {
  name: ownerField,
  type: typeField,
  ttl: ttlField.optional(),
};

export const rrsetInput = z
  .strictObject({ ...rrset, records: z.array(recordText).min(1).max(zoneLimits.recordsPerCall) })
  .meta({ id: 'RRsetInput', description: 'Records of one name and type.' });

export const rrsetEditInput = z
  .strictObject({
    ...rrset,
    records: z
      .array(recordText)
      .max(zoneLimits.recordsPerCall)
      .optional()
      .describe('In zone file format. An empty list deletes the RRset.'),
    action: oneOf(
      ['replace', 'delete', 'add', 'remove'],
      'replace (default): the RRset becomes these records; delete: deletes the RRset; add, remove: adds or removes only these records.',
    ).optional(),
  })
  .meta({ id: 'RRsetEdit', description: 'A change of the records of one name and type.' });

/** Counts each RRset with its object, four fields, list and records. */
export const bodyValues = 6 * zoneLimits.rrsetsPerCall + zoneLimits.recordsPerCall + 100;

export const rrsetList = <T extends z.ZodType>(one: T) => z.array(one).max(zoneLimits.rrsetsPerCall);
