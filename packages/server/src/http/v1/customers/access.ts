import { z } from 'zod';
import {
  type CustomerInvitation,
  giveAccess,
  inviteCustomer,
  readAccess,
} from '../../../core/customers/grant-access.ts';
import { type Access, accessLevels } from '../../../core/model/customer-access.ts';
import { versionOf } from '../../../core/version.ts';
import { id, oneOf, text } from '../../field.ts';
import { type Route, route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { expectedVersion, withVersion } from '../common/if-match.ts';
import { accessField } from '../session/session-view.ts';

const accessView = z
  .object({ access: accessField })
  .meta({ id: 'CustomerAccess', description: 'The actions that a customer may take after signing in.' });
const show = (access: Access) => ({ access });

const showInvitation = (made: CustomerInvitation) => ({
  customer_id: made.customerId,
  email: made.email,
  access: made.access,
  page: `/app/at/${made.resellerId}`,
  temp_password: made.password,
  expires_at: instantText(made.expiresAt),
});

const customer_id = id('Id of the customer.');
const common = {
  path: '/customers/{customer_id}/access',
  area: 'customers',
  style: 'own',
  output: accessView,
} as const;

export const customerAccessRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    summary: 'Read the access of a customer',
    hasETag: true,
    description: 'none until it is set. `ETag` is its version, for If-Match.',
    input: z.object({ customer_id }),
    errors: ['not_found'],
    example: { input: { customer_id: '2001' }, output: { access: 'none' } },
    async answer(ctx, caller, input) {
      const access = await readAccess(ctx, caller, input.customer_id);
      return withVersion(show(access), versionOf(access));
    },
  }),
  route({
    ...common,
    method: 'PUT',
    // After this, a sign-in alone proves the customer.
    sudo: true,
    summary: 'Set the access of a customer',
    description:
      'Each level includes the lower ones: none; read its own data; dns: change records; manage its domains; order at its price. Open sessions follow within five seconds, and none ends them. With If-Match, the change is made only if the access is as you read it; otherwise 412. More access is refused (409, `errors` names `email`) if a key or user that may not grant it changed the email address. Repeat the call with the address in `email` if the customer owns it.',
    input: z.object({
      customer_id,
      access: oneOf(accessLevels, 'The access level.'),
      email: text({
        max: 254,
        about:
          'The email address of the customer. It confirms an address that a key or user changed that may not grant this access. Another address is refused.',
        example: 'budi@customer.example',
      }).optional(),
    }),
    errors: ['not_found', 'conflict', 'precondition_failed'],
    example: { input: { customer_id: '2001', access: 'dns' }, output: { access: 'dns' } },
    render: show,
    async answer(ctx, caller, { customer_id: customerId, access, email }) {
      const given = { access, email, expected: expectedVersion(caller) };
      return show(await giveAccess(ctx, caller, customerId, given));
    },
  }),
  route({
    method: 'POST',
    path: '/customers/{customer_id}/invitation',
    sudo: true,
    area: 'customers',
    style: 'own',
    secret: true,
    cost: 10,
    summary: 'Invite a customer to sign in',
    description:
      'Creates a temporary password that is valid for three days. The customer signs in with it on the page of the account, and sets a new one. Send both to the customer; no mail is sent.',
    input: z.object({ customer_id }),
    output: z.object({
      customer_id: z.string(),
      email: z.string(),
      access: accessField,
      page: z.string().describe('Path of the sign-in page, below this service.'),
      temp_password: z.string(),
      expires_at: z.string(),
    }),
    errors: ['not_found', 'conflict'],
    example: {
      input: { customer_id: '2001' },
      output: {
        customer_id: '2001',
        email: 'budi@customer.example',
        access: 'dns',
        page: '/app/at/1000',
        temp_password: 'w7Rt3mQxK9hPzB4n',
        expires_at: '2026-11-18T09:00:00Z',
      },
      first: 'set an access for the customer',
    },
    render: showInvitation,
    answer: async (ctx, caller, input) => showInvitation(await inviteCustomer(ctx, caller, input.customer_id)),
  }),
];
