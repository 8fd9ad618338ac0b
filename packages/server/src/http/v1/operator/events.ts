import { z } from 'zod';
import { eventId } from '../../../core/events/read.ts';
import { readAllEvents } from '../../../core/operator/overview.ts';
import { id, text } from '../../field.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { withCoreNames } from '../common/field-names.ts';
import { eventType } from '../events/type-field.ts';

const anyEventView = z
  .object({
    reseller_id: z.string(),
    event_id: z.string(),
    at: z.string(),
    type: z.string(),
    object_type: z.string(),
    object_id: z.string(),
    request_id: z.string().nullable(),
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'EventOfReseller', description: 'An event of any reseller, for the operator.' });

export const listAllEventsRoute = route({
  method: 'GET',
  path: '/operator/events',
  area: 'account',
  style: 'own',
  isList: true,
  summary: 'List the events of all resellers',
  description: 'Newest first. Only for the operator. Each reseller has its own sequence of event ids.',
  input: z.object({
    ...paging,
    reseller_id: id('Only this reseller.').optional(),
    type: eventType.optional(),
    object_id: text({ max: 100, about: 'Only this object.' }).optional(),
  }),
  output: z.array(anyEventView),
  errors: ['invalid_argument', 'operator_only'],
  example: {
    input: { limit: 10 },
    output: [
      {
        reseller_id: '1000',
        event_id: 'evt_0000000000000001',
        at: '2026-11-15T09:00:00Z',
        type: 'domain.registered',
        object_type: 'domain',
        object_id: '5001',
        request_id: 'req_019a86f1c0de7000a0b1c2d3e4f50617',
        payload: { domain_name: 'example-shop.com' },
      },
    ],
  },
  async answer(ctx, caller, input) {
    const { rows, ...listed } = await readAllEvents(ctx, caller, withCoreNames(input), pageOf(input));
    const shown = rows.map(({ number, at, ...event }) => ({
      ...event,
      event_id: eventId(number),
      at: instantText(at),
    }));
    return listAnswer(shown, listed);
  },
});
