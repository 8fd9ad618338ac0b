import { z } from 'zod';
import type { AppContext } from '../../../../core/app-context.ts';
import { checkValidity } from '../../../../core/domains/transfer-in/validity.ts';
import { text } from '../../../field.ts';
import { type Caller, route } from '../../../route.ts';
import { contractTimeOrNull } from '../../../wire.ts';

const validityView = z
  .object({
    transferable: z.literal(true).describe('True: nothing that the registry shows prevents a transfer.'),
    domain_name: z.string(),
    registrar: z.string().nullable().describe('The current registrar, by its id at the registry.'),
    expiry_date: z.string().nullable(),
    years: z.number().int().describe('Years that a transfer adds to the term.'),
    auth_code_is_right: z.boolean().nullable().describe('Null: no code was sent, or the registry does not check it.'),
  })
  .meta({ id: 'TransferValidity', description: 'Whether a domain can be transferred in.' });

const domain_name = text({ max: 300, about: 'The domain name.', example: 'example-shop.com' });
const auth_code = text({ max: 255, about: 'The auth code from the current registrar.' }).optional();

const shared = {
  path: '/domains/transfer/validity',
  area: 'domains',
  style: 'contract',
  secret: true,
  cost: 5,
  output: validityView,
  errors: ['transfer_not_possible', 'tld_not_offered', 'operation_in_progress', 'registry_unavailable'],
  example: {
    first: 'the domain must be at another registrar',
    input: { domain_name: 'example-shop.com' },
    output: {
      transferable: true,
      domain_name: 'example-shop.com',
      registrar: 'other-registrar',
      expiry_date: '2027-11-15 09:00:00',
      years: 1,
      auth_code_is_right: null,
    },
  },
} as const;

async function answer(ctx: AppContext, caller: Caller, domainName: string, authCode: string | undefined) {
  const { name, tld, view, isCodeRight } = await checkValidity(ctx, caller, { domainName, authCode });
  return {
    transferable: true as const,
    domain_name: name,
    registrar: view?.sponsor ?? null,
    expiry_date: contractTimeOrNull(view?.expiresAt ?? null),
    years: tld.rules.transfer_years ?? 1,
    auth_code_is_right: isCodeRight,
  };
}

export const validityRoutes = [
  route({
    ...shared,
    method: 'POST',
    summary: 'Check a transfer in',
    description:
      'Queries the registry about a domain at another registrar. If nothing blocks a transfer, the response is an object, which every client reads as true. Otherwise it is an error, and `obstacles` has every reason: locked, too_young, pending, in_redemption, pending_delete, term_too_long, wrong_auth_code, already_here, not_registered, other. `possible_from` is the date on which all of them have ended, if known. A wrong auth code is reported if the registry checks it. Some registries count wrong codes.',
    input: z.object({ domain_name, auth_code }),
    answer: (ctx, caller, input) => answer(ctx, caller, input.domain_name, input.auth_code),
  }),
  route({
    ...shared,
    method: 'GET',
    summary: 'Check a transfer in (older form)',
    // An auth code must not be in a URL.
    description: 'Like POST of the same path, without the auth code.',
    input: z.object({ domain_name }),
    answer: (ctx, caller, input) => answer(ctx, caller, input.domain_name, undefined),
  }),
];
