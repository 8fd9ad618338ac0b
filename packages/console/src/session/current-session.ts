import { signal } from '@preact/signals';
import type { Schema } from '../api/shapes.ts';

/** The session; undefined: not read yet; null: signed out. */
export const currentSession = signal<Schema<'Session'> | null | undefined>(undefined);

/** Whether the user is a customer in the portal. */
export const isCustomer = (): boolean => Boolean(currentSession.value?.customer);

/** Whether the user can place orders. Customers need the access level `order`. */
export const mayOrder = (): boolean =>
  may('domains:write') && (!currentSession.value?.customer || currentSession.value.customer.access === 'order');

/** Whether the role includes a scope: write includes read, `full` includes everything. Same rule as in the API. */
export function may(needed: string, scopes: readonly string[] = currentSession.value?.account.scopes ?? []): boolean {
  if (scopes.includes('full') || scopes.includes(needed)) return true;
  const [area, verb] = needed.split(':');
  return verb === 'read' && (scopes.includes('read') || scopes.includes(`${area}:write`));
}
