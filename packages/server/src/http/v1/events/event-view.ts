import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { eventIdFor } from '../../../core/events/customer-ids.ts';
import type { StoredEvent } from '../../../core/events/read.sql.ts';
import { eventNumber } from '../../../core/events/read.ts';
import { asText, FieldRefusal, field } from '../../field.ts';
import type { Caller } from '../../route.ts';
import { instantText } from '../../wire.ts';

export const eventView = z
  .object({
    event_id: z.string(),
    at: z.string(),
    type: z.string(),
    object_type: z.string(),
    object_id: z.string(),
    request_id: z.string().nullable().describe('The request that caused it. Null: the registry or a scheduled job.'),
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event', description: 'An event: what happened, when, and to which object.' });

/**
 * The fields of a payload that a customer can read: its own domain, dates and records. Money, purchases, principals, other parties and
 * registry texts are not included.
 */
const shownToCustomers: ReadonlySet<string> = new Set([
  ...[
    'domain_id',
    'domain_name',
    'operation_id',
    'expires_at',
    'expired_at',
    'renew_by',
    'redemption_ends_at',
    'verify_by',
  ],
  ...['days', 'years', 'automatic', 'renewal_mode', 'changed', 'next_try_at', 'requested_at', 'action_at', 'until'],
  ...[
    'serial',
    'previous_serial',
    'kind',
    'added',
    'deleted',
    'version',
    'hosts',
    'rules',
    'names',
    'not_after',
    'addresses',
  ],
  ...['cause', 'is_blocked'],
]);

/** The event as the caller may read it. */
export function showEvent(
  ctx: Pick<AppContext, 'vault'>,
  caller: Pick<Caller, 'resellerId' | 'customerId'>,
  { number, at, ...event }: StoredEvent,
): z.output<typeof eventView> {
  const shown = { event_id: eventIdFor(ctx, caller, number), at: instantText(at), ...event };
  if (caller.customerId === undefined) return shown;
  const visible = Object.entries(event.payload).filter(([name]) => shownToCustomers.has(name));
  return { ...shown, request_id: null, payload: Object.fromEntries(visible) };
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
