import { allTenants, type Tx } from '@namehold/postgres';
import { type Actor, type AppContext, actingId } from '../../app-context.ts';
import { recordApprovalEvent } from '../../approvals/approval-events.ts';
import { recordMoveEvents } from '../../approvals/move-events.ts';
import { neededApproval } from '../../approvals/needed-approval.ts';
import { audit } from '../../audit/audit.ts';
import { shareCustomer } from '../../customers/customer.sql.ts';
import { badField, Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import type { MoveRequest } from '../../model/operation-kinds.ts';
import { placeOperation, throwInProgress } from '../../operations/order.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { defaultFor } from './contacts.ts';
import { setTaker, waitingMoves } from './move.sql.ts';
import { moveLimits } from './move.ts';
import { requireMovable } from './require-movable.ts';

interface MoveOrder {
  /** Id or domain name. */
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly existingCustomerId: string;
  readonly newResellerId: string;
  readonly newCustomerId: string;
  readonly contacts: MoveRequest['contacts'];
}

/** Returns the id of the operation: one to be run, or one that waits for the other side. */
export async function orderMove(ctx: AppContext, actor: Actor, order: MoveOrder): Promise<string> {
  const found = await requireDomain(ctx, actor, order.domain, order.customerId);
  if (found.customer_id !== order.existingCustomerId)
    throw badField('existingCustomerId', `This is not the customer of ${found.name}.`, 'not_found');
  const place = order.newResellerId === actor.resellerId ? placeWithin : placeOffer;
  // A reseller's own login can move domains among its own customers; a move to another account needs the login that bypasses row-level
  // security.
  const login = order.newResellerId === actor.resellerId ? actor.resellerId : allTenants;
  try {
    ctx.failpoint('move:before-order');
    return await ctx.db.transaction(login, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      const id = await place(ctx, tx, actor, domain, {
        name: domain.name,
        from_customer_id: domain.customer_id,
        new_reseller_id: order.newResellerId,
        new_customer_id: order.newCustomerId,
        contacts: order.contacts,
      });
      await audit(ctx, tx, actor, {
        action: 'domain.move',
        objectType: 'domain',
        objectId: domain.id,
        before: { customer_id: domain.customer_id },
        after: {
          new_reseller_id: order.newResellerId,
          new_customer_id: order.newCustomerId,
          contacts: order.contacts,
          operation_id: id,
        },
      });
      return id;
    });
  } catch (error) {
    throwInProgress(error);
  } finally {
    ctx.failpoint('move:after-order');
  }
}

type Place = (ctx: AppContext, tx: Tx, actor: Actor, domain: Domain, request: MoveRequest) => Promise<string>;

/** Between customers of one reseller no acceptance is needed. If the account protects changes by approval, the move needs approval too. */
const placeWithin: Place = async (ctx, tx, actor, domain, request) => {
  if (request.new_customer_id === domain.customer_id)
    throw badField('newCustomerId', `This customer already has ${domain.name}.`);
  if (!(await shareCustomer(tx, actor.resellerId, request.new_customer_id)))
    throw badField('newCustomerId', 'Customer not found.', 'not_found');
  requireAllowed(domain, 'update');
  if (request.contacts === 'default') await defaultFor(ctx, tx, request, await rulesOf(tx, domain));
  const { name, from_customer_id: _, ...wanted } = request;
  const approvalRequest = { change: 'move', wanted, scopes: ['domains:write'], domainId: domain.id } as const;
  const approval = await neededApproval(ctx, tx, actor, approvalRequest);
  const id = await placeOperation(ctx, tx, actor, {
    kind: 'move',
    domainId: domain.id,
    registryId: domain.registry_id,
    request,
    approval,
  });
  const subject = { id, reseller_id: actor.resellerId, domain_id: domain.id, domainName: name };
  if (approval) await recordApprovalEvent(ctx, tx, actor, subject, approval);
  return id;
};

/**
 * To another reseller: an offer. The answer does not reveal whether that reseller and customer exist: until the offer is answered, both
 * cases look the same. If the account protects changes by approval, the offer needs one first.
 */
const placeOffer: Place = async (ctx, tx, actor, domain, request) => {
  await requireMovable(ctx, tx, domain);
  const waiting = await waitingMoves(tx, actor.resellerId, domain.id);
  if (waiting.id !== null)
    throw new Refusal(
      'conflict',
      `${domain.name} is already offered by operation ${waiting.id}. Reject that offer first.`,
      {
        facts: { operationId: waiting.id },
      },
    );
  if (waiting.n >= moveLimits.waiting)
    throw new Refusal(
      'conflict',
      `${moveLimits.waiting} offers are already waiting for an answer. Reject some of them first.`,
    );
  const { name, from_customer_id: _, ...wanted } = request;
  const scopes = ['domains:write'];
  const second = await neededApproval(ctx, tx, actor, { change: 'move', wanted, scopes, domainId: domain.id });
  const until = new Date(ctx.clock.now().getTime() + ctx.config.approvalHours * 3_600_000).toISOString();
  const approvalRequest = { change: 'move', wanted, scopes, asked_by: actingId(actor) ?? '', until } as const;
  const approval = second ? approvalRequest : ({ ...approvalRequest, awaits: 'taker' } as const);
  const id = await placeOperation(ctx, tx, actor, {
    kind: 'move',
    domainId: domain.id,
    registryId: domain.registry_id,
    request,
    approval,
  });
  const subject = { id, reseller_id: actor.resellerId, domain_id: domain.id, domainName: name };
  if (second) await recordApprovalEvent(ctx, tx, actor, subject, approval);
  else {
    const takerId = await setTaker(tx, id);
    await recordMoveEvents(ctx, tx, { ...subject, taker_id: takerId, request, approval }, 'move.offered');
  }
  return id;
};
