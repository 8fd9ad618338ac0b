import { z } from 'zod';
import { type Move, moveStates } from '../../../core/domains/move/move.ts';
import { text } from '../../field.ts';
import { instantOrNull, instantText } from '../../wire.ts';

export const move_id = text({ max: 60, about: 'Id of the move, which is the id of its operation.' });

/** One move, as seen by either party. */
export const moveView = z
  .object({
    move_id: z.string(),
    direction: z.enum(['in', 'out']).describe('in: offered to you. out: offered by you.'),
    state: z
      .enum(moveStates)
      .describe(
        'asked: needs the approval of another key of the giving reseller. offered: waits for the receiving reseller. declined: declined or withdrawn.',
      ),
    domain_name: z.string(),
    domain_id: z
      .string()
      .nullable()
      .describe('Your own id of the domain. For the receiving reseller: present when the move is done.'),
    from_reseller_id: z.string(),
    to_reseller_id: z.string(),
    to_customer_id: z.string(),
    default_contacts: z
      .enum(['oldcontact', 'default'])
      .describe('oldcontact: copies of the current contacts. default: the first contact of the receiving customer.'),
    reason: z.string().nullable().describe('Why it was declined.'),
    expires_at: z.string().nullable().describe('End of the paid term, which is kept.'),
    until: z.string().describe('Without an answer by then, the offer expires.'),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'Move', description: 'A domain that moves from one reseller of this service to another.' });

export function showMove(move: Move): z.output<typeof moveView> {
  return {
    move_id: move.id,
    direction: move.direction,
    state: move.state,
    domain_name: move.domainName,
    domain_id: move.domainId,
    from_reseller_id: move.fromResellerId,
    to_reseller_id: move.toResellerId,
    to_customer_id: move.toCustomerId,
    default_contacts: move.contacts === 'old' ? 'oldcontact' : 'default',
    reason: move.reason,
    expires_at: instantOrNull(move.endDate),
    until: instantText(move.until),
    created_at: instantText(move.createdAt),
    finished_at: instantOrNull(move.finishedAt),
  };
}

export const moveExample: z.output<typeof moveView> = {
  move_id: 'op_06gxsvmka9v7qbwbdq2svf8e6g',
  direction: 'in',
  state: 'offered',
  domain_name: 'example-shop.com',
  domain_id: null,
  from_reseller_id: '1000',
  to_reseller_id: '1001',
  to_customer_id: '2002',
  default_contacts: 'oldcontact',
  reason: null,
  expires_at: '2027-11-15T09:00:00Z',
  until: '2026-11-18T09:00:00Z',
  created_at: '2026-11-15T09:00:00Z',
  finished_at: null,
};
