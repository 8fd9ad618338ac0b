import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { refusalOf } from '../../../core/domains/registry/refuse.ts';
import { isWaitingForCode } from '../../../core/domains/transfer-in/policy.ts';
import { Refusal } from '../../../core/errors.ts';
import type { Operation } from '../../../core/model/operation.ts';
import { cancelOperation } from '../../../core/operations/cancel.ts';
import { isOutage } from '../../render-error.ts';
import { Answer, type Caller } from '../../route.ts';
import { contractTime, instantText } from '../../wire.ts';

/** The response of register, renew and similar calls, finished or not. */
export const orderView = z
  .object({
    domain_id: z.string().nullable(),
    order_id: z.string().nullable(),
    transaction_id: z.string().nullable(),
    operation_id: z.string(),
    domain_name: z.string().nullable(),
    status: z
      .string()
      .describe(
        'Completed, or Pending while the operation continues. Auth Code Required: the registry refused the auth code, and the transfer waits for another.',
      ),
    operation_state: z.string(),
    expiry_date: z.string().nullable(),
    accepted_at: z.string().optional().describe('With 202: when the order was accepted.'),
    message: z.string().optional().describe('Only with 202, if the caller has to act: what to do.'),
    warnings: z.array(z.string()).optional().describe('Differences between the order as sent and as executed.'),
  })
  .meta({ id: 'Order', description: 'An order and its progress.' });

/** The body of 202: the operation continues. */
export const acceptedView = orderView
  .extend({ accepted_at: z.string() })
  .meta({ id: 'AcceptedOrder', description: 'An order in progress.' });

export function showOrder(operation: Operation): z.output<typeof orderView> {
  const { request, outcome } = operation;
  const expires = outcome && 'expires_at' in outcome ? outcome.expires_at : null;
  const codeMessage = codeMessageOf(operation);
  const warnings = 'warnings' in request ? request.warnings : undefined;
  return {
    domain_id: operation.domain_id,
    order_id: operation.domain_id,
    // Panels pay, cancel and retry by the id of the bill, if there is one.
    transaction_id: operation.bill_id ?? operation.transaction_id,
    operation_id: operation.id,
    domain_name: 'name' in request ? request.name : null,
    status: operation.state === 'done' ? 'Completed' : codeMessage ? 'Auth Code Required' : 'Pending',
    operation_state: operation.state,
    expiry_date: expires ? contractTime(new Date(expires)) : null,
    ...(codeMessage ? { message: codeMessage } : {}),
    ...(warnings ? { warnings: [...warnings] } : {}),
  };
}

/** Panels show `message` to their users and treat the order as failed. That is correct until another code is sent. */
function codeMessageOf(operation: Operation): string | undefined {
  if (!isWaitingForCode(operation)) return undefined;
  const until = String(operation.attention?.facts.until ?? '').slice(0, 10);
  return `The registry refused the auth code of ${operation.request.name}. Send another by ${until}, with PUT /v1/domains/${operation.domain_id}/auth_code or a new transfer order, or cancel the transfer.`;
}

export const orderExample: z.output<typeof orderView> = {
  domain_id: '5001',
  order_id: '5001',
  transaction_id: '7001',
  operation_id: 'op_06gxsvmka9v7qbwbdq2svf8e6g',
  domain_name: 'example-shop.com',
  status: 'Completed',
  operation_state: 'done',
  expiry_date: '2027-11-15 09:00:00',
};

/**
 * RFC 7240: `wait=n`, `respond-async`, `handling=strict`. The wait counts from the receipt of the request (section 4.3), including time
 * in a queue.
 */
export function preferences(
  caller: Caller,
  ctx: AppContext,
): { waitMs: number; isStrict: boolean; isPreferred: boolean } {
  const prefer = caller.header('prefer') ?? '';
  const wait = /(?:^|[,;\s])wait=(\d{1,3})/i.exec(prefer);
  const isAsync = /(?:^|[,;\s])respond-async/i.test(prefer);
  const wanted = isAsync && !wait ? 0 : wait ? Math.min(Number(wait[1]), 60) * 1000 : ctx.config.waitMs;
  const waitMs = Math.max(0, wanted - (performance.now() - (caller.since ?? performance.now())));
  return { waitMs, isStrict: /handling=strict/i.test(prefer), isPreferred: isAsync || wait !== null };
}

/** Runs the operation and waits as long as the caller prefers. */
export async function runAndAnswer(
  ctx: AppContext,
  caller: Caller,
  operationId: string,
  show: (operation: Operation) => unknown = showOrder,
): Promise<Answer> {
  const { waitMs, isStrict, isPreferred } = preferences(caller, ctx);
  const waited = ctx.engine.startAndWait(caller.resellerId, operationId, waitMs);
  const operation = asFor(caller, await waited.catch((error: unknown) => failAccepted(error, operationId)));
  // Nothing was sent to the registry, and the caller prefers a refusal to queueing.
  if (isStrict && operation.state === 'intended' && (await wasCancelled(ctx, caller, operationId))) {
    throw new Refusal('registry_unavailable', undefined, { retryAfterSeconds: 30 });
  }
  const answer = answerOf(operation, show);
  return answer.status === 202 && isPreferred ? withPreference(answer) : answer;
}

/** The order is committed; only its state cannot be read. */
function failAccepted(error: unknown, operationId: string): never {
  if (!isOutage(error)) throw error;
  const sentence = `The order was accepted as operation ${operationId}, but its state cannot be read now. Do not order again: read the operation later, or repeat the request with the same Idempotency-Key.`;
  const details = { retryAfterSeconds: 2, facts: { operation_id: operationId } };
  throw Object.assign(new Refusal('unavailable', sentence, details), { cause: error });
}

/** RFC 7240 section 3: sent only to callers that stated a preference. */
function withPreference({ body, status, headers }: Answer): Answer {
  return new Answer(body, { status, headers: { ...headers, 'Preference-Applied': 'respond-async' } });
}

/** False if a command was sent in the meantime. The operation then continues, and the caller gets 202. */
async function wasCancelled(ctx: AppContext, caller: Caller, operationId: string): Promise<boolean> {
  try {
    await cancelOperation(ctx, caller, operationId);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return false;
    throw error;
  }
}

/** A customer sees its own bill, but no text of the registry, which follows the colon. */
export function asFor({ customerId }: Pick<Caller, 'customerId'>, operation: Operation): Operation {
  if (customerId === undefined) return operation;
  const { outcome } = operation;
  const error = outcome?.error && { ...outcome.error, sentence: outcome.error.sentence.split(': ')[0]! };
  const own = { transaction_id: operation.bill_id, result_text: null, reasons: [], svtrid: null, cltrid: null };
  return { ...operation, ...own, ...(error ? { outcome: { ...outcome, error } } : {}) } as Operation;
}

const endOf = ({ approval }: Operation): string =>
  approval?.answer === 'lapsed' ? 'not approved in time' : (approval?.answer ?? 'cancelled');

export function answerOf(operation: Operation, show: (operation: Operation) => unknown = showOrder): Answer {
  if (operation.state === 'refused') throw refusalOf(operation);
  if (operation.state === 'cancelled')
    throw new Refusal('conflict', `Operation ${operation.id} was ${endOf(operation)}.`, {
      facts: { operation_id: operation.id },
    });
  if (operation.state === 'done') return new Answer(show(operation));
  const headers = {
    Location: `/v1/operations/${operation.id}`,
    // Waits for an approval.
    'Retry-After': operation.approval_until ? '60' : '2',
  };
  return new Answer(
    { ...showOrder(operation), accepted_at: instantText(operation.created_at) },
    { status: 202, headers },
  );
}
