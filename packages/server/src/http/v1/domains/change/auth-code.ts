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
  // The code is enough to transfer the domain away, so the scope for reading is not enough.
  scope: readingScopes,
  style: 'contract',
  accepted: acceptedView,
  secret: true,
  cost: 5,
  summary: 'Read the auth code',
  description:
    'An auth code is created when it is first read. It is set at the registry, valid for 14 days, and then removed. The response is a bare text. It is 202 if the registry does not answer in time or the account requires approval: repeat the request. After an approval, the code is shown once, within an hour. The text is empty while the registration or transfer is not finished.',
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
  summary: 'Set the auth code',
  description:
    'Sets your own code at the registry, valid for 14 days. Codes that are easy to guess are refused. If the registry refused the code of a transfer in, this is the code of the current registrar. The transfer then continues with it, as with PUT .../transfer/auth_code.',
  fields: {
    auth_code: text({
      max: 255,
      about: 'The code: printable ASCII without spaces, with the length that the TLD requires.',
    }),
  },
  view: z.union([z.object({ domain_id: z.string(), auth_code: z.string().nullable() }), orderView]),
  errors: ['domain_not_available'],
  example: {
    input: { auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' },
    output: { domain_id: '5001', auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' },
  },
  order: (ctx, caller, where, input) => setAuthCode(ctx, caller, where.domain, where.customerId, input.auth_code),
});
