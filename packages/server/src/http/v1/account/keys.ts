import { z } from 'zod';
import {
  changeKey,
  keyVersion,
  previewRevocation,
  readKey,
  readKeys,
  revokeKeyById,
  rotateKey,
} from '../../../core/keys/change.ts';
import { createKey } from '../../../core/keys/create.ts';
import { keyLimits, scopeNames } from '../../../core/keys/key.ts';
import { versionOf } from '../../../core/version.ts';
import { flag, instant, integer, list, text } from '../../field.ts';
import { listAnswer } from '../../page.ts';
import { route } from '../../route.ts';
import { type WithCoreNames, withCoreNames } from '../common/field-names.ts';
import { expectedVersion, withVersion } from '../common/if-match.ts';
import {
  createdKeyView,
  keyExample,
  keyView,
  revokedKeyView,
  showCreatedKey,
  showKey,
  showRevokedKey,
} from './key-view.ts';

const key_id = text({ max: 60, about: 'Id of the key.' });
export const label = text({ max: keyLimits.labelLength, about: 'A name for the key.', example: 'billing panel' });
export const ip_whitelist = list({
  max: keyLimits.whitelistEntries,
  about: 'IPv4 and IPv6 addresses and CIDR ranges from which the key may be used.',
  example: ['192.0.2.10', '2001:db8::/48'],
});
export const scopes = list({ max: 50, about: `Scopes: ${scopeNames.join(', ')}. Default: full.`, example: ['full'] });

export const listKeysRoute = route({
  method: 'GET',
  path: '/account/keys',
  area: 'account',
  style: 'own',
  hasTotal: true,
  summary: 'List API keys',
  description: 'All keys of the account, oldest first, including revoked ones. Secrets are never shown again.',
  input: z.object({}),
  output: z.array(keyView),
  errors: [],
  example: { output: [keyExample] },
  async answer(ctx, caller) {
    const keys = await readKeys(ctx, caller);
    return listAnswer(
      keys.map((key) => showKey(key, ctx.wall.now())),
      keys.length,
    );
  },
});

/** The fields of a key, in the names of the core. */
export const keyOf = <Sent extends { readonly ip_whitelist?: readonly string[] | undefined }>({
  ip_whitelist: whitelist,
  ...sent
}: Sent): WithCoreNames<Omit<Sent, 'ip_whitelist'>> & { readonly whitelist: Sent['ip_whitelist'] } => ({
  ...withCoreNames(sent),
  whitelist,
});

export const createKeyRoute = route({
  method: 'POST',
  path: '/account/keys',
  sudo: true,
  area: 'account',
  style: 'own',
  secret: true,
  summary: 'Create an API key',
  description:
    'Creates a key with 192 random bits and 64 check bits, and returns it once. At least one allowed address or range is required. The new key cannot have more scopes, more allowed addresses or a later expiry than the calling key. A key with `full` can create any key.',
  input: z.object({
    label,
    ip_whitelist,
    scopes: scopes.optional(),
    expires_at: instant('When the key expires.').optional(),
  }),
  output: createdKeyView,
  errors: [],
  example: {
    input: { label: 'billing panel', ip_whitelist: ['192.0.2.10', '2001:db8::/48'] },
    output: { ...keyExample, api_key: 'nh_Qm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE7dF1gA' },
  },
  render: showCreatedKey,
  answer: async (ctx, caller, input) => showCreatedKey(await createKey(ctx, caller, keyOf(input))),
});

export const readKeyRoute = route({
  method: 'GET',
  path: '/account/keys/{key_id}',
  area: 'account',
  style: 'own',
  hasETag: true,
  summary: 'Read an API key',
  description:
    'Label, whitelist, scopes, expiry and last use of one key. `ETag` is the version of the first three. Send it as If-Match with a change, which is then refused if the key has changed since.',
  input: z.object({ key_id }),
  output: keyView,
  errors: ['not_found'],
  example: { input: { key_id: keyExample.key_id }, output: keyExample },
  async answer(ctx, caller, input) {
    const key = await readKey(ctx, caller, input.key_id);
    return withVersion(showKey(key, ctx.wall.now()), versionOf(keyVersion(key)));
  },
});

export const changeKeyRoute = route({
  method: 'PUT',
  path: '/account/keys/{key_id}',
  sudo: true,
  area: 'account',
  style: 'own',
  summary: 'Change an API key',
  description:
    'Changes the label, whitelist or scopes; omitted fields stay. With If-Match, the change is made only if the key is as you read it; otherwise 412. Every process applies it within five seconds.',
  input: z.object({
    key_id,
    label: label.optional(),
    ip_whitelist: ip_whitelist.optional(),
    scopes: scopes.optional(),
  }),
  output: keyView,
  errors: ['not_found', 'precondition_failed'],
  example: {
    input: { key_id: keyExample.key_id, label: 'billing panel', ip_whitelist: ['192.0.2.10'] },
    output: { ...keyExample, ip_whitelist: ['192.0.2.10'] },
  },
  render: showKey,
  async answer(ctx, caller, input) {
    const change = { ...keyOf(input), expected: expectedVersion(caller) };
    return showKey(await changeKey(ctx, caller, input.key_id, change), ctx.wall.now());
  },
});

export const rotateKeyRoute = route({
  method: 'POST',
  path: '/account/keys/{key_id}/rotate',
  sudo: true,
  area: 'account',
  style: 'own',
  secret: true,
  summary: 'Rotate an API key',
  description: 'Gives the key a new secret and returns it once. The old secret stays valid during the overlap.',
  input: z.object({
    key_id,
    overlap_seconds: integer({
      min: 0,
      max: keyLimits.rotationOverlapMaxMs / 1000,
      about: 'How long the old secret stays valid. Default: one day.',
      example: 86_400,
    }).optional(),
  }),
  output: createdKeyView,
  errors: ['not_found', 'conflict'],
  example: {
    input: { key_id: keyExample.key_id, overlap_seconds: 86_400 },
    output: {
      ...keyExample,
      previous_key_expires_at: '2026-11-16T09:00:00Z',
      api_key: 'nh_v7sN2kQm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE',
    },
  },
  render: showCreatedKey,
  answer: async (ctx, caller, input) =>
    showCreatedKey(await rotateKey(ctx, caller, input.key_id, (input.overlap_seconds ?? 86_400) * 1000)),
});

export const revokeKeyRoute = route({
  method: 'DELETE',
  path: '/account/keys/{key_id}',
  area: 'account',
  style: 'own',
  summary: 'Revoke an API key',
  description:
    'Revokes the key; every process refuses it within five seconds. It stays in the list. Sessions, temporary passwords and invitations created with it end too. Customer passwords end too if the key set them, or if they were set with its temporary passwords. These customers need a new invitation, unless `keep_passwords` is true. Keys that it issued stay valid and are listed in `issued_keys`, those in sub-resellers in `issued_keys_of_sub_accounts`. If the key was stolen, set `revoke_issued_keys` to revoke them too. Changes that it requested and that wait for approval are listed in `waiting_operations` and can only be declined. With `dry_run=true` nothing is revoked, and these lists have what `revoke_issued_keys` would end.',
  input: z.object({
    key_id,
    keep_passwords: flag('Keep the customer passwords that came from this key.').optional(),
    revoke_issued_keys: flag(
      'Also revoke the keys that this key issued: those that it created or rotated, those from its invitations of sub-resellers, and those that these issued.',
    ).optional(),
    dry_run: flag('Dry run: only return the key and the keys that it issued.').optional(),
  }),
  output: revokedKeyView,
  errors: ['not_found'],
  example: {
    input: { key_id: keyExample.key_id },
    output: {
      ...keyExample,
      status: 'revoked',
      revoked_at: '2026-11-15T10:00:00Z',
      issued_keys: [],
      issued_keys_of_sub_accounts: [],
      waiting_operations: [],
    },
  },
  render: showRevokedKey,
  async answer(ctx, caller, input) {
    if (input.dry_run) return showRevokedKey(await previewRevocation(ctx, caller, input.key_id), ctx.wall.now());
    const options = {
      keepsPasswords: input.keep_passwords ?? false,
      withIssuedKeys: input.revoke_issued_keys ?? false,
    };
    return showRevokedKey(await revokeKeyById(ctx, caller, input.key_id, options), ctx.wall.now());
  },
});
