import { z } from 'zod';
import { changeSecurity, readOwnSecurity } from '../../../core/approvals/change-security.ts';
import { badField } from '../../../core/errors.ts';
import { type GuardedKind, guardedKinds, type Security } from '../../../core/model/approval.ts';
import { formerField } from '../../aliases.ts';
import { list, oneOf } from '../../field.ts';
import { route } from '../../route.ts';
import { acceptedView, runAndAnswer } from '../domains/operation-answer.ts';

const securityView = z
  .object({
    approvals: z.array(z.enum(guardedKinds)).describe('Kinds of changes that need the approval of another key.'),
    second_yes: formerField(z.array(z.enum(guardedKinds)), 'approvals'),
    theft_protection: z
      .enum(['on', 'off', 'default'])
      .describe('Whether new domains start with theft protection. default: as set by the operator.'),
  })
  .meta({ id: 'AccountSecurity', description: 'Security settings of the account for its domains.' });

export function showSecurity({ second_yes, theft_protection: chosen }: Security): z.output<typeof securityView> {
  return {
    approvals: [...second_yes],
    second_yes: [...second_yes],
    theft_protection: chosen === null ? 'default' : chosen ? 'on' : 'off',
  };
}

const chosenProtection = { on: true, off: false, default: null } as const;
const wanted = { approvals: ['nameservers', 'auth_code'], theft_protection: 'on' } as const;
const example = { ...wanted, approvals: [...wanted.approvals], second_yes: [...wanted.approvals] } satisfies z.output<
  typeof securityView
>;

function kindsOf(given: readonly string[]): GuardedKind[] {
  return given.map((text) => {
    const kind = guardedKinds.find((each) => each === text);
    if (!kind) throw badField('approvals', `Must be one of ${guardedKinds.join(', ')}.`);
    return kind;
  });
}

export const readSecurityRoute = route({
  method: 'GET',
  path: '/account/security',
  area: 'account',
  style: 'own',
  summary: 'Read the security settings of the account',
  description: 'The kinds of changes that need approval, and whether new domains start with theft protection.',
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
  former: { since: '2026-11-18', names: { approvals: 'second_yes' } },
  accepted: acceptedView,
  summary: 'Change the security settings of the account',
  description:
    'Omitted fields stay. A stricter setting applies immediately. Removing a kind from `approvals` needs approval itself. So does switching theft protection off while `approvals` is not empty. The answer is then 202 with an operation that another key with the scope full must approve.',
  input: z.object({
    approvals: list({
      max: guardedKinds.length,
      about: `Kinds of changes that need the approval of another key: any of ${guardedKinds.join(', ')}. An empty list: none.`,
      example: example.approvals,
    }).optional(),
    theft_protection: oneOf(
      ['on', 'off', 'default'],
      'Whether new domains start with theft protection. default: as set by the operator.',
    ).optional(),
  }),
  output: securityView,
  errors: ['conflict', 'idempotency_in_flight', 'idempotency_mismatch'],
  example: {
    input: wanted,
    output: example,
    first: 'requires a second key with the scope full, obtained by an invitation, which can approve',
  },
  render: showSecurity,
  async answer(ctx, caller, input) {
    const changed = await changeSecurity(ctx, caller, {
      ...(input.approvals ? { second_yes: kindsOf(input.approvals) } : {}),
      ...(input.theft_protection ? { theft_protection: chosenProtection[input.theft_protection] } : {}),
    });
    if (!('operationId' in changed)) return showSecurity(changed);
    return runAndAnswer(ctx, caller, changed.operationId);
  },
});
