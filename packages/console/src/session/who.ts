import { signal } from '@preact/signals';
import type { Shape } from '../api/shapes.ts';

/** Who is signed in; undefined until the service said so, null when nobody is. */
export const who = signal<Shape<'Session'> | null | undefined>(undefined);

/** Whether it is a customer of the account, not one of its people. */
export const isCustomer = (): boolean => Boolean(who.value?.customer);

/** Whether it buys: a customer only where its reseller lets it order. */
export const mayOrder = (): boolean =>
  may('domains:write') && (!who.value?.customer || who.value.customer.access === 'order');

/** Whether the role has this scope: write includes read of the same area, `full` is everything. As the service has it. */
export function may(needed: string, scopes: readonly string[] = who.value?.account.scopes ?? []): boolean {
  if (scopes.includes('full') || scopes.includes(needed)) return true;
  const [area, verb] = needed.split(':');
  return verb === 'read' && (scopes.includes('read') || scopes.includes(`${area}:write`));
}
