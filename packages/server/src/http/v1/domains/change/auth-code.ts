import { z } from 'zod';
import { madeCode, readingScopes, requestAuthCode, setAuthCode } from '../../../../core/domains/change/auth-code.ts';
import { text } from '../../../field.ts';
import { Answer, route } from '../../../route.ts';
import { operationErrors } from '../buy/order-errors.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { acceptedView, orderView, runAndAnswer } from '../operation-answer.ts';
import { changeRoute } from './change-route.ts';

export const readAuthCode = route({
  method: 'GET',
  path: '/domains/{domain_id}/auth_code',
  customer: 'manage',
  sudo: true,
  area: 'domains',
  // Whoever holds the code can take the name away: to look is not enough.
  scope: readingScopes,
  style: 'contract',
  accepted: acceptedView,
  secret: true,
  cost: 5,
  summary: 'Read the transfer code',
  description:
    'A domain has no code until somebody asks for one: it is made then, set at the registry, valid for 14 days and taken away afterwards. The answer is a bare text. Where the registry does not answer in time, or the account wants a second yes, it is 202: ask again. With a second yes the code is shown once, within an hour. The text is empty while the registration or transfer of the domain is not finished.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.string(),
  errors: operationErrors,
  example: { input: { domain_id: '5001' }, output: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' },
  async answer(ctx, caller, input) {
    const result = await requestAuthCode(ctx, caller, input.domain_id, input.customer_id);
    if ('code' in result) return result.code;
    const answer = await runAndAnswer(ctx, caller, result.operationId, (operation) => operation);
    if (answer.status !== 200) return answer;
    return new Answer(await madeCode(ctx, caller, answer.body as never));
  },
});

export const setAuthCodeRoute = changeRoute({
  method: 'PUT',
  path: '/auth_code',
  customer: 'manage',
  sudo: true,
  secret: true,
  summary: 'Set the transfer code',
  description:
    'Sets a code of your own at the registry, valid for 14 days. Codes that are easy to guess are refused. For a transfer in whose code the registry refused it is the code of the present registrar: the order goes on with it, as with PUT .../transfer/auth_code.',
  fields: {
    auth_code: text({ max: 255, about: 'The code: printable ASCII without spaces, as long as the TLD asks for.' }),
  },
  view: z.union([z.object({ domain_id: z.string(), auth_code: z.string().nullable() }), orderView]),
  errors: ['domain_not_available'],
  example: {
    input: { auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' },
    output: { domain_id: '5001', auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' },
  },
  order: (ctx, caller, where, input) => setAuthCode(ctx, caller, where.domain, where.customerId, input.auth_code),
});
