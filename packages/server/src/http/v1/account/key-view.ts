import { systemClock } from '@namehold/base';
import { z } from 'zod';
import type { RevokedKey } from '../../../core/keys/change.ts';
import type { CreatedKey } from '../../../core/keys/create.ts';
import type { ApiKey } from '../../../core/keys/key.ts';
import { instantOrNull, instantText } from '../../wire.ts';

export const keyView = z
  .object({
    key_id: z.string(),
    label: z.string(),
    hint: z.string().describe('The first characters of the key, to identify it.'),
    ip_whitelist: z.array(z.string()),
    scopes: z.array(z.string()),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: z.string(),
    expires_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
    issued_by: z
      .string()
      .nullable()
      .describe(
        'Id of the key or user that created this key or last rotated its secret, and so has seen the secret. For a key from an invitation: the key or user of the account above. Null: the operator of the service.',
      ),
    previous_key_expires_at: z
      .string()
      .nullable()
      .describe('Until when the previous secret is valid after a rotation.'),
    last_used_at: z.string().nullable(),
    last_used_address: z.string().nullable(),
  })
  .meta({ id: 'Key', description: 'An API key, without its secret.' });

export const createdKeyView = keyView
  .extend({
    api_key: z.string().describe('The API key. It is shown only here, once.'),
  })
  .meta({ id: 'CreatedKey', description: 'An API key with its secret, which is shown once.' });

export const revokedKeyView = keyView
  .extend({
    issued_keys: z
      .array(keyView)
      .describe(
        'Keys that it issued, directly or through others, and that were not revoked before. They stay valid, unless `revoke_issued_keys` was true and it was no dry run.',
      ),
    issued_keys_of_sub_accounts: z
      .array(z.object({ reseller_id: z.string(), key_id: z.string(), status: keyView.shape.status }))
      .describe(
        'The same in accounts below: keys from its invitations and temporary passwords, and keys that these issued.',
      ),
    waiting_operations: z
      .array(z.string())
      .describe(
        'Operations of the account that a revoked key requested and that wait for approval. They can no longer be approved. Decline them.',
      ),
  })
  .meta({ id: 'RevokedKey', description: 'A revoked API key, with the keys that it issued.' });

export function showKey(key: ApiKey, now = systemClock.now()): z.output<typeof keyView> {
  return {
    key_id: key.id,
    label: key.label,
    hint: key.hint,
    ip_whitelist: key.ip_whitelist,
    scopes: key.scopes,
    status: key.revoked_at ? 'revoked' : key.expires_at && key.expires_at <= now ? 'expired' : 'active',
    created_at: instantText(key.created_at),
    expires_at: instantOrNull(key.expires_at),
    revoked_at: instantOrNull(key.revoked_at),
    issued_by: key.issued_by,
    previous_key_expires_at: instantOrNull(key.previous_expires_at),
    last_used_at: instantOrNull(key.last_used_at),
    last_used_address: key.last_used_address,
  };
}

export function showRevokedKey(
  { issued, issuedBelow, waiting, ...key }: RevokedKey,
  now?: Date,
): z.output<typeof revokedKeyView> {
  return {
    ...showKey(key, now),
    issued_keys: issued.map((each) => showKey(each, now)),
    issued_keys_of_sub_accounts: issuedBelow.map((each) => {
      const { key_id, status } = showKey(each, now);
      return { reseller_id: each.reseller_id, key_id, status };
    }),
    waiting_operations: [...waiting],
  };
}

export function showCreatedKey(key: CreatedKey): z.output<typeof createdKeyView> {
  return { ...showKey(key), api_key: key.secret };
}

export const keyExample: z.output<typeof keyView> = {
  key_id: 'key_06gxsvmka9v7qbwbdq2svf8e6g',
  label: 'billing panel',
  hint: 'nh_Qm4x...',
  ip_whitelist: ['192.0.2.10', '2001:db8::/48'],
  scopes: ['full'],
  status: 'active',
  created_at: '2026-11-15T09:00:00Z',
  expires_at: null,
  revoked_at: null,
  issued_by: 'per_06gxsvmka9v7qbwbdq2svf8e6g',
  previous_key_expires_at: null,
  last_used_at: null,
  last_used_address: null,
};
