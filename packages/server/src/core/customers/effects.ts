import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { effectPoint } from '../effects.ts';
import type { PartyInput } from '../reference/party.ts';
import type { Customer } from './customer.ts';

interface Created {
  readonly ctx: AppContext;
  readonly tx: Tx;
  readonly actor: Actor;
  readonly customer: Customer;
  readonly party: PartyInput;
}

export const customerCreated = effectPoint<Created>('customer created');
