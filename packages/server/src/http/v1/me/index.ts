import { z } from 'zod';
import {
  changeCustomerPassword,
  endCustomerSession,
  endOtherCustomerSessions,
  readCustomerSession,
  readCustomerSessions,
} from '../../../core/customers/own-session.ts';
import { changeMe, changePassword, readMe } from '../../../core/users/me.ts';
import { endOne, endOtherSessions, readMySessions } from '../../../core/users/own-session.ts';
import type { SessionRow } from '../../../core/users/session.sql.ts';
import { languages, userLimits } from '../../../core/users/user.ts';
import { oneOf, text } from '../../field.ts';
import { listAnswer } from '../../page.ts';
import { type Route, route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { withCoreNames } from '../common/field-names.ts';
import { password } from '../common/password-field.ts';
import {
  answerOpened,
  sessionExample,
  sessionView,
  showCustomerUser,
  showUser,
  userExample,
  userView,
} from '../session/session-view.ts';
import { customerActor, userActor } from '../session/user-actor.ts';
import { factorRoutes } from './factors.ts';

const base = { area: 'users', scope: null, style: 'own', forUsers: true } as const;
const manualOnly = 'sign in from a page or a program; the tester sends no cookies';

const mySessionView = z
  .object({
    session_id: z.string(),
    is_this: z.boolean().describe('Whether it is the calling session.'),
    reseller_id: z.string(),
    company: z.string(),
    created_at: z.string(),
    last_seen_at: z.string(),
    ends_at: z.string(),
    address: z.string().describe('Last source address.'),
    browser: z.string(),
  })
  .meta({ id: 'OpenSession', description: 'A session of the user.' });

const showOne = ({ id, ...row }: SessionRow, present: string): z.output<typeof mySessionView> => ({
  session_id: id,
  is_this: id === present,
  ...row,
  created_at: instantText(row.created_at),
  last_seen_at: instantText(row.last_seen_at),
  ends_at: instantText(row.ends_at),
});

const readRoute = route({
  ...base,
  method: 'GET',
  path: '/me',
  customer: 'read',
  summary: 'Read your user',
  description: 'Name, address, language and time zone of the signed-in user.',
  input: z.object({}),
  output: userView,
  errors: [],
  example: { output: userExample, first: manualOnly },
  async answer(ctx, caller) {
    const customer = customerActor(caller);
    if (!customer) return showUser(await readMe(ctx, userActor(caller)));
    const { customerId, user } = customer;
    return showCustomerUser(await readCustomerSession(ctx, { customerId, sessionId: user.sessionId }));
  },
});

const changeRoute = route({
  ...base,
  method: 'PUT',
  path: '/me',
  summary: 'Change your user',
  description: 'Name, language and time zone. Omitted fields stay.',
  input: z.object({
    name: text({ max: userLimits.nameLength, about: 'Name.' }).optional(),
    language: oneOf(languages, 'Language: en or id.').optional(),
    time_zone: text({ max: 60, about: 'IANA time zone.', example: 'Asia/Jakarta' }).optional(),
  }),
  output: userView,
  errors: [],
  example: { input: { name: 'Sari Dewi', language: 'id' }, output: userExample, first: manualOnly },
  answer: async (ctx, caller, input) => showUser(await changeMe(ctx, userActor(caller), withCoreNames(input))),
});

const passwordRoute = route({
  ...base,
  method: 'PUT',
  path: '/me/password',
  customer: 'read',
  secret: true,
  summary: 'Change your password',
  description: 'Ends every other session of the user, and renews the cookie of this session.',
  input: z.object({ password, new_password: password }),
  output: sessionView,
  errors: [],
  example: {
    input: { password: 'correct horse battery', new_password: 'staple and a longer one' },
    output: sessionExample,
    first: manualOnly,
  },
  async answer(ctx, caller, input) {
    const customer = customerActor(caller);
    const changed = customer
      ? changeCustomerPassword(ctx, customer, withCoreNames(input))
      : changePassword(ctx, userActor(caller), withCoreNames(input));
    return answerOpened(ctx, await changed);
  },
});

const listRoute = route({
  ...base,
  method: 'GET',
  path: '/me/sessions',
  customer: 'read',
  hasTotal: true,
  summary: 'List your sessions',
  description: 'All open sessions of the user, newest first, with address, browser and account.',
  input: z.object({}),
  output: z.array(mySessionView),
  errors: [],
  example: {
    output: [
      {
        session_id: sessionExample.session_id,
        is_this: true,
        reseller_id: '1000',
        company: 'Demo Reseller',
        created_at: '2026-11-15T09:00:00Z',
        last_seen_at: '2026-11-15T10:00:00Z',
        ends_at: '2026-12-15T09:00:00Z',
        address: '192.0.2.10',
        browser: 'Mozilla/5.0',
      },
    ],
    first: manualOnly,
  },
  async answer(ctx, caller) {
    const { user } = userActor(caller);
    const customer = customerActor(caller);
    const rows = await (customer ? readCustomerSessions(ctx, customer) : readMySessions(ctx, userActor(caller)));
    return listAnswer(
      rows.map((row) => showOne(row, user.sessionId)),
      rows.length,
    );
  },
});

const ended = z.object({ ended: z.int().describe('Number of ended sessions.') });

const endOthersRoute = route({
  ...base,
  method: 'DELETE',
  path: '/me/sessions',
  customer: 'read',
  summary: 'End your other sessions',
  description: 'Signs the user out of all other sessions, in every process within five seconds.',
  input: z.object({}),
  output: ended,
  errors: [],
  example: { output: { ended: 2 }, first: manualOnly },
  async answer(ctx, caller) {
    const customer = customerActor(caller);
    const ended = customer ? endOtherCustomerSessions(ctx, customer) : endOtherSessions(ctx, userActor(caller));
    return { ended: await ended };
  },
});

const endOneRoute = route({
  ...base,
  method: 'DELETE',
  path: '/me/sessions/{session_id}',
  customer: 'read',
  summary: 'End one of your sessions',
  description: 'Ends the session, in every process within five seconds.',
  input: z.object({ session_id: text({ max: 60, about: 'Id of the session.' }) }),
  output: ended,
  errors: ['not_found'],
  example: { input: { session_id: sessionExample.session_id }, output: { ended: 1 }, first: manualOnly },
  async answer(ctx, caller, input) {
    const customer = customerActor(caller);
    await (customer
      ? endCustomerSession(ctx, customer, input.session_id)
      : endOne(ctx, userActor(caller), input.session_id));
    return { ended: 1 };
  },
});

export const meRoutes: readonly Route[] = [
  readRoute,
  changeRoute,
  passwordRoute,
  listRoute,
  endOthersRoute,
  endOneRoute,
  ...factorRoutes,
];
