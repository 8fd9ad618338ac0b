import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { refusalOf } from '../../../core/domains/registry/refuse.ts';
import { isWaitingForCode } from '../../../core/domains/transfer-in/waits-for-code.ts';
import { Refusal } from '../../../core/errors.ts';
import { cancelOperation } from '../../../core/operations/cancel.ts';
import type { Operation } from '../../../core/operations/operation.ts';
import { isOutage } from '../../render-error.ts';
import { Answer, type Caller } from '../../route.ts';
import { contractTime, instantText } from '../../wire.ts';

/** What register, renew and the like answer with, finished or not. */
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
        'Completed, or Pending while the operation goes on. Auth Code Required: the registry refused the code of a transfer, which waits for another.',
      ),
    operation_state: z.string(),
    expiry_date: z.string().nullable(),
    accepted_at: z.string().optional().describe('With 202: when the order was taken.'),
    message: z.string().optional().describe('Only with 202 and only where the caller has to act: what to do.'),
    warnings: z.array(z.string()).optional().describe('Where the order is not carried out exactly as it was sent.'),
  })
  .meta({ id: 'Order', description: 'An order and how far it came.' });

/** 202: what was asked goes on. */
export const acceptedView = orderView
  .extend({ accepted_at: z.string() })
  .meta({ id: 'AcceptedOrder', description: 'An order that goes on.' });

export function showOrder(operation: Operation): z.output<typeof orderView> {
  const { request, outcome } = operation;
  const expires = outcome && 'expires_at' in outcome ? outcome.expires_at : null;
  const codeMessage = codeMessageOf(operation);
  const warnings = 'warnings' in request ? request.warnings : undefined;
  return {
    domain_id: operation.domain_id,
    order_id: operation.domain_id,
    // What panels pay, cancel and try again by is the bill, where there is one.
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

/** Panels show `message` to their users and take the order for failed, which it is until there is another code. */
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

/** RFC 7240: `wait=n`, `respond-async`, `handling=strict`. A wait begins when the request was received (4.3): who had to stand in line has waited already. */
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

/** Runs the operation and waits as long as the caller wishes. */
export async function runAndAnswer(
  ctx: AppContext,
  caller: Caller,
  operationId: string,
  show: (operation: Operation) => unknown = showOrder,
): Promise<Answer> {
  const { waitMs, isStrict, isPreferred } = preferences(caller, ctx);
  const waited = ctx.engine.startAndWait(caller.resellerId, operationId, waitMs);
  const operation = asFor(caller, await waited.catch((error: unknown) => failAccepted(error, operationId)));
  // Nothing has left for the registry, and the caller would rather hear so than have it queued.
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

/** RFC 7240 3: told only to who stated a preference. */
function withPreference({ body, status, headers }: Answer): Answer {
  return new Answer(body, { status, headers: { ...headers, 'Preference-Applied': 'respond-async' } });
}

/** False where a command has left in the meantime: then the order goes on, and the caller hears 202. */
async function wasCancelled(ctx: AppContext, caller: Caller, operationId: string): Promise<boolean> {
  try {
    await cancelOperation(ctx, caller, operationId);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return false;
    throw error;
  }
}

/** A customer hears of its own bill, and no words of a registry: what follows a colon is the registry's. */
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
    // A person has to say yes first.
    'Retry-After': operation.approval_until ? '60' : '2',
  };
  return new Answer(
    { ...showOrder(operation), accepted_at: instantText(operation.created_at) },
    { status: 202, headers },
  );
}
