import { z } from 'zod';
import type { StoredEvent } from '../../../core/events/read.sql.ts';
import { eventId, eventNumber } from '../../../core/events/read.ts';
import { asText, FieldRefusal, field } from '../../field.ts';
import { instantText } from '../../wire.ts';

export const eventView = z
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

export function showEvent({ number, at, ...event }: StoredEvent): z.output<typeof eventView> {
  return { event_id: eventId(number), at: instantText(at), ...event };
}

export const eventExample = {
  event_id: 'evt_0000000000000001',
  at: '2026-11-15T09:00:00Z',
  type: 'domain.registered',
  object_type: 'domain',
  object_id: '5001',
  request_id: 'req_019a86f1c0de7000a0b1c2d3e4f50617',
  payload: { domain_name: 'example-shop.com' },
};

export const noEventId = 'must be the id of an event, such as evt_0000000000000017';

/** Only events after this one. */
export const placeInLog = (description: string) =>
  field(
    { type: 'string', pattern: '^(evt_)?[0-9]{1,16}$', description, examples: ['evt_0000000000000017'] },
    (value) => {
      const number = eventNumber(asText(value).trim());
      if (number === undefined) throw new FieldRefusal(noEventId);
      return number;
    },
  );
