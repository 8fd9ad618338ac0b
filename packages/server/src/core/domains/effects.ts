import type { Reader, Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { effectPoint } from '../effects.ts';
import type { Domain } from '../model/domain.ts';
import type { WantedState } from '../model/domain-change.ts';
import type { TldRules } from '../model/tld.ts';
import type { RegistrantToVerifyRow, VerificationWait } from '../model/verification.ts';

/** In the transaction of the change. */
interface Change {
  readonly ctx: AppContext;
  readonly tx: Tx;
  readonly actor: Actor;
}

interface Registered extends Change {
  readonly domain: Domain;
  readonly rules: TldRules;
  /** This transaction made it active. False: an earlier one did. */
  readonly isActivated: boolean;
  /** The registrant's wait for confirmation, if it began with the same statement. */
  readonly verification: { readonly registrant: RegistrantToVerifyRow; readonly wait: VerificationWait } | undefined;
}

/** An ordered domain is registered. */
export const domainRegistered = effectPoint<Registered>('domain registered');

/** A domain of another registrar arrived. */
export const domainTransferredIn = effectPoint<Change & { readonly domain: Domain }>('domain transferred in');

interface Updated extends Change {
  readonly before: Domain;
  readonly domain: Domain;
  readonly wanted: WantedState;
}

/** The registry has the wanted state, and so has our row. */
export const domainUpdated = effectPoint<Updated>('domain updated');

interface Delegation {
  readonly ctx: AppContext;
  readonly db: Reader;
  readonly domain: Pick<Domain, 'id' | 'reseller_id' | 'name' | 'nameservers' | 'ds'>;
  readonly nameservers: readonly string[];
  readonly isForced: boolean;
}

/** Before a change of nameservers is ordered or carried out. An effect refuses a change that would break the domain. */
export const delegationRequested = effectPoint<Delegation>('delegation requested');

interface MovedWithin extends Change {
  /** As it was before. */
  readonly domain: Domain;
  readonly customerId: string;
  readonly registrantId: string | null;
}

/** A domain has another customer of the same reseller. */
export const domainMovedToCustomer = effectPoint<MovedWithin>('domain moved to customer');

interface MovedAway extends Change {
  readonly from: Domain;
  /** The row at the new reseller. */
  readonly to: Pick<
    Domain,
    'id' | 'reseller_id' | 'customer_id' | 'name' | 'tld' | 'registry_id' | 'registrant_contact_id'
  >;
}

/** A domain has another reseller, with a new row. */
export const domainMovedToReseller = effectPoint<MovedAway>('domain moved to reseller');
