import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../../app-context.ts';
import type { Domain } from '../../model/domain.ts';
import type { ChangeKind, EncryptedSecrets, UpdateRequest, WantedState } from '../../model/domain-change.ts';
import type { TldRules } from '../../model/tld.ts';
import { throwInProgress } from '../../operations/order.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { type ExpectedVersion, requireVersion } from '../../version.ts';
import type { Action } from '../allowed/reason.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { placeChange } from './place-change.ts';
import { placeRegistrantChange, type RegistrantChangeOrder } from './place-registrant-change.ts';

interface UpdateOrder {
  /** Id or domain name. */
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly change: ChangeKind;
  readonly secrets?: EncryptedSecrets;
  /** An approver needs one of these scopes; by default the scope for changes. */
  readonly scopes?: readonly string[];
  readonly isForced?: boolean;
  /** The version on which the caller based the change, if the caller gave one. */
  readonly expected?: ExpectedVersion | undefined;
  /** The action that is checked; by default `update`. */
  readonly action?: Action;
  /** The content whose version `expected` is. */
  content?(domain: Domain): unknown;
  /** Contacts: whether the change replaces the registrant. */
  registrantChange?(domain: Domain, wanted: WantedState, tx: Tx): Promise<RegistrantChangeOrder>;
  /** Checks the request against the locked row and returns the wanted state. */
  wanted(domain: Domain, rules: TldRules, tx: Tx): WantedState | Promise<WantedState>;
}

/** Transaction A of every change that must be sent to a registry. Returns the id of the operation to run. */
export async function orderUpdate(ctx: AppContext, actor: Actor, order: UpdateOrder): Promise<string> {
  const found = await requireDomain(ctx, actor, order.domain, order.customerId);
  try {
    ctx.failpoint('update:before-order');
    return await ctx.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireAllowed(domain, order.action ?? 'update');
      requireVersion(order.expected, order.content?.(domain));
      const wanted = await order.wanted(domain, await rulesOf(tx, domain), tx);
      const { secrets, scopes, isForced } = order;
      const registrantOrder = await order.registrantChange?.(domain, wanted, tx);
      const request: UpdateRequest = {
        name: domain.name,
        change: order.change,
        wanted,
        ...(isForced ? { isForced } : {}),
        ...(registrantOrder?.registrantChange ? { holder: registrantOrder.registrantChange } : {}),
      };
      if (registrantOrder?.registrantChange?.path === 'confirmations')
        return placeRegistrantChange(ctx, tx, actor, domain, { request, order: registrantOrder });
      return placeChange(ctx, tx, actor, domain, {
        kind: 'update',
        request,
        ...(secrets ? { secrets } : {}),
        ...(scopes ? { scopes } : {}),
      });
    });
  } catch (error) {
    throwInProgress(error);
  } finally {
    ctx.failpoint('update:after-order');
  }
}
