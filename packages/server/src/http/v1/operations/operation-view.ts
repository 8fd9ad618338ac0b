import { z } from 'zod';
import { type Approval, guardedKinds } from '../../../core/model/approval.ts';
import { actingCustomerId } from '../../../core/model/customer-access.ts';
import { isFinal, type Operation } from '../../../core/model/operation.ts';
import { sides } from '../../../core/model/registrant-change.ts';
import { wholeSeconds } from '../../../core/whole-seconds.ts';
import type { Caller } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';

/** An operation with its request, its progress and the responses of the registry. */
export const operationView = z
  .object({
    operation_id: z.string(),
    kind: z.string(),
    state: z
      .enum(['intended', 'sent', 'unknown', 'waiting_registry', 'action_required', 'done', 'refused', 'cancelled'])
      .describe('unknown: the registry has not answered, and will be queried for the result.'),
    is_final: z.boolean(),
    domain_id: z.string().nullable(),
    domain_name: z.string().nullable(),
    contact_id: z.string().nullable(),
    domains: z
      .array(z.string())
      .nullable()
      .describe('With contact_update and holder_change: the affected domains, at most a hundred.'),
    registry: z.string().nullable(),
    transaction_id: z.string().nullable(),
    result_code: z.number().nullable().describe('Result code of the registry (RFC 5730 section 3).'),
    result_text: z.string().nullable(),
    reasons: z.array(z.string()),
    cltrid: z.string().nullable().describe('Client transaction id of the last command.'),
    svtrid: z.string().nullable().describe('Transaction id of the registry.'),
    outcome: z.record(z.string(), z.unknown()).nullable(),
    proof: z
      .enum(['answered', 'found', 'poll', 'auto_renewal', 'nothing_sent', 'operator'])
      .nullable()
      .describe(
        'With done: how the result is known. found: the response was lost, and a later query showed the success.',
      ),
    attention: z
      .object({
        why: z.string(),
        choices: z.array(z.enum(['done', 'refused', 'ask_again', 'approve', 'decline', 'new_auth_code', 'cancel'])),
      })
      .nullable()
      .describe(
        'With action_required: why a decision is needed. The operator decides, or, with the choices approve and decline, another key of your own. A move waits for the receiving reseller, a change of registrant for both registrants. Nothing is sent until then, and the money stays on hold.',
      ),
    approval: z
      .object({
        change: z.enum([...guardedKinds, 'security', 'move', 'holder']),
        wanted: z.record(z.string(), z.unknown()),
        asked_by: z.string().describe('The key or user that made the request.'),
        requester_revoked: z
          .boolean()
          .describe(
            'The requesting key was revoked, or the requesting session ended for security, while it waited: it cannot be approved, only declined.',
          ),
        until: z.string().describe('Without a decision by then, it expires.'),
        answer: z.enum(['given', 'declined', 'lapsed']).nullable(),
        answered_by: z.string().nullable(),
        answered_at: z.string().nullable(),
        confirmations: z
          .array(z.object({ side: z.enum(sides), confirmed_at: z.string().nullable() }))
          .describe(
            'For a change of registrant: the confirmations required, with their time. Null: not confirmed yet.',
          ),
      })
      .nullable()
      .describe(
        'The approval that the operation needs: by another key of the account, by the receiving reseller, or by the registrants.',
      ),
    steps: z.array(
      z.object({ name: z.string(), at: z.string(), result: z.string().nullable(), code: z.number().nullable() }),
    ),
    attempts: z.number(),
    request_id: z.string().nullable().describe('The request that ordered it.'),
    created_at: z.string(),
    updated_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({
    id: 'Operation',
    description: 'An order at a registry, with its progress and the responses of the registry.',
  });

export function showOperation(operation: Operation): z.output<typeof operationView> {
  const { request } = operation;
  return {
    operation_id: operation.id,
    kind: operation.kind,
    state: operation.state,
    is_final: isFinal(operation.state),
    domain_id: operation.domain_id,
    domain_name: 'name' in request ? request.name : null,
    contact_id: operation.contact_id,
    domains: 'domains' in request ? [...request.domains] : null,
    registry: operation.registry_id,
    transaction_id: operation.transaction_id,
    result_code: operation.result_code,
    result_text: operation.result_text,
    reasons: [...operation.reasons],
    cltrid: operation.cltrid,
    svtrid: operation.svtrid,
    outcome: JSON.parse(JSON.stringify(operation.outcome, wholeSeconds)) as Record<string, unknown> | null,
    proof: operation.proof,
    attention: operation.attention && { why: operation.attention.why, choices: [...operation.attention.choices] },
    approval: operation.approval && showApproval(operation.approval),
    steps: operation.steps.map(({ name: step, at, result, code }) => ({
      name: step,
      at: instantText(new Date(at)),
      result: result ?? null,
      code: code ?? null,
    })),
    attempts: operation.attempts,
    request_id: operation.request_id,
    created_at: instantText(operation.created_at),
    updated_at: instantText(operation.updated_at),
    finished_at: instantOrNull(operation.finished_at),
  };
}

/** The parts of an outcome that concern the customer: the new expiry, or what was changed. */
function customerOutcome({ expires_at, changed, turned_on }: Record<string, unknown>) {
  if (expires_at !== undefined) return { expires_at };
  if (changed === undefined) return null;
  return { changed, ...(turned_on === undefined ? {} : { turned_on }) };
}

/**
 * The operation as the caller may read it. A customer sees the progress and its own requests, but no registry texts and no purchases of
 * its reseller.
 */
export function showOperationTo({ customerId }: Caller, operation: Operation): z.output<typeof operationView> {
  const shown = showOperation(operation);
  if (customerId === undefined) return shown;
  const isOwn = operation.person?.id === actingCustomerId(customerId);
  const { outcome, approval } = shown;
  return {
    ...shown,
    contact_id: null,
    domains: null,
    registry: null,
    transaction_id: operation.bill_id,
    result_code: null,
    result_text: null,
    reasons: [],
    cltrid: null,
    svtrid: null,
    outcome: outcome && customerOutcome(outcome),
    attention: null,
    approval: approval && {
      ...approval,
      wanted: isOwn ? approval.wanted : {},
      asked_by: isOwn ? approval.asked_by : '',
      answered_by: null,
    },
    request_id: isOwn ? shown.request_id : null,
  };
}

function showApproval({ change, wanted, asked_by, until, answer, answered_by, answered_at, ...more }: Approval) {
  return {
    change,
    wanted: { ...wanted },
    asked_by,
    requester_revoked: more.requester_revoked ?? false,
    until: instantText(new Date(until)),
    answer: answer ?? null,
    answered_by: answered_by ?? null,
    answered_at: answered_at === undefined ? null : instantText(new Date(answered_at)),
    confirmations: sides.flatMap((side) => {
      const at = more.sides?.[side];
      return at === undefined ? [] : [{ side, confirmed_at: at === null ? null : instantText(new Date(at)) }];
    }),
  };
}

export const operationExample: z.output<typeof operationView> = {
  operation_id: 'op_06gxsvmka9v7qbwbdq2svf8e6g',
  kind: 'register',
  state: 'done',
  is_final: true,
  domain_id: '5001',
  domain_name: 'example-shop.com',
  contact_id: null,
  domains: null,
  registry: 'sandbox-com',
  transaction_id: '7001',
  result_code: 1000,
  result_text: 'Command completed successfully',
  reasons: [],
  cltrid: 'nh_06gxsvmka9v7qbwbdq2svf8e6h',
  svtrid: 'SBX-000123',
  outcome: { expires_at: '2027-11-15T09:00:00Z' },
  proof: 'answered',
  attention: null,
  approval: null,
  steps: [{ name: 'create', at: '2026-11-15T09:00:00Z', result: 'done', code: 1000 }],
  attempts: 1,
  request_id: 'req_019a86f1c0de7000a0b1c2d3e4f50617',
  created_at: '2026-11-15T09:00:00Z',
  updated_at: '2026-11-15T09:00:00Z',
  finished_at: '2026-11-15T09:00:00Z',
};
