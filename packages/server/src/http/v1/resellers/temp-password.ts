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
  // With an invitation it gives access to the account, and to a key with full rights.
  scope: 'full',
  style: 'contract',
  secret: true,
  cost: 10,
  summary: 'Issue a temporary reseller password',
  description:
    'Creates a temporary password for the calling reseller or a direct sub-reseller, which is notified by an event and by mail. It is valid for three days, or until another one is issued. The response is never cached.',
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
