import { z } from 'zod';
import { claimMove } from '../../../core/domains/move/claim.ts';
import { readMove } from '../../../core/domains/move/read.ts';
import { id, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { preferences } from '../domains/operation-answer.ts';
import { moveExample, moveView, showMove } from './move-view.ts';

export const claimMoveRoute = route({
  method: 'POST',
  path: '/moves',
  area: 'domains',
  style: 'own',
  secret: true,
  summary: 'Take over a domain with its auth code',
  description:
    'Moves a domain of another reseller of this service with the auth code that its registrant got there. No offer is needed. The move is made at once; `done` comes with the new `domain_id`. An unknown domain, a domain without a code and a wrong code have the same answer. Wrong codes are limited per day. Locks apply as with an offer: the answer is 409, and the code stays valid. The giving reseller gets the event `domain.moved_away`, the registrant a mail.',
  input: z.object({
    domain_name: text({ max: 300, about: 'The domain name.', example: 'example-shop.com' }),
    auth_code: text({ max: 255, about: 'The auth code from the current reseller.' }),
    customer_id: id('Your customer that receives the domain.'),
    default_contacts: oneOf(
      ['oldcontact', 'default'],
      'The new contacts: copies of the current ones, or the first contact of the receiving customer.',
    ).optional(),
  }),
  output: moveView,
  errors: ['invalid_argument', 'conflict', 'operation_in_progress', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    first: 'the domain must be with another reseller of this service; enter its auth code in `auth_code`',
    input: {
      domain_name: 'example-shop.com',
      auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c',
      customer_id: '2001',
      default_contacts: 'oldcontact',
    },
    output: { ...moveExample, state: 'done', domain_id: '5002', finished_at: '2026-11-15T10:00:00Z' },
  },
  again: async (ctx, caller, moveId) => showMove(await readMove(ctx, caller, moveId)),
  answer: async (ctx, caller, input) =>
    showMove(
      await claimMove(
        ctx,
        caller,
        {
          domainName: input.domain_name,
          authCode: input.auth_code,
          customerId: input.customer_id,
          contacts: input.default_contacts === 'default' ? 'default' : 'old',
        },
        preferences(caller, ctx).waitMs,
      ),
    ),
});
