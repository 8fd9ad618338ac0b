import { z } from 'zod';
import type { Approval } from '../../../core/approvals/approval.ts';
import { guardedKinds } from '../../../core/approvals/guarded-kind.ts';
import { actingCustomerId } from '../../../core/customers/access.ts';
import { isFinal, type Operation } from '../../../core/operations/operation.ts';
import { sides } from '../../../core/registrant-change/registrant-change.ts';
import { wholeSeconds } from '../../../core/whole-seconds.ts';
import type { Caller } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';

/** An operation with its evidence: what was asked, how far it got, what the registry said. */
export const operationView = z
  .object({
    operation_id: z.string(),
    kind: z.string(),
    state: z
      .enum(['intended', 'sent', 'unknown', 'waiting_registry', 'action_required', 'done', 'refused', 'cancelled'])
      .describe('unknown: the registry has not answered; it will be asked what is true.'),
    is_final: z.boolean(),
    domain_id: z.string().nullable(),
    domain_name: z.string().nullable(),
    contact_id: z.string().nullable(),
    domains: z
      .array(z.string())
      .nullable()
      .describe('With contact_update and holder_change: the names that it touches, the first hundred.'),
    registry: z.string().nullable(),
    transaction_id: z.string().nullable(),
    result_code: z.number().nullable().describe('What the registry answered (RFC 5730 section 3).'),
    result_text: z.string().nullable(),
    reasons: z.array(z.string()),
    cltrid: z.string().nullable().describe('Transaction id of the last command on our side.'),
    svtrid: z.string().nullable().describe('Transaction id on the side of the registry.'),
    outcome: z.record(z.string(), z.unknown()).nullable(),
    proof: z
      .enum(['answered', 'found', 'poll', 'auto_renewal', 'nothing_sent', 'operator'])
      .nullable()
      .describe(
        'With done: by what it is known. found: the answer was lost, and a question brought the success to light.',
      ),
    attention: z
      .object({
        why: z.string(),
        choices: z.array(z.enum(['done', 'refused', 'ask_again', 'approve', 'decline', 'new_auth_code', 'cancel'])),
      })
      .nullable()
      .describe(
        'With action_required: why somebody must decide, the operator or, with the choices approve and decline, another key of your own. A move waits for the reseller that gets the name, a change of the holder for both holders. Nothing more is sent until then; the money stays on hold.',
      ),
    approval: z
      .object({
        change: z.enum([...guardedKinds, 'security', 'move', 'holder']),
        wanted: z.record(z.string(), z.unknown()),
        asked_by: z.string().describe('The key or person that asked.'),
        until: z.string().describe('Without an answer by then it lapses.'),
        answer: z.enum(['given', 'declined', 'lapsed']).nullable(),
        answered_by: z.string().nullable(),
        answered_at: z.string().nullable(),
        confirmations: z
          .array(z.object({ side: z.enum(sides), confirmed_at: z.string().nullable() }))
          .describe('Of a change of the holder: who has to confirm it, and when they did; null: not yet.'),
      })
      .nullable()
      .describe(
        'Where it has to wait for a yes (a second one of the account, the taker of a move, the holders): what for, by whom, and how it was answered.',
      ),
    steps: z.array(
      z.object({ name: z.string(), at: z.string(), result: z.string().nullable(), code: z.number().nullable() }),
    ),
    attempts: z.number(),
    request_id: z.string().nullable().describe('The request that asked for it.'),
    created_at: z.string(),
    updated_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'Operation', description: 'What was asked of a registry, how far it got, and what the registry said.' });

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

/** As whoever asks may read it. For a customer: how far it got, and what it asked for itself; no words of a registry, no purchase of its reseller. */
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
    outcome: outcome && 'expires_at' in outcome ? { expires_at: outcome.expires_at } : null,
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

function showApproval({ change, wanted, asked_by, until, answer, answered_by, answered_at, ...holders }: Approval) {
  return {
    change,
    wanted: { ...wanted },
    asked_by,
    until: instantText(new Date(until)),
    answer: answer ?? null,
    answered_by: answered_by ?? null,
    answered_at: answered_at === undefined ? null : instantText(new Date(answered_at)),
    confirmations: sides.flatMap((side) => {
      const at = holders.sides?.[side];
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
