import { z } from 'zod';
import type { AppContext } from '../../../../core/app-context.ts';
import type { Operation } from '../../../../core/model/operation.ts';
import type { ErrorCode } from '../../../errors.ts';
import { type Caller, type Example, type Method, type Route, route } from '../../../route.ts';
import { operationErrors } from '../buy/order-errors.ts';
import { customerCheck, domain_id, ownerCheckName } from '../buy/order-fields.ts';
import { acceptedView, runAndAnswer } from '../operation-answer.ts';
import { showUpdate } from './update-answer.ts';

interface Change<S extends z.ZodRawShape> {
  readonly method: Method;
  /** Path below /domains/{domain_id}. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly fields: S;
  /** The response body when the change is done. */
  readonly view: z.ZodType;
  readonly errors?: readonly ErrorCode[];
  readonly secret?: boolean;
  readonly sudo?: true;
  /** The access level from which customers can make it. Without one, the path does not exist for them. */
  readonly customer?: 'manage';
  readonly example: Example;
  readonly show?: (operation: Operation) => unknown;
  /** The dry run, if the call has one. */
  draft?(ctx: AppContext, caller: Caller, where: Where, input: z.output<z.ZodObject<S>>): Promise<unknown>;
  order(ctx: AppContext, caller: Caller, where: Where, input: z.output<z.ZodObject<S>>): Promise<string>;
}

export interface Where {
  readonly domain: string;
  readonly customerId: string | undefined;
}

/** Every change of a domain is an operation: 200 with its own small body if it is done in time, otherwise 202 with the operation. */
export function changeRoute<S extends z.ZodRawShape>(change: Change<S>): Route {
  return route({
    method: change.method,
    path: `/domains/{domain_id}${change.path}`,
    area: 'domains',
    style: 'contract',
    accepted: acceptedView,
    ...(change.secret ? { secret: true } : {}),
    ...(change.sudo ? { sudo: true } : {}),
    ...(change.customer ? { customer: change.customer } : {}),
    summary: change.summary,
    description: change.description,
    input: z.object({ domain_id, customer_id: customerCheck, ...change.fields }),
    ...(Object.keys(change.fields).length === 0 ? { bodyName: ownerCheckName } : {}),
    output: change.view,
    errors: [...operationErrors, ...(change.errors ?? [])],
    example: { ...change.example, input: { domain_id: '5001', ...change.example.input } },
    async answer(ctx, caller, input) {
      const given = input as unknown as z.output<z.ZodObject<S>> & { domain_id: string; customer_id?: string };
      const where = { domain: given.domain_id, customerId: given.customer_id };
      const drafted = await change.draft?.(ctx, caller, where, given);
      if (drafted !== undefined) return drafted;
      const operationId = await change.order(ctx, caller, where, given);
      return runAndAnswer(ctx, caller, operationId, change.show ?? ((operation) => showUpdate(operation, ctx)));
    },
  });
}
