import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { recordApprovalEvent } from '../../approvals/approval-events.ts';
import { neededApproval } from '../../approvals/needed-approval.ts';
import { audit } from '../../audit/audit.ts';
import { placeOperation, throwInProgress } from '../../operations/order.ts';
import { type DenialReason, requireDenial } from '../../policy/denial.ts';
import { tldClassOf } from '../../policy/tld-class.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { refuseUnpaidRenewal } from '../end/overdue.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { locksOf } from '../locks-of.ts';

interface Where {
  /** Id or domain name. */
  readonly domain: string;
  readonly customerId: string | undefined;
}

/** Approves the transfer at once. This has the effect of an auth code, so it needs approval if auth codes do. */
export async function orderApproval(ctx: AppContext, actor: Actor, where: Where): Promise<string> {
  const found = await requireDomain(ctx, actor, where.domain, where.customerId);
  try {
    ctx.failpoint('approve_transfer:before-order');
    return await ctx.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireAllowed(domain, 'answer_transfer');
      refuseUnpaidRenewal(domain);
      const registrar = domain.transfer_away?.registrar ?? null;
      const wanted = { approve_transfer_to: registrar };
      const approvalRequest = { change: 'auth_code', wanted, scopes: ['domains:write'], domainId: domain.id } as const;
      const approval = await neededApproval(ctx, tx, actor, approvalRequest);
      const id = await placeOperation(ctx, tx, actor, {
        kind: 'approve_transfer',
        domainId: domain.id,
        registryId: domain.registry_id,
        request: { name: domain.name, registrar },
        approval,
      });
      if (approval) {
        const subject = { id, reseller_id: actor.resellerId, domain_id: domain.id, domainName: domain.name };
        await recordApprovalEvent(ctx, tx, actor, subject, approval);
      }
      await audit(ctx, tx, actor, {
        action: 'domain.approve_transfer',
        objectType: 'domain',
        objectId: domain.id,
        after: { registrar, operation_id: id },
      });
      return id;
    });
  } catch (error) {
    throwInProgress(error);
  } finally {
    ctx.failpoint('approve_transfer:after-order');
  }
}

/** Rejects the transfer, for a reason that policy allows. */
export async function orderRejection(
  ctx: AppContext,
  actor: Actor,
  where: Where & { readonly reason: DenialReason },
): Promise<string> {
  const found = await requireDomain(ctx, actor, where.domain, where.customerId);
  const locks = await locksOf(ctx.db.as(allTenants), found, ctx.clock.now());
  try {
    ctx.failpoint('reject_transfer:before-order');
    return await ctx.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireAllowed(domain, 'answer_transfer');
      requireDenial(where.reason, domain.name, tldClassOf(domain.tld), locks);
      const registrar = domain.transfer_away?.registrar ?? null;
      const id = await placeOperation(ctx, tx, actor, {
        kind: 'reject_transfer',
        domainId: domain.id,
        registryId: domain.registry_id,
        request: { name: domain.name, registrar, reason: where.reason },
      });
      await audit(ctx, tx, actor, {
        action: 'domain.reject_transfer',
        objectType: 'domain',
        objectId: domain.id,
        after: { registrar, reason: where.reason, operation_id: id },
      });
      return id;
    });
  } catch (error) {
    throwInProgress(error);
  } finally {
    ctx.failpoint('reject_transfer:after-order');
  }
}
