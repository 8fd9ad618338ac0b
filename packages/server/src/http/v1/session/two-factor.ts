import { z } from 'zod';
import { proveCustomer } from '../../../core/customers/own-session.ts';
import { newChallenge } from '../../../core/users/challenge.ts';
import { finishSignIn, proveAgain, signInByPasskey } from '../../../core/users/two-factor.ts';
import { methods } from '../../../core/users/verify-factor.ts';
import { text } from '../../field.ts';
import { type Route, route } from '../../route.ts';
import { withCoreNames } from '../common/field-names.ts';
import { password } from '../common/password-field.ts';
import { originOf } from './origin.ts';
import { passkeyAnswer } from './passkey-field.ts';
import { answerOpened, sessionExample, sessionView } from './session-view.ts';
import { customerActor, userActor } from './user-actor.ts';

const base = { area: 'users', scope: null, style: 'own', forUsers: true } as const;
const manualOnly = 'sign in from a page or a program; the tester sends no cookies';

const code = text({ max: 20, about: 'The current code of the authenticator.', example: '123456' });
const recovery_code = text({ max: 40, about: 'One of the recovery codes.', example: 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX' });

const challengeView = z
  .object({
    challenge: z.string().describe('Challenge to be signed, once, within five minutes.'),
    rp_id: z.string().nullable().describe('Relying party of the passkeys. Null: passkeys are not available.'),
  })
  .meta({ id: 'PasskeyChallenge', description: 'A challenge for a passkey.' });

const challengeExample = { challenge: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA', rp_id: 'localhost' };

const challengeRoute = route({
  ...base,
  method: 'POST',
  path: '/session/challenge',
  isPublic: true,
  isExemptFromGuessLimit: true,
  secret: true,
  summary: 'Request a challenge to sign in with a passkey',
  description:
    'For `navigator.credentials.get()`, with user verification required. It names no user; the passkey identifies the user.',
  input: z.object({}),
  output: challengeView,
  errors: [],
  example: { output: challengeExample, first: manualOnly },
  answer: async (ctx) => ({
    challenge: newChallenge(ctx, null),
    rp_id: ctx.passkeys.relyingParty ?? null,
  }),
});

const ownChallengeRoute = route({
  ...base,
  method: 'POST',
  path: '/session/factor/challenge',
  allowsPendingTwoFactor: true,
  secret: true,
  summary: 'Request a challenge for another authentication with a passkey',
  description: 'For the second factor of a sign-in, and for recent authentication.',
  input: z.object({}),
  output: challengeView,
  errors: [],
  example: { output: challengeExample, first: manualOnly },
  answer: async (ctx, caller) => ({
    challenge: newChallenge(ctx, userActor(caller).user.id),
    rp_id: ctx.passkeys.relyingParty ?? null,
  }),
});

const passkeyRoute = route({
  ...base,
  method: 'POST',
  path: '/session/passkey',
  isPublic: true,
  isExemptFromGuessLimit: true,
  secret: true,
  summary: 'Sign in with a passkey',
  description:
    'Needs no second factor, because a passkey is both factors. It also works after too many wrong passwords.',
  input: z.object({ passkey: passkeyAnswer }),
  output: sessionView,
  errors: ['unauthorized'],
  example: { input: { passkey: { id: 'AbCd' } }, output: sessionExample, first: manualOnly },
  async answer(ctx, caller, input) {
    const from = originOf(ctx, caller);
    return answerOpened(ctx, await signInByPasskey(ctx, from, input.passkey), from);
  },
});

const factorRoute = route({
  ...base,
  method: 'POST',
  path: '/session/factor',
  allowsPendingTwoFactor: true,
  secret: true,
  summary: 'Complete two-factor authentication of a sign-in',
  description:
    'One of `passkey`, `code` and `recovery_code`, according to the `methods` of the first step. The cookie is renewed.',
  input: z.object({
    passkey: passkeyAnswer.optional(),
    code: code.optional(),
    recovery_code: recovery_code.optional(),
  }),
  output: sessionView,
  errors: [],
  example: { input: { code: '123456' }, output: sessionExample, first: manualOnly },
  async answer(ctx, caller, input) {
    const from = originOf(ctx, caller);
    return answerOpened(ctx, await finishSignIn(ctx, userActor(caller), from, withCoreNames(input)), from);
  },
});

const sudoRoute = route({
  ...base,
  method: 'POST',
  path: '/session/sudo',
  customer: 'read',
  secret: true,
  summary: 'Authenticate again',
  description:
    'Allows calls that returned `reauthentication_required` for ten minutes. Send a passkey or a code. Users without either, and customers, send the password.',
  input: z.object({ passkey: passkeyAnswer.optional(), code: code.optional(), password: password.optional() }),
  output: sessionView,
  errors: [],
  example: { input: { code: '123456' }, output: sessionExample, first: manualOnly },
  async answer(ctx, caller, input) {
    const customer = customerActor(caller);
    const proven = customer ? proveCustomer(ctx, customer, input.password) : proveAgain(ctx, userActor(caller), input);
    return answerOpened(ctx, await proven);
  },
});

export const factorWantedView = z
  .object({
    methods: z
      .array(z.enum([...methods, 'mailed_link']))
      .describe('Accepted methods of the second factor. `mailed_link`: only the link in the mail.'),
  })
  .meta({ id: 'FactorWanted', description: 'The password was correct. A second factor is required.' });

export const twoFactorRoutes: readonly Route[] = [
  challengeRoute,
  ownChallengeRoute,
  passkeyRoute,
  factorRoute,
  sudoRoute,
];
