import { events } from '../../../core/events/catalogue.ts';
import { asText, FieldRefusal, field } from '../../field.ts';

const types = Object.keys(events);

/** One that the catalogue does not have would match nothing for ever: a slip of the pen, told at once. */
export const eventType = field(
  {
    type: 'string',
    maxLength: 60,
    description: 'Only this type of the catalogue, such as domain.registered; domain.* is every type that begins so.',
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
