import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { shownBrand } from '../../../core/brands/brand.ts';
import type { Passkey } from '../../../core/users/factor.sql.ts';
import { keepFactors } from '../../../core/users/factor-reset.ts';
import {
  addPasskey,
  changePasskey,
  finishTotp,
  makeRecoveryCodes,
  readMyFactors,
  readMyPasskeys,
  removePasskey,
  removeTotp,
  startTotp,
  wantPasskey,
} from '../../../core/users/my-factors.ts';
import { totpUri } from '../../../core/users/totp.ts';
import { text } from '../../field.ts';
import { listAnswer } from '../../page.ts';
import { type Caller, type Route, route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { passkeyAnswer } from '../session/passkey-field.ts';
import { userActor } from '../session/user-actor.ts';

const base = { area: 'users', scope: null, style: 'own', forUsers: true } as const;
const manualOnly = 'sign in from a page or a program; the tester sends no cookies';
const passkey_id = text({ max: 60, about: 'Id of the passkey.' });
const name = text({ max: 60, about: 'Name of the passkey.', example: 'Telephone', shown: 'name' });

/** What a device or an app shows beside the address. */
const serviceName = async (ctx: AppContext, { resellerId }: Pick<Caller, 'resellerId'>): Promise<string> =>
  (await shownBrand(ctx, resellerId))?.name ?? 'Namehold';

const passkeyView = z
  .object({
    passkey_id: z.string().describe('Id of the passkey.'),
    name: z.string(),
    host: z
      .string()
      .nullable()
      .describe('Host of a brand where it was created and works. Null: the address of the service.'),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'Passkey', description: 'A passkey of the user.' });

const showPasskey = (row: Passkey): z.output<typeof passkeyView> => ({
  passkey_id: row.id,
  name: row.name,
  host: row.host,
  created_at: instantText(row.created_at),
  last_used_at: row.last_used_at && instantText(row.last_used_at),
});

const passkeyExample = {
  passkey_id: 'pky_06gxsvmka9v7qbwbdq2svf8e6g',
  name: 'Telephone',
  host: null,
  created_at: '2026-11-15T09:00:00Z',
  last_used_at: null,
};

const factorsRoute = route({
  ...base,
  method: 'GET',
  path: '/me/factors',
  summary: 'Read your second factors',
  description: 'Number of passkeys and unused recovery codes, and whether an authenticator is active.',
  input: z.object({}),
  output: z.object({
    passkeys: z.int().describe('Number of passkeys.'),
    has_totp: z.boolean().describe('Whether an authenticator is active.'),
    recovery_codes: z.int().describe('Number of unused recovery codes.'),
  }),
  errors: [],
  example: { output: { passkeys: 1, has_totp: true, recovery_codes: 10 }, first: manualOnly },
  async answer(ctx, caller) {
    const { passkeys, has_totp, recovery_codes } = await readMyFactors(ctx, userActor(caller));
    return { passkeys, has_totp, recovery_codes };
  },
});

const listRoute = route({
  ...base,
  method: 'GET',
  path: '/me/passkeys',
  hasTotal: true,
  summary: 'List your passkeys',
  description: 'Oldest first.',
  input: z.object({}),
  output: z.array(passkeyView),
  errors: [],
  example: { output: [passkeyExample], first: manualOnly },
  async answer(ctx, caller) {
    const rows = await readMyPasskeys(ctx, userActor(caller));
    return listAnswer(rows.map(showPasskey), rows.length);
  },
});

const creationView = z
  .object({
    options: z.record(z.string(), z.unknown()).describe('For `PublicKeyCredential.parseCreationOptionsFromJSON()`.'),
  })
  .meta({ id: 'PasskeyCreation', description: 'Options to create a passkey.' });

const challengeRoute = route({
  ...base,
  method: 'POST',
  path: '/me/passkeys/challenge',
  sudo: true,
  secret: true,
  summary: 'Begin to add a passkey',
  description: 'Returns the options to create a passkey. They can be used once, within five minutes.',
  input: z.object({}),
  output: creationView,
  errors: [],
  example: { output: { options: { challenge: 'q83vEjRWeJA' } }, first: manualOnly },
  async answer(ctx, caller) {
    const { challenge, relyingParty, user, known } = await wantPasskey(ctx, userActor(caller));
    const options = {
      challenge,
      rp: { id: relyingParty, name: await serviceName(ctx, caller) },
      user: { id: Buffer.from(user.id).toString('base64url'), name: user.email, displayName: user.name },
      // EdDSA, ES256, RS256.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: known.map((each) => ({
        type: 'public-key',
        id: each.credential_id,
        transports: each.transports,
      })),
    };
    return { options };
  },
});

const addRoute = route({
  ...base,
  method: 'POST',
  path: '/me/passkeys',
  sudo: true,
  summary: 'Add a passkey',
  description: 'The response of the browser to the options. Every other session of the user ends.',
  input: z.object({ name, passkey: passkeyAnswer }),
  output: passkeyView,
  errors: [],
  example: { input: { name: 'Telephone', passkey: { id: 'AbCd' } }, output: passkeyExample, first: manualOnly },
  answer: async (ctx, caller, input) => showPasskey(await addPasskey(ctx, userActor(caller), input)),
});

const renameRoute = route({
  ...base,
  method: 'PUT',
  path: '/me/passkeys/{passkey_id}',
  summary: 'Rename a passkey',
  description: 'Changes only the name of the passkey.',
  input: z.object({ passkey_id, name }),
  output: passkeyView,
  errors: ['not_found'],
  example: {
    input: { passkey_id: passkeyExample.passkey_id, name: 'Telephone' },
    output: passkeyExample,
    first: manualOnly,
  },
  answer: async (ctx, caller, input) =>
    showPasskey(await changePasskey(ctx, userActor(caller), input.passkey_id, input.name)),
});

const removed = z.object({ removed: z.boolean().describe('Always true.') });

const removeRoute = route({
  ...base,
  method: 'DELETE',
  path: '/me/passkeys/{passkey_id}',
  sudo: true,
  summary: 'Remove a passkey',
  description: 'Every other session of the user ends.',
  input: z.object({ passkey_id }),
  output: removed,
  errors: ['not_found'],
  example: { input: { passkey_id: passkeyExample.passkey_id }, output: { removed: true }, first: manualOnly },
  async answer(ctx, caller, input) {
    await removePasskey(ctx, userActor(caller), input.passkey_id);
    return { removed: true };
  },
});

const startTotpRoute = route({
  ...base,
  method: 'POST',
  path: '/me/totp',
  sudo: true,
  secret: true,
  summary: 'Begin to set up an authenticator',
  description:
    'A secret for an authenticator app (RFC 6238). It becomes active after a code is confirmed: `PUT /me/totp`.',
  input: z.object({}),
  output: z.object({
    secret: z.string().describe('The secret in Base32. Shown only once.'),
    uri: z.string().describe('The same as a URI, for a QR code.'),
  }),
  errors: ['conflict'],
  example: {
    output: {
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Namehold:sari%40reseller.example?secret=JBSWY3DPEHPK3PXP',
    },
    first: manualOnly,
  },
  async answer(ctx, caller) {
    const { secret, email } = await startTotp(ctx, userActor(caller));
    return { secret, uri: totpUri(secret, await serviceName(ctx, caller), email) };
  },
});

const finishTotpRoute = route({
  ...base,
  method: 'PUT',
  path: '/me/totp',
  sudo: true,
  summary: 'Confirm the authenticator',
  description:
    'Sends a code from the authenticator. Sign-in then requires a code. Every other session of the user ends.',
  input: z.object({ code: text({ max: 20, about: 'The code.', example: '123456' }) }),
  output: z.object({ confirmed: z.boolean().describe('Always true.') }),
  errors: ['conflict'],
  example: { input: { code: '123456' }, output: { confirmed: true }, first: manualOnly },
  async answer(ctx, caller, input) {
    await finishTotp(ctx, userActor(caller), input.code);
    return { confirmed: true };
  },
});

const removeTotpRoute = route({
  ...base,
  method: 'DELETE',
  path: '/me/totp',
  sudo: true,
  summary: 'Remove the authenticator',
  description: 'Its codes are no longer valid. Every other session of the user ends.',
  input: z.object({}),
  output: removed,
  errors: ['not_found'],
  example: { output: { removed: true }, first: manualOnly },
  async answer(ctx, caller) {
    await removeTotp(ctx, userActor(caller));
    return { removed: true };
  },
});

const recoveryRoute = route({
  ...base,
  method: 'POST',
  path: '/me/recovery_codes',
  sudo: true,
  secret: true,
  summary: 'Create recovery codes',
  description: 'Ten codes, shown only once. Each replaces a second factor once. Earlier codes are no longer valid.',
  input: z.object({}),
  output: z.object({ codes: z.array(z.string()).describe('The codes.') }),
  errors: [],
  example: { output: { codes: ['ABCD-EFGH-IJKL-MNOP-QRST-UVWX'] }, first: manualOnly },
  answer: async (ctx, caller) => ({ codes: await makeRecoveryCodes(ctx, userActor(caller)) }),
});

const keepRoute = route({
  ...base,
  method: 'DELETE',
  path: '/me/factor_reset',
  summary: 'Cancel the removal of your second factors',
  description: 'A user of the account requested their removal (`factors_end_at` of the session). They stay.',
  input: z.object({}),
  output: z.object({ kept: z.boolean().describe('Always true.') }),
  errors: ['not_found'],
  example: { output: { kept: true }, first: manualOnly },
  async answer(ctx, caller) {
    await keepFactors(ctx, userActor(caller));
    return { kept: true };
  },
});

export const factorRoutes: readonly Route[] = [
  factorsRoute,
  listRoute,
  challengeRoute,
  addRoute,
  renameRoute,
  removeRoute,
  startTotpRoute,
  finishTotpRoute,
  removeTotpRoute,
  recoveryRoute,
  keepRoute,
];
