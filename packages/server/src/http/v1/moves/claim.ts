import { z } from 'zod';
import { claimMove } from '../../../core/domains/move/claim.ts';
import { readMove } from '../../../core/domains/move/read.ts';
import { id, text, word } from '../../field.ts';
import { route } from '../../route.ts';
import { preferences } from '../domains/operation-answer.ts';
import { moveExample, moveView, showMove } from './move-view.ts';

export const claimMoveRoute = route({
  method: 'POST',
  path: '/moves',
  area: 'domains',
  style: 'own',
  secret: true,
  summary: 'Take over a name with its code',
  description:
    'A name of another reseller of the house, with the transfer code that its holder got there, needs no offer. It is carried out at once; `done` comes with the new `domain_id`. An unknown name, a name without a code and a wrong code have one answer, and some wrong codes a day are the most. Locks count as with an offer: the answer is 409, and the code stays good. The giver hears of it by `domain.moved_away`, the holder by mail.',
  input: z.object({
    domain_name: text({ max: 300, about: 'The name.', example: 'example-shop.com' }),
    auth_code: text({ max: 255, about: 'The transfer code that the present reseller gave out.' }),
    customer_id: id('Your customer who gets it.'),
    default_contacts: word(
      ['oldcontact', 'default'],
      'Which contacts it has then: copies of its own, or the first contact of the customer who gets it.',
    ).optional(),
  }),
  output: moveView,
  errors: ['invalid_argument', 'conflict', 'operation_in_progress', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    first: 'the name must be with another reseller of the house; put the code that its holder got there in `auth_code`',
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
