import { z } from 'zod';
import { actAsOtherRegistrar, otherRegistrarActions } from '../../../core/sandbox/sandbox.ts';
import { text, word } from '../../field.ts';
import { route } from '../../route.ts';

const otherRegistrarView = z
  .object({
    domain_name: z.string(),
    action: z.enum(otherRegistrarActions).describe('What the rival did.'),
    sponsor: z.string().describe('The registrar that holds the name now, as the registry names it.'),
    transfer_status: z
      .string()
      .nullable()
      .describe('Of its latest transfer, in the words of the registry; null: there is none.'),
  })
  .meta({ id: 'RivalAct', description: 'What the rival registrar of the sandbox did.' });

export const sandboxTransferRoute = route({
  method: 'POST',
  path: '/sandbox/transfers',
  area: 'domains',
  style: 'own',
  isSandboxOnly: true,
  summary: 'Let the rival registrar of the sandbox act',
  description:
    'Sandbox mode only. The other registrar asks for one of your names (request, with its auth code; cancel), answers your request for one of its names (approve, reject), or registers a name that you can then ask for (register, with the auth code it shall have).',
  input: z.object({
    domain_name: text({ max: 253, about: 'The name.', example: 'example-shop.com' }),
    action: word(otherRegistrarActions, 'What the rival does: register, request, cancel, approve or reject.'),
    auth_code: text({ max: 255, about: 'The auth code: needed to request and to register.' }).optional(),
  }),
  output: otherRegistrarView,
  errors: ['conflict', 'unavailable', 'domain_not_available'],
  example: {
    first: 'take theft protection off, and put the code from `GET /domains/{domain_id}/auth_code` in `auth_code`',
    input: { domain_name: 'example-shop.com', action: 'request', auth_code: 'k3V9-example-code-8Q' },
    output: { domain_name: 'example-shop.com', action: 'request', sponsor: 'namehold', transfer_status: 'pending' },
  },
  async answer(ctx, caller, input) {
    const { domain_name: domainName, action, auth_code: authCode } = input;
    const { name, sponsor, transferState } = await actAsOtherRegistrar(ctx, caller, { domainName, action, authCode });
    return { domain_name: name, action, sponsor, transfer_status: transferState };
  },
});
