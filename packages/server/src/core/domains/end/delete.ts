import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import { recordApprovalEvent } from '../../approvals/approval-events.ts';
import { neededApproval } from '../../approvals/needed-approval.ts';
import { audit } from '../../audit/audit.ts';
import type { DeleteRequest } from '../../model/operation-kinds.ts';
import { placeOperation, throwInProgress } from '../../operations/order.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { usersOfChildHosts } from '../life.sql.ts';

interface Deletion {
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly because?: DeleteRequest['because'];
}

export async function orderDeletion(ctx: AppContext, actor: Actor, order: Deletion): Promise<string> {
  const found = await requireDomain(ctx, actor, order.domain, order.customerId);
  requireAllowed(found, 'delete', { hostUsers: await usersOfChildHosts(ctx.db.as(allTenants), found.id) });
  try {
    ctx.failpoint('delete:before-order');
    return await ctx.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireAllowed(domain, 'delete');
      const request: DeleteRequest = { name: domain.name, because: order.because ?? 'asked' };
      const approvalRequest = { change: 'delete', wanted: {}, scopes: ['domains:write'], domainId: domain.id } as const;
      const approval = await neededApproval(ctx, tx, actor, approvalRequest);
      const id = await placeOperation(ctx, tx, actor, {
        kind: 'delete',
        domainId: domain.id,
        registryId: domain.registry_id,
        request,
        approval,
      });
      if (approval) {
        const subject = { id, reseller_id: actor.resellerId, domain_id: domain.id, domainName: domain.name };
        await recordApprovalEvent(ctx, tx, actor, subject, approval);
      }
      await audit(ctx, tx, actor, {
        action: 'domain.delete',
        objectType: 'domain',
        objectId: domain.id,
        before: { state: domain.state, expires_at: domain.end_date },
        after: { because: request.because, operation_id: id },
      });
      return id;
    });
  } catch (error) {
    throwInProgress(error);
  } finally {
    ctx.failpoint('delete:after-order');
  }
}
