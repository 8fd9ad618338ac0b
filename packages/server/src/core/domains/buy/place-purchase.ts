import { formatMoney, type Tx } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import type { Actor, House } from '../../house.ts';
import { hold } from '../../ledger/hold.ts';
import type { Kinds } from '../../operations/kinds.ts';
import { placeOperation } from '../../operations/order.ts';
import type { QuoteDraft } from '../../quotes/draft.ts';
import { type PriceGuard, passPriceGuard } from '../../quotes/guard.ts';
import type { Domain } from '../domain.ts';

export interface DomainPurchase<K extends 'renew' | 'restore'> {
  readonly kind: K;
  readonly domain: Domain;
  readonly draft: QuoteDraft;
  readonly guard: PriceGuard;
  readonly years: number;
  readonly description: string;
  readonly request: Kinds[K]['request'];
}

/** Transaction A of what is bought for a name that we hold: guard, hold, operation, audit. The caller holds the row's lock. */
export async function placePurchase<K extends 'renew' | 'restore'>(
  house: House,
  tx: Tx,
  actor: Actor,
  p: DomainPurchase<K>,
): Promise<string> {
  const { domain, draft } = p;
  const operationId = await placeOperation(house, tx, actor, {
    kind: p.kind,
    domainId: domain.id,
    registryId: domain.registry_id,
    request: p.request,
    async transactionId(id) {
      const buyer = { resellerId: actor.resellerId, operationId: id, now: house.clock.now() };
      await passPriceGuard(tx, buyer, draft, p.guard);
      return hold(house, tx, {
        levels: draft.levels,
        operationId: id,
        domainId: domain.id,
        description: p.description,
        action: p.kind,
        years: p.years,
        type: 'domain',
        ...(draft.cost ? { registryCost: draft.cost } : {}),
      });
    },
  });
  await audit(house, tx, actor, {
    action: `domain.${p.kind}`,
    objectType: 'domain',
    objectId: domain.id,
    after: { ...p.request, operation_id: operationId, total: `${formatMoney(draft.total)} ${draft.total.currency}` },
  });
  return operationId;
}
