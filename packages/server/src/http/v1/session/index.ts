import { z } from 'zod';
import { claimAccount } from '../../../core/people/claim-account.ts';
import { readSession, signOut, switchAccount } from '../../../core/people/own-session.ts';
import { peopleLimits } from '../../../core/people/person.ts';
import { redeemCode } from '../../../core/people/redeem.ts';
import { signIn } from '../../../core/people/sign-in.ts';
import { id, text } from '../../field.ts';
import { endedCookie } from '../../identity/session-cookie.ts';
import { Answer, type Caller, type Route, route } from '../../route.ts';
import { password } from '../common/password-field.ts';
import { atWork } from './at-work.ts';
import { answerOpened, sessionExample, sessionView, showSession } from './session-view.ts';

const base = { area: 'people', scope: null, style: 'own', forPeople: true } as const;
const byHand = 'sign in from a page or a program; the tester sends no cookies';

const originOf = ({ address, requestId, header }: Caller) => ({
  address,
  requestId,
  browser: header('user-agent') ?? '',
});

const signInRoute = route({
  ...base,
  method: 'POST',
  path: '/session',
  isPublic: true,
  secret: true,
  summary: 'Sign in',
  description:
    'Begins a session with an e-mail address and a password, and sets its cookie. With `reseller_id`: the first sign-in of an account that nobody owns yet, with the address and the password, or the temporary one, of the account itself; it makes its owner. Sessions are for the pages of this service: every call with the cookie, this one too, needs the header `Namehold-Console: 1` and, where the browser does not say that it comes from a page of this service, its `Origin`.',
  input: z.object({
    email: text({ max: 254, about: 'E-mail address.', example: 'sari@reseller.example' }),
    password,
    reseller_id: id('Id of the account to be owned.').optional(),
  }),
  output: sessionView,
  errors: ['unauthorized', 'conflict'],
  example: {
    input: { email: 'sari@reseller.example', password: 'correct horse battery' },
    output: sessionExample,
    first: byHand,
  },
  async answer(house, caller, { reseller_id: resellerId, ...given }) {
    const from = originOf(caller);
    const opened = resellerId ? claimAccount(house, from, { ...given, resellerId }) : signIn(house, from, given);
    return answerOpened(house, await opened);
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
    'A code of an invitation or of a recovery, used once. An invitation makes a new person with this password; who signs in already gives the own one. A recovery makes this the new password, and ends every other session. Five wrong passwords end the code.',
  input: z.object({
    code: text({ max: 100, about: 'The code.', example: 'nh_Qm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE7dF1gA' }),
    password,
    name: text({ max: peopleLimits.nameLength, about: 'What a new person is called.' }).optional(),
  }),
  output: sessionView,
  errors: ['unauthorized'],
  example: {
    input: {
      code: 'nh_Qm4x9uT2u0o0xq3cJ6k0a9hYwVx6sZl8rB5nE7dF1gA',
      password: 'correct horse battery',
      name: 'Sari Dewi',
    },
    output: sessionExample,
    first: byHand,
  },
  answer: async (house, caller, input) => answerOpened(house, await redeemCode(house, originOf(caller), input)),
});

const readRoute = route({
  ...base,
  method: 'GET',
  path: '/session',
  summary: 'Read the session',
  description:
    'Who is signed in, in which account, with which scopes, until when, and the other accounts of the person.',
  input: z.object({}),
  output: sessionView,
  errors: [],
  example: { output: sessionExample, first: byHand },
  async answer(house, caller) {
    const { person } = atWork(caller);
    return showSession(await readSession(house, { personId: person.id, sessionId: person.sessionId }));
  },
});

const switchRoute = route({
  ...base,
  method: 'PUT',
  path: '/session/account',
  secret: true,
  summary: 'Change to another account',
  description:
    'Work goes on in another account of the person, with the role there; the cookie is set anew. With `password`: the own address and the password of an account that nobody owns yet make the person its owner first.',
  input: z.object({ reseller_id: id('Id of the account.'), password: password.optional() }),
  output: sessionView,
  errors: [],
  example: { input: { reseller_id: '1000' }, output: sessionExample, first: byHand },
  async answer(house, caller, { reseller_id: resellerId, password: given }) {
    return answerOpened(house, await switchAccount(house, atWork(caller), { resellerId, password: given }));
  },
});

const signOutRoute = route({
  ...base,
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out',
  description: 'Ends the session at once, and takes its cookie away.',
  input: z.object({}),
  output: z.object({ ended: z.int().describe('How many sessions ended.') }),
  errors: [],
  example: { output: { ended: 1 }, first: byHand },
  async answer(house, caller) {
    await signOut(house, atWork(caller));
    return new Answer({ ended: 1 }, { headers: { 'Set-Cookie': endedCookie(house.config) } });
  },
});

export const sessionRoutes: readonly Route[] = [signInRoute, redeemRoute, readRoute, switchRoute, signOutRoute];
