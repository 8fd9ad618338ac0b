import type { AppContext } from '../app-context.ts';
import { type RegistrantChange, type RegistrantChangeConsent, type Side, sides } from '../model/registrant-change.ts';
import { isOtherRegistrant, type Registrant, registrantText } from '../policy/registrant.ts';
import { sameAddress } from '../reference/email.ts';

export const registrantFingerprint = (ctx: Pick<AppContext, 'vault'>, registrant: Registrant): string =>
  ctx.vault.fingerprint(`holder:${registrantText(registrant)}`);

/** Null: the registrant stays the same, or the registry has rules of its own. */
export function registrantChangeOf(
  ctx: Pick<AppContext, 'vault' | 'config'>,
  consent: RegistrantChangeConsent,
  change: {
    readonly former: (Registrant & { readonly id: string }) | null;
    readonly present: Registrant | null;
    readonly isGeneric: boolean;
  },
): RegistrantChange | null {
  const { former, present } = change;
  if (!former || !present || !change.isGeneric || !isOtherRegistrant(former, present)) return null;
  const isAgent = consent.isAgent ?? ctx.config.registrantChanges === 'agent';
  return {
    path: isAgent ? 'agent' : 'confirmations',
    isAgentDeclared: consent.isAgent === true,
    isLockWaived: consent.isLockWaived,
    formerId: former.id,
    former: registrantFingerprint(ctx, former),
    present: registrantFingerprint(ctx, present),
  };
}

/** The sides that must confirm: one if both have the same address. */
export const sidesOf = (former: Pick<Registrant, 'email'>, present: Pick<Registrant, 'email'>): readonly Side[] =>
  sameAddress(former.email, present.email) ? ['prior'] : sides;
