import { z } from 'zod';
import { issueResellerPassword } from '../../../core/accounts/temp-password.ts';
import { id } from '../../field.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';

export const resellerPasswordRoute = route({
  method: 'GET',
  path: '/resellers/temp_password',
  sudo: true,
  area: 'resellers',
  // With an invitation it opens the account, and leads to a key that may do everything there.
  scope: 'full',
  style: 'contract',
  secret: true,
  cost: 10,
  summary: 'Issue a temporary reseller password',
  description:
    'Makes a temporary password for the calling reseller or a direct sub-reseller, which is told of it by an event and by mail. It ends after three days, or when another is issued. Never cached.',
  input: z.object({ reseller_id: id('Id of the reseller.') }),
  output: z.object({ reseller_id: z.string(), temp_password: z.string(), expires_at: z.string() }),
  errors: [],
  example: {
    input: { reseller_id: '1001' },
    output: { reseller_id: '1001', temp_password: 'w7Rt3mQxK9hPzB4n', expires_at: '2026-11-18T09:00:00Z' },
  },
  async answer(ctx, caller, input) {
    const issued = await issueResellerPassword(ctx, caller, input.reseller_id);
    return { reseller_id: issued.id, temp_password: issued.password, expires_at: instantText(issued.expiresAt) };
  },
});
