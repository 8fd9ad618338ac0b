import type { CustomerActor } from '../../../core/customers/own-session.ts';
import type { UserActor } from '../../../core/users/own-session.ts';
import { WireRefusal } from '../../errors.ts';
import type { Caller } from '../../route.ts';

/** The customer of a session. Undefined: no customer. */
export function customerActor(caller: Caller): CustomerActor | undefined {
  const { customerId } = caller;
  return customerId === undefined ? undefined : { ...userActor(caller), customerId };
}

/** The request pipeline admits only users; this check is for the compiler. */
export function userActor(caller: Caller): UserActor {
  const { user, ...actor } = caller;
  if (!user) throw new WireRefusal('session_required');
  return { ...actor, user };
}
