import { z } from 'zod';
import { actAsOtherRegistrar, otherRegistrarActions } from '../../../core/sandbox/sandbox.ts';
import { oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';

const otherRegistrarView = z
  .object({
    domain_name: z.string(),
    action: z.enum(otherRegistrarActions).describe('The action of the other registrar.'),
    sponsor: z.string().describe('Current sponsoring registrar, by its id at the registry.'),
    transfer_status: z.string().nullable().describe('Status of its latest transfer at the registry. Null: none.'),
  })
  .meta({ id: 'OtherRegistrarResult', description: 'An action of the other registrar in the sandbox.' });

export const sandboxTransferRoute = route({
  method: 'POST',
  path: '/sandbox/transfers',
  area: 'domains',
  style: 'own',
  isSandboxOnly: true,
  summary: 'Let the other registrar of the sandbox act',
  description:
    'Sandbox mode only. The other registrar requests one of your domains (request, with its auth code; cancel). It can also answer your request for one of its domains (approve, reject). With register it registers a domain with the given auth code, which you can then request.',
  input: z.object({
    domain_name: text({ max: 253, about: 'The domain name.', example: 'example-shop.com' }),
    action: oneOf(
      otherRegistrarActions,
      'Action of the other registrar: register, request, cancel, approve or reject.',
    ),
    auth_code: text({ max: 255, about: 'The auth code: required to request and to register.' }).optional(),
  }),
  output: otherRegistrarView,
  errors: ['conflict', 'unavailable', 'domain_not_available'],
  example: {
    first: 'switch theft protection off, and enter the code from `GET /domains/{domain_id}/auth_code` in `auth_code`',
    input: { domain_name: 'example-shop.com', action: 'request', auth_code: 'k3V9-example-code-8Q' },
    output: { domain_name: 'example-shop.com', action: 'request', sponsor: 'namehold', transfer_status: 'pending' },
  },
  async answer(ctx, caller, input) {
    const { domain_name: domainName, action, auth_code: authCode } = input;
    const { name, sponsor, transferState } = await actAsOtherRegistrar(ctx, caller, { domainName, action, authCode });
    return { domain_name: name, action, sponsor, transfer_status: transferState };
  },
});
