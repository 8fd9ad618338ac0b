import type { CustomerAtWork } from '../../../core/customers/own-session.ts';
import type { PersonAtWork } from '../../../core/people/own-session.ts';
import { WireRefusal } from '../../errors.ts';
import type { Caller } from '../../route.ts';

/** A customer in its session; undefined: somebody else. */
export function customerAtWork(caller: Caller): CustomerAtWork | undefined {
  const { customerId } = caller;
  return customerId === undefined ? undefined : { ...atWork(caller), customerId };
}

/** The front door lets nobody else in; this tells the compiler. */
export function atWork(caller: Caller): PersonAtWork {
  const { person, ...actor } = caller;
  if (!person) throw new WireRefusal('session_required');
  return { ...actor, person };
}
