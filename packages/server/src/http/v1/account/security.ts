import { z } from 'zod';
import { changeSecurity, readOwnSecurity } from '../../../core/accounts/change-security.ts';
import type { Security } from '../../../core/accounts/security.ts';
import { type GuardedKind, guardedKinds } from '../../../core/approvals/guarded-kind.ts';
import { badField } from '../../../core/errors.ts';
import { list, word } from '../../field.ts';
import { route } from '../../route.ts';
import { acceptedView, runAndAnswer } from '../domains/operation-answer.ts';

const securityView = z
  .object({
    second_yes: z.array(z.enum(guardedKinds)).describe('Changes that wait until another key has said yes.'),
    theft_protection: z
      .enum(['on', 'off', 'default'])
      .describe('Whether new names start with theft protection; default: as the operator has set it.'),
  })
  .meta({ id: 'AccountSecurity', description: 'What the account has chosen for the safety of its names.' });

export function showSecurity({ second_yes, theft_protection: chosen }: Security): z.output<typeof securityView> {
  return { second_yes: [...second_yes], theft_protection: chosen === null ? 'default' : chosen ? 'on' : 'off' };
}

const chosenProtection = { on: true, off: false, default: null } as const;
const example: z.output<typeof securityView> = { second_yes: ['nameservers', 'auth_code'], theft_protection: 'on' };

function kindsOf(given: readonly string[]): GuardedKind[] {
  return given.map((text) => {
    const kind = guardedKinds.find((each) => each === text);
    if (!kind) throw badField('second_yes', `Must be one of ${guardedKinds.join(', ')}.`);
    return kind;
  });
}

export const readSecurityRoute = route({
  method: 'GET',
  path: '/account/security',
  area: 'account',
  style: 'own',
  summary: 'Read what the account has chosen for the safety of its names',
  description: 'Which changes need a second yes, and whether new names start with theft protection.',
  input: z.object({}),
  output: securityView,
  errors: [],
  example: { output: example },
  answer: async (ctx, caller) => showSecurity(await readOwnSecurity(ctx, caller)),
});

export const changeSecurityRoute = route({
  method: 'PUT',
  path: '/account/security',
  sudo: true,
  area: 'account',
  scope: 'full',
  style: 'own',
  accepted: acceptedView,
  summary: 'Choose what needs a second yes, and how new names start',
  description:
    'What is left out stays. More safety counts at once. To take a second yes away needs one itself, and so does theft protection off while there is one: the answer is 202 then, with an operation that another key with the scope full approves.',
  input: z.object({
    second_yes: list({
      max: guardedKinds.length,
      about: `Changes that wait until another key has said yes: any of ${guardedKinds.join(', ')}; an empty list for none.`,
      example: example.second_yes,
    }).optional(),
    theft_protection: word(
      ['on', 'off', 'default'],
      'Whether new names start with theft protection; default: as the operator has set it.',
    ).optional(),
  }),
  output: securityView,
  errors: ['conflict', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: example,
    output: example,
    first: 'a second key with the scope full must have come by an invitation, so that somebody can say yes',
  },
  render: showSecurity,
  async answer(ctx, caller, input) {
    const changed = await changeSecurity(ctx, caller, {
      ...(input.second_yes ? { second_yes: kindsOf(input.second_yes) } : {}),
      ...(input.theft_protection ? { theft_protection: chosenProtection[input.theft_protection] } : {}),
    });
    if (!('operationId' in changed)) return showSecurity(changed);
    return runAndAnswer(ctx, caller, changed.operationId);
  },
});
