import type { Queryable } from '@namehold/base';
import type { Actor, House } from '../house.ts';
import { capture } from '../ledger/capture.ts';
import { hold } from '../ledger/hold.ts';
import { changeState } from '../operations/operation.sql.ts';
import { asInProgress, placeOperation } from '../operations/order.ts';
import type { Workflow } from '../operations/run.ts';
import { draftQuote, type QuoteDraft } from '../quotes/draft.ts';
import { type PriceGuard, passPriceGuard } from '../quotes/guard.ts';
import { addYears, type Domain } from './domain.ts';
import { requireDomain } from './find.ts';
import { setPrivacy } from './privacy.sql.ts';
import { lockForPrivacy, recordPrivacy } from './privacy.ts';

export interface PrivacyOrder {
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly years: number;
  readonly guard: PriceGuard;
}

/** No registry takes part, so hold and capture are one transaction and the operation is born done. */
export async function buyPrivacy(house: House, actor: Actor, order: PrivacyOrder): Promise<string> {
  const found = await requireDomain(house, actor, order.domain, order.customerId);
  try {
    return await house.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockForPrivacy(tx, actor, found);
      const now = house.clock.now();
      const until = privacyUntil(domain, order.years, now);
      const draft = await draftOf(house, tx, actor, domain, order.years);
      const id = await placeOperation(house, tx, actor, {
        kind: 'buy_privacy',
        domainId: domain.id,
        registryId: null,
        request: { name: domain.name, years: order.years, until: until.toISOString() },
        async transactionId(operationId) {
          await passPriceGuard(tx, { resellerId: actor.resellerId, operationId, now }, draft, order.guard);
          return hold(house, tx, {
            levels: draft.levels,
            operationId,
            domainId: domain.id,
            description: `Privacy protection of ${domain.name} for ${order.years} ${order.years === 1 ? 'year' : 'years'}`,
            action: 'privacy',
            years: order.years,
            type: 'privacy_protect',
            ...(draft.cost ? { registryCost: draft.cost } : {}),
          });
        },
      });
      await capture(house, tx, { operationId: id });
      const wall = house.wall.now();
      await changeState(tx, id, '0', {
        state: 'done',
        now: wall,
        retryMs: 0,
        proof: 'nothing_sent',
        outcome: { privacy_until: until.toISOString() },
        steps: [{ name: 'settle', at: wall.toISOString(), result: 'done' }],
      });
      const after = await setPrivacy(tx, domain.id, { enabled: true, until }, now);
      await recordPrivacy(house, tx, actor, domain, after);
      return id;
    });
  } catch (error) {
    asInProgress(error);
  }
}

/** What it would cost, for a dry run. */
export async function draftPrivacy(house: House, actor: Actor, order: PrivacyOrder): Promise<QuoteDraft> {
  const found = await requireDomain(house, actor, order.domain, order.customerId);
  return house.db.transaction(actor.resellerId, async (tx) => {
    const domain = await lockForPrivacy(tx, actor, found);
    return draftOf(house, tx, actor, domain, order.years);
  });
}

function draftOf(house: House, db: Queryable, actor: Actor, domain: Domain, years: number): Promise<QuoteDraft> {
  return draftQuote(db, {
    resellerId: actor.resellerId,
    at: house.clock.now(),
    kind: 'privacy',
    domainName: domain.name,
    domainId: domain.id,
    tld: domain.tld,
    years,
  });
}

/** On top of what is left of an earlier purchase. */
function privacyUntil(domain: Domain, years: number, now: Date): Date {
  const from = domain.privacy_until && domain.privacy_until > now ? domain.privacy_until : now;
  return addYears(from, years);
}

/** Nothing to run: what the engine finds of this kind is done already. */
export const buyPrivacyWorkflow: Workflow = {
  kind: 'buy_privacy',
  run: () => Promise.resolve({ kind: 'unsent', why: 'a purchase of privacy is settled when it is made' }),
};
