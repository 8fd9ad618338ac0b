import { z } from 'zod';
import type { StoredEvent } from '../../../core/events/read.sql.ts';
import { eventId, eventNumber, readEvents } from '../../../core/events/read.ts';
import { asText, FieldRefusal, field, integer } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { eventType } from './type-field.ts';

const eventLimits = { pageSizeDefault: 100, pageSizeMax: 1_000 };

const eventView = z
  .object({
    event_id: z.string(),
    at: z.string(),
    type: z.string(),
    object_type: z.string(),
    object_id: z.string(),
    request_id: z.string().nullable().describe('The request that caused it; null: the registry or the clock did.'),
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event', description: 'What happened, when, and to what.' });

function showEvent({ number, at, ...event }: StoredEvent): z.output<typeof eventView> {
  return { event_id: eventId(number), at: instantText(at), ...event };
}

const after = field(
  {
    type: 'string',
    pattern: '^(evt_)?[0-9]{1,16}$',
    description: 'Only events after this one; without it the log is read from its beginning.',
    examples: ['evt_0000000000000017'],
  },
  (value) => {
    const number = eventNumber(asText(value).trim());
    if (number === undefined) throw new FieldRefusal('must be the id of an event, such as evt_0000000000000017');
    return number;
  },
);

export const listEvents = route({
  method: 'GET',
  path: '/events',
  area: 'account',
  style: 'own',
  summary: 'Read the log of events',
  description:
    'Everything that happened in the account, in the order in which it became true. Read on with `after=next_after`: none is missed, none comes twice, and the log can be read again from any place.',
  input: z.object({
    after: after.optional(),
    limit: integer({ min: 1, max: eventLimits.pageSizeMax, about: 'How many at most.', example: 100 }).optional(),
    type: eventType.optional(),
  }),
  output: z.object({ events: z.array(eventView), has_more: z.boolean(), next_after: z.string() }),
  errors: ['invalid_argument'],
  example: {
    input: { after: 'evt_0000000000000000', limit: 100 },
    output: {
      events: [
        {
          event_id: 'evt_0000000000000001',
          at: '2026-11-15T09:00:00Z',
          type: 'domain.registered',
          object_type: 'domain',
          object_id: '5001',
          request_id: 'req_019a86f1c0de7000a0b1c2d3e4f50617',
          payload: { domain_name: 'example-shop.com' },
        },
      ],
      has_more: false,
      next_after: 'evt_0000000000000001',
    },
  },
  async answer(house, caller, input) {
    const { events, hasMore, nextAfter } = await readEvents(house, caller, {
      after: input.after ?? 0n,
      limit: input.limit ?? eventLimits.pageSizeDefault,
      type: input.type,
    });
    return { events: events.map(showEvent), has_more: hasMore, next_after: eventId(nextAfter) };
  },
});
