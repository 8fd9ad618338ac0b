import { z } from 'zod';
import {
  changeCustomerPassword,
  endCustomerSession,
  endOtherCustomerSessions,
  readCustomerSession,
  readCustomerSessions,
} from '../../../core/customers/own-session.ts';
import { changeMe, changePassword, readMe } from '../../../core/people/me.ts';
import { endOne, endOtherSessions, readMySessions } from '../../../core/people/own-session.ts';
import { languages, peopleLimits } from '../../../core/people/person.ts';
import type { SessionRow } from '../../../core/people/session.sql.ts';
import { text, word } from '../../field.ts';
import { listAnswer } from '../../page.ts';
import { type Route, route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { inCoreWords } from '../common/field-words.ts';
import { password } from '../common/password-field.ts';
import { atWork, customerAtWork } from '../session/at-work.ts';
import {
  answerOpened,
  personExample,
  personView,
  sessionExample,
  sessionView,
  showCustomerPerson,
  showPerson,
} from '../session/session-view.ts';
import { factorRoutes } from './factors.ts';

const base = { area: 'people', scope: null, style: 'own', forPeople: true } as const;
const byHand = 'sign in from a page or a program; the tester sends no cookies';

const mySessionView = z
  .object({
    session_id: z.string(),
    is_this: z.boolean().describe('Whether it is the one that asks.'),
    reseller_id: z.string(),
    company: z.string(),
    created_at: z.string(),
    last_seen_at: z.string(),
    ends_at: z.string(),
    address: z.string().describe('Where it was used from last.'),
    browser: z.string(),
  })
  .meta({ id: 'OpenSession', description: 'A session of the person.' });

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
  summary: 'Read the own person',
  description: 'Name, address, language and time zone of who is signed in.',
  input: z.object({}),
  output: personView,
  errors: [],
  example: { output: personExample, first: byHand },
  async answer(house, caller) {
    const customer = customerAtWork(caller);
    if (!customer) return showPerson(await readMe(house, atWork(caller)));
    const { customerId, person } = customer;
    return showCustomerPerson(await readCustomerSession(house, { customerId, sessionId: person.sessionId }));
  },
});

const changeRoute = route({
  ...base,
  method: 'PUT',
  path: '/me',
  summary: 'Change the own person',
  description: 'Name, language and time zone; what is left out stays.',
  input: z.object({
    name: text({ max: peopleLimits.nameLength, about: 'Name.' }).optional(),
    language: word(languages, 'Language: en or id.').optional(),
    time_zone: text({ max: 60, about: 'Time zone, as IANA calls it.', example: 'Asia/Jakarta' }).optional(),
  }),
  output: personView,
  errors: [],
  example: { input: { name: 'Sari Dewi', language: 'id' }, output: personExample, first: byHand },
  answer: async (house, caller, input) => showPerson(await changeMe(house, atWork(caller), inCoreWords(input))),
});

const passwordRoute = route({
  ...base,
  method: 'PUT',
  path: '/me/password',
  customer: 'read',
  secret: true,
  summary: 'Change the own password',
  description: 'Ends every other session of the person, and sets the cookie of this one anew.',
  input: z.object({ password, new_password: password }),
  output: sessionView,
  errors: [],
  example: {
    input: { password: 'correct horse battery', new_password: 'staple and a longer one' },
    output: sessionExample,
    first: byHand,
  },
  async answer(house, caller, input) {
    const customer = customerAtWork(caller);
    const changed = customer
      ? changeCustomerPassword(house, customer, inCoreWords(input))
      : changePassword(house, atWork(caller), inCoreWords(input));
    return answerOpened(house, await changed);
  },
});

const listRoute = route({
  ...base,
  method: 'GET',
  path: '/me/sessions',
  customer: 'read',
  hasTotal: true,
  summary: 'List the own sessions',
  description: 'Every open session of the person, newest first: from where, with which browser, in which account.',
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
    first: byHand,
  },
  async answer(house, caller) {
    const { person } = atWork(caller);
    const customer = customerAtWork(caller);
    const rows = await (customer ? readCustomerSessions(house, customer) : readMySessions(house, atWork(caller)));
    return listAnswer(
      rows.map((row) => showOne(row, person.sessionId)),
      rows.length,
    );
  },
});

const ended = z.object({ ended: z.int().describe('How many sessions ended.') });

const endOthersRoute = route({
  ...base,
  method: 'DELETE',
  path: '/me/sessions',
  customer: 'read',
  summary: 'End the other sessions',
  description: 'Signs the person out everywhere but here; in every process within five seconds.',
  input: z.object({}),
  output: ended,
  errors: [],
  example: { output: { ended: 2 }, first: byHand },
  async answer(house, caller) {
    const customer = customerAtWork(caller);
    const ended = customer ? endOtherCustomerSessions(house, customer) : endOtherSessions(house, atWork(caller));
    return { ended: await ended };
  },
});

const endOneRoute = route({
  ...base,
  method: 'DELETE',
  path: '/me/sessions/{session_id}',
  customer: 'read',
  summary: 'End one of the own sessions',
  description: 'Ends that session; in every process within five seconds.',
  input: z.object({ session_id: text({ max: 60, about: 'Id of the session.' }) }),
  output: ended,
  errors: ['not_found'],
  example: { input: { session_id: sessionExample.session_id }, output: { ended: 1 }, first: byHand },
  async answer(house, caller, input) {
    const customer = customerAtWork(caller);
    await (customer
      ? endCustomerSession(house, customer, input.session_id)
      : endOne(house, atWork(caller), input.session_id));
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
