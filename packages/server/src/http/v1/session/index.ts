import { z } from 'zod';
import { signCustomerOut } from '../../../core/customers/own-session.ts';
import { signInAtAccount } from '../../../core/customers/sign-in.ts';
import { signOut, switchAccount } from '../../../core/users/own-session.ts';
import { redeemCode } from '../../../core/users/redeem.ts';
import { signIn } from '../../../core/users/sign-in.ts';
import { userLimits } from '../../../core/users/user.ts';
import { flag, id, text } from '../../field.ts';
import { endedCookie } from '../../identity/session-cookie.ts';
import { Answer, type Route, route } from '../../route.ts';
import { password } from '../common/password-field.ts';
import { originOf } from './origin.ts';
import { recoveryRoute } from './recovery.ts';
import { answerOpened, sessionBody, sessionExample, sessionView } from './session-view.ts';
import { factorWantedView, twoFactorRoutes } from './two-factor.ts';
import { customerActor, userActor } from './user-actor.ts';

const base = { area: 'users', scope: null, style: 'own', forUsers: true } as const;
const manualOnly = 'sign in from a page or a program; the tester sends no cookies';

const signInRoute = route({
  ...base,
  method: 'POST',
  path: '/session',
  isPublic: true,
  secret: true,
  summary: 'Sign in',
  description:
    'Starts a session with an email address and a password, and sets its cookie. For a user with a second factor the answer is 202. The cookie is then valid only for `POST /session/factor`, for ten minutes. With `reseller_id`: sign-in as a customer of that account. A temporary or very common password needs a `new_password`. If the account has no owner yet, sign in with the address of the account and its password or temporary password. The answer is then 202 with the method `mailed_link`: a link for the first owner is mailed to that address, and no cookie is set. Sessions are only for the pages of this service: every call with the cookie, and this one, needs the header `Namehold-Console: 1`. If the browser does not report the same origin, it also needs the `Origin` of this service.',
  input: z.object({
    email: text({ max: 254, about: 'Email address.', example: 'sari@reseller.example' }),
    password,
    reseller_id: id('Id of the account, for its customers and its first owner.').optional(),
    new_password: password.optional(),
    keep: flag('For a customer: stay signed in for 30 days.').optional(),
  }),
  output: sessionView,
  accepted: factorWantedView,
  errors: ['unauthorized', 'conflict'],
  example: {
    input: { email: 'sari@reseller.example', password: 'correct horse battery' },
    output: sessionExample,
    first: manualOnly,
  },
  async answer(ctx, caller, { reseller_id: resellerId, new_password: newPassword, keep: isKept, ...given }) {
    const from = originOf(ctx, caller);
    const opened = await (resellerId
      ? signInAtAccount(ctx, from, { ...given, resellerId, newPassword, isKept })
      : signIn(ctx, from, given));
    if (opened === 'mailed') return new Answer({ methods: ['mailed_link'] }, { status: 202 });
    return answerOpened(ctx, opened, from);
  },
});

const redeemRoute = route({
  ...base,
  method: 'POST',
  path: '/session/code',
  isPublic: true,
  secret: true,
  summary: 'Sign in with a code',
  description:
    'Uses a code of an invitation or of a recovery, once. An invitation creates a new user with this password; an existing user gives its own password. A recovery sets the new password, and ends every other session. Five wrong passwords end the code.',
  input: z.object({
    code: text({ max: 100, about: 'The code.', example: 'nh_Qm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE7dF1gA' }),
    password,
    name: text({ max: userLimits.nameLength, about: 'Name of a new user.' }).optional(),
  }),
  output: sessionView,
  accepted: factorWantedView,
  errors: ['unauthorized'],
  example: {
    input: {
      code: 'nh_Qm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE7dF1gA',
      password: 'correct horse battery',
      name: 'Sari Dewi',
    },
    output: sessionExample,
    first: manualOnly,
  },
  async answer(ctx, caller, input) {
    const from = originOf(ctx, caller);
    return answerOpened(ctx, await redeemCode(ctx, from, input), from);
  },
});

const readRoute = route({
  ...base,
  method: 'GET',
  path: '/session',
  customer: 'read',
  summary: 'Read the session',
  description:
    'The signed-in user, the account, the scopes, the end of the session, and the other accounts of the user.',
  input: z.object({}),
  output: sessionView,
  errors: [],
  example: { output: sessionExample, first: manualOnly },
  async answer(ctx, caller) {
    const { user, customerId } = userActor(caller);
    return sessionBody(ctx, { userId: user.id, sessionId: user.sessionId, customerId });
  },
});

const switchRoute = route({
  ...base,
  method: 'PUT',
  path: '/session/account',
  secret: true,
  summary: 'Switch to another account',
  description:
    'Switches the session to another account of the user, with the role there. The cookie is renewed. With `password` (the password of an account without an owner, registered with the address of the user), the user first becomes its owner.',
  input: z.object({ reseller_id: id('Id of the account.'), password: password.optional() }),
  output: sessionView,
  errors: [],
  example: { input: { reseller_id: '1000' }, output: sessionExample, first: manualOnly },
  async answer(ctx, caller, { reseller_id: resellerId, password: given }) {
    return answerOpened(ctx, await switchAccount(ctx, userActor(caller), { resellerId, password: given }));
  },
});

const signOutRoute = route({
  ...base,
  method: 'DELETE',
  path: '/session',
  customer: 'read',
  summary: 'Sign out',
  description: 'Ends the session immediately, and removes its cookie.',
  input: z.object({}),
  output: z.object({ ended: z.int().describe('Number of ended sessions.') }),
  errors: [],
  example: { output: { ended: 1 }, first: manualOnly },
  async answer(ctx, caller) {
    const customer = customerActor(caller);
    await (customer ? signCustomerOut(ctx, customer) : signOut(ctx, userActor(caller)));
    return new Answer({ ended: 1 }, { headers: { 'Set-Cookie': endedCookie(ctx.config) } });
  },
});

export const sessionRoutes: readonly Route[] = [
  signInRoute,
  redeemRoute,
  readRoute,
  switchRoute,
  signOutRoute,
  ...twoFactorRoutes,
  recoveryRoute,
];
