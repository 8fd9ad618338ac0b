import type { House } from '../house.ts';
import { type Holder, holderText, isAnotherHolder } from '../policy/holder.ts';
import { type HolderChange, type Said, type Side, sides } from './holder-change.ts';

export const holderMark = (house: Pick<House, 'vault'>, holder: Holder): string =>
  house.vault.fingerprint(`holder:${holderText(holder)}`);

/** Null: nobody else holds it then, or its registry has rules of its own. */
export function holderChangeOf(
  house: Pick<House, 'vault' | 'config'>,
  said: Said,
  change: {
    readonly former: (Holder & { readonly id: string }) | null;
    readonly present: Holder | null;
    readonly isGeneric: boolean;
  },
): HolderChange | null {
  const { former, present } = change;
  if (!former || !present || !change.isGeneric || !isAnotherHolder(former, present)) return null;
  const isAgent = said.isAgent ?? house.config.holderChanges === 'agent';
  return {
    path: isAgent ? 'agent' : 'confirmations',
    isAgentSaid: said.isAgent === true,
    isLockWaived: said.isLockWaived,
    formerId: former.id,
    former: holderMark(house, former),
    present: holderMark(house, present),
  };
}

/** Whom it takes: one confirmation where one address has both. */
export const sidesOf = (former: Pick<Holder, 'email'>, present: Pick<Holder, 'email'>): readonly Side[] =>
  former.email.toLowerCase() === present.email.toLowerCase() ? ['prior'] : sides;
