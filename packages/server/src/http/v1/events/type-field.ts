import { events } from '../../../core/events/catalogue.ts';
import { asText, FieldRefusal, field } from '../../field.ts';

const types = Object.keys(events);

/** A type that is not in the catalogue could never match, so it is refused. */
export const eventType = field(
  {
    type: 'string',
    maxLength: 60,
    description:
      'Only this type of the catalogue, such as domain.registered. domain.* matches every type that begins with domain.',
    examples: ['domain.*'],
  },
  (value) => {
    const read = asText(value).trim();
    const isKnown = read.endsWith('*')
      ? types.some((type) => type.startsWith(read.slice(0, -1)))
      : types.includes(read);
    if (!isKnown) throw new FieldRefusal(`Must be one of ${types.join(', ')}, or a prefix of one followed by *.`);
    return read;
  },
);
