import type { Tx } from '@namehold/base';
import type { Actor, House } from '../../house.ts';
import { asInProgress } from '../../operations/order.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import type { TldRules } from '../../tlds/tld.ts';
import { type ExpectedVersion, requireVersion } from '../../version.ts';
import type { Action } from '../allowed/reason.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import type { Domain } from '../domain.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { placeChange } from './place-change.ts';
import { type AskedHolder, placeHolderChange } from './place-holder-change.ts';
import type { ChangeKind, SealedSecrets, UpdateRequest, WantedState } from './wanted.ts';

export interface UpdateOrder {
  /** Id or name. */
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly change: ChangeKind;
  readonly secrets?: SealedSecrets;
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
  holder?(domain: Domain, wanted: WantedState, tx: Tx): Promise<AskedHolder>;
  /** Checks the request against the row as it stands under its lock, and says how it shall be. */
  wanted(domain: Domain, rules: TldRules, tx: Tx): WantedState | Promise<WantedState>;
}

/** Transaction A of every change that a registry must know of. Answers with the id of the operation to be run. */
export async function orderUpdate(house: House, actor: Actor, order: UpdateOrder): Promise<string> {
  const found = await requireDomain(house, actor, order.domain, order.customerId);
  try {
    house.point('update:before-order');
    return await house.db.transaction(actor.resellerId, async (tx) => {
      const domain = await lockOwn(tx, actor, found.id);
      requireAllowed(domain, order.action ?? 'update');
      requireVersion(order.expected, order.content?.(domain));
      const wanted = await order.wanted(domain, await rulesOf(tx, domain.tld), tx);
      const { secrets, scopes, isForced } = order;
      const asked = await order.holder?.(domain, wanted, tx);
      const request: UpdateRequest = {
        name: domain.name,
        change: order.change,
        wanted,
        ...(isForced ? { isForced } : {}),
        ...(asked?.holder ? { holder: asked.holder } : {}),
      };
      if (asked?.holder?.path === 'confirmations')
        return placeHolderChange(house, tx, actor, domain, { request, asked });
      return placeChange(house, tx, actor, domain, {
        kind: 'update',
        request,
        ...(secrets ? { secrets } : {}),
        ...(scopes ? { scopes } : {}),
      });
    });
  } catch (error) {
    asInProgress(error);
  } finally {
    house.point('update:after-order');
  }
}
