import { z } from 'zod';
import { eventIdFor, eventNumberOf } from '../../../core/events/customer-ids.ts';
import { eventNumber } from '../../../core/events/read.ts';
import { badParameter } from '../../errors.ts';
import { type Caller, route } from '../../route.ts';
import { EventFeed } from '../../streams/event-feed.ts';
import { eventExample, noEventId, placeInLog, showEvent } from './event-view.ts';
import { eventType } from './type-field.ts';

/** A reconnecting browser repeats the original URL and sends its position in the header, so the header is newer. */
function placeOf(caller: Caller, after: bigint | undefined): { readonly field: string; readonly number?: bigint } {
  const header = caller.header('last-event-id')?.trim();
  if (!header) return { field: 'after', ...(after === undefined ? {} : { number: after }) };
  const number = eventNumber(header);
  if (number === undefined) throw badParameter('Last-Event-ID', noEventId);
  return { field: 'Last-Event-ID', number };
}

export const streamEvents = route({
  method: 'GET',
  path: '/events/stream',
  customer: 'read',
  area: 'account',
  style: 'own',
  summary: 'Follow the event log',
  description:
    'Server-sent events, each as soon as it is committed: `id` is its id, `data` an Event. Without `after` only new events are sent. After an interruption, send `Last-Event-ID` (browsers do) to get the missed events. An account can have 10 streams.',
  input: z.object({ after: placeInLog('Only events after this one.').optional(), type: eventType.optional() }),
  output: z.string(),
  answerType: 'text/event-stream',
  errors: ['invalid_argument', 'rate_limited', 'unavailable'],
  example: {
    input: { after: 'evt_0000000000000000' },
    output: `retry: 2000\nid: ${eventExample.event_id}\ndata: ${JSON.stringify(eventExample)}\n\n`,
  },
  async answer(ctx, caller, input) {
    const { field, number: given } = placeOf(caller, input.after);
    const number = given === undefined ? undefined : eventNumberOf(ctx, caller, given);
    const idOf = (of: string | bigint) => eventIdFor(ctx, caller, of);
    return new EventFeed({
      after(newest) {
        if (number === undefined) return newest;
        if (number <= newest) return number;
        throw badParameter(field, `This position is after the end of the log, ${idOf(newest)}. Continue from there.`);
      },
      type: input.type,
      idOf,
      show: (event) => JSON.stringify(showEvent(ctx, caller, event)),
    });
  },
});
