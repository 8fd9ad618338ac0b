import { z } from 'zod';
import { eventIdFor, eventNumberOf } from '../../../core/events/customer-ids.ts';
import { eventId, readEvents } from '../../../core/events/read.ts';
import { integer } from '../../field.ts';
import { route } from '../../route.ts';
import { eventExample, eventView, placeInLog, showEvent } from './event-view.ts';
import { eventType } from './type-field.ts';

const eventLimits = { pageSizeDefault: 100, pageSizeMax: 1_000 };

export const listEvents = route({
  method: 'GET',
  path: '/events',
  isLog: true,
  customer: 'read',
  area: 'account',
  style: 'own',
  summary: 'Read the event log',
  description:
    'All events of the account, in the order of their commits. Continue with `after=next_after`. No event is skipped or repeated, and the log can be read again from any position.',
  input: z.object({
    after: placeInLog('Only events after this one. Without it, the log is read from its beginning.').optional(),
    limit: integer({
      min: 1,
      max: eventLimits.pageSizeMax,
      about: 'Maximum number of events.',
      example: 100,
    }).optional(),
    type: eventType.optional(),
  }),
  output: z.object({ events: z.array(eventView), has_more: z.boolean(), next_after: z.string() }),
  errors: ['invalid_argument'],
  example: {
    input: { after: 'evt_0000000000000000', limit: 100 },
    output: {
      events: [eventExample],
      has_more: false,
      next_after: 'evt_0000000000000001',
    },
  },
  async answer(ctx, caller, input) {
    const { events, hasMore, nextAfter } = await readEvents(ctx, caller, {
      after: eventNumberOf(ctx, caller, input.after ?? 0n),
      limit: input.limit ?? eventLimits.pageSizeDefault,
      type: input.type,
    });
    return {
      events: events.map((event) => showEvent(ctx, caller, event)),
      has_more: hasMore,
      next_after: nextAfter === 0n ? eventId(0n) : eventIdFor(ctx, caller, nextAfter),
    };
  },
});
