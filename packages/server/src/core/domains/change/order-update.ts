import type { Tx } from '@namehold/base';
import type { Actor, AppContext } from '../../app-context.ts';
import { asInProgress } from '../../operations/order.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import type { TldRules } from '../../tlds/tld.ts';
import { type ExpectedVersion, requireVersion } from '../../version.ts';
import type { Action } from '../allowed/reason.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import type { Domain } from '../domain.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { placeChange } from './place-change.ts';
import { placeRegistrantChange, type RegistrantChangeOrder } from './place-registrant-change.ts';
import type { ChangeKind, EncryptedSecrets, UpdateRequest, WantedState } from './wanted.ts';

export interface UpdateOrder {
  /** Id or name. */
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly change: ChangeKind;
  readonly secrets?: EncryptedSecrets;
  /** Of which a second yes needs one; by default the right to change. */
  readonly scopes?: readonly string[];
  readonly isForced?: boolean;
  /** What it was decided upon, where the caller says so. */
  readonly expected?: ExpectedVersion | undefined;
  /** Which of the actions on a name this is; by default a change like any other. */
  readonly action?: Action;
  /** What `expected` is a version of. */
  content?(domain: Domain): unknown;
  /** Contacts: whether the name gets another holder with it. */
  holder?(domain: Domain, wanted: WantedState, tx: Tx): Promise<RegistrantChangeOrder>;
  /** Checks the request against the row as it stands under its lock, and says how it shall be. */
  wanted(domain: Domain, rules: TldRules, tx: Tx): WantedState | Promise<WantedState>;
}

/** Transaction A of every change that a registry must know of. Answers with the id of the operation to be run. */
export async function orderUpdate(ctx: AppContext, actor: Actor, order: UpdateOrder): Promise<string> {
  const found = await requireDomain(ctx, actor, order.domain, order.customerId);
  try {
    ctx.failpoint('update:before-order');
    return await ctx.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireAllowed(domain, order.action ?? 'update');
      requireVersion(order.expected, order.content?.(domain));
      const wanted = await order.wanted(domain, await rulesOf(tx, domain.tld), tx);
      const { secrets, scopes, isForced } = order;
      const registrantChange = await order.holder?.(domain, wanted, tx);
      const request: UpdateRequest = {
        name: domain.name,
        change: order.change,
        wanted,
        ...(isForced ? { isForced } : {}),
        ...(registrantChange?.holder ? { holder: registrantChange.holder } : {}),
      };
      if (registrantChange?.holder?.path === 'confirmations')
        return placeRegistrantChange(ctx, tx, actor, domain, { request, registrantChange });
      return placeChange(ctx, tx, actor, domain, {
        kind: 'update',
        request,
        ...(secrets ? { secrets } : {}),
        ...(scopes ? { scopes } : {}),
      });
    });
  } catch (error) {
    asInProgress(error);
  } finally {
    ctx.failpoint('update:after-order');
  }
}
