import type { Name } from '@namehold/dns';
import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { effectPoint } from '../effects.ts';
import type { Domain } from '../model/domain.ts';
import type { ZoneDraft } from './change/draft.ts';

interface Ending {
  readonly ctx: AppContext;
  readonly tx: Tx;
  readonly actor: Actor;
  readonly domain: Domain;
}

/** Before an active zone is deleted. Services restore the records of its owner. */
export const zoneEnding = effectPoint<Ending>('zone ending');

interface TakenOver {
  readonly ctx: AppContext;
  readonly actor: Actor;
  readonly domain: Domain;
  readonly draft: ZoneDraft;
  /** Names and types that the owner sets. */
  readonly places: readonly { readonly owner: Name; readonly kind: string }[];
}

/** Before the owner's records are put on the draft. Services end at these names. */
export const recordsTakenOver = effectPoint<TakenOver>('records taken over');
