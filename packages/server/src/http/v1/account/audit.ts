import { z } from 'zod';
import { readAudit } from '../../../core/audit/read.ts';
import { allows } from '../../../core/keys/key.ts';
import { text } from '../../field.ts';
import { listAnswer, pageOf, pagingAfterId } from '../../page.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { withCoreNames } from '../common/field-names.ts';

const auditView = z
  .object({
    audit_id: z.string(),
    at: z.string(),
    key_id: z.string().nullable(),
    person_id: z.string().nullable(),
    person_name: z.string().nullable().describe('Name of the user at that time.'),
    session_id: z.string().nullable(),
    address: z.string(),
    request_id: z.string(),
    action: z.string(),
    object_type: z.string(),
    object_id: z.string(),
    object_name: z
      .string()
      .nullable()
      .describe(
        'Present name of the object: domain name, label of the key, name of the contact or customer, email address of the user. For an operation, the name of its domain. Null: the object has no name, is deleted or belongs to another account, or your scopes do not cover it.',
      ),
    before: z.unknown().describe('The values before, as an object or a list. Null: there were none.'),
    after: z.unknown().describe('The values after.'),
  })
  .meta({ id: 'AuditEntry', description: 'One change: the action, its author, time and address.' });

export const auditRoute = route({
  method: 'GET',
  path: '/account/audit',
  area: 'account',
  style: 'own',
  isList: true,
  summary: 'Read the audit log',
  description:
    'Every change in the account, newest first: the key or user, address and request, the action, and the values before and after. Secrets are hidden.',
  input: z.object({
    ...pagingAfterId,
    action: text({ max: 60, about: 'Only this action, such as key.create.' }).optional(),
    object_type: text({ max: 60, about: 'Only objects of this type.' }).optional(),
    object_id: text({ max: 100, about: 'Only this object.' }).optional(),
    key_id: text({ max: 60, about: 'Only changes by this API key.' }).optional(),
    person_id: text({
      max: 60,
      about: 'Only changes by this user, or by a customer: customer: and its id.',
    }).optional(),
  }),
  output: z.array(auditView),
  errors: [],
  example: {
    output: [
      {
        audit_id: '17',
        at: '2026-11-15T09:00:00Z',
        key_id: 'key_06gxsvmka9v7qbwbdq2svf8e6g',
        person_id: null,
        person_name: null,
        session_id: null,
        address: '192.0.2.10',
        request_id: 'req_019a86f1c0de7000a0b1c2d3e4f50617',
        action: 'key.create',
        object_type: 'key',
        object_id: 'key_06gxsvmka9v7qbwbdq2svf8e6h',
        object_name: 'billing panel',
        before: null,
        after: { label: 'billing panel' },
      },
    ],
  },
  async answer(ctx, caller, input) {
    const { rows, ...listed } = await readAudit(ctx, caller, withCoreNames(input), pageOf(input), (scope) =>
      allows(caller.scopes, scope),
    );
    return listAnswer(
      rows.map(({ id, at, ...row }) => ({ audit_id: id, at: instantText(at), ...row })),
      listed,
    );
  },
});
