import { violatedConstraint } from '@namehold/base';
import type { ResponseSpec } from '@namehold/epp';
import type { DispatchedCommand, ServerSession } from '@namehold/epp/server';
import { settleDue } from '../clockwork/settle.ts';
import { commandGrid } from './grid.ts';
import { readProduct } from './product.ts';
import { Refusal, refusalResponse } from './refusal.ts';
import { type Call, type Door, noRipples, type Registry } from './registry.ts';

/** Attribute of a session that came in by another door than the first. */
export const doorKey = 'door';

/** One command from parsed request to answer. What was due by now happens first, as if it had happened in time. */
export async function dispatch(
  registry: Registry,
  command: DispatchedCommand,
  session: ServerSession,
): Promise<ResponseSpec> {
  const at = await settleDue(registry);
  const door = (session.attributes.get(doorKey) as Door | undefined) ?? registry.door;
  const call: Call = {
    registry: { ...registry, door, tlds: door.tlds },
    clientId: session.clID as string,
    clTRID: command.clTRID ?? null,
    svTRID: registry.ids.next('NH'),
    at,
    ripples: noRipples(),
  };
  const response = await answer(call, command);
  for (const clientId of call.ripples.mailFor) registry.mailCounts.changed(clientId);
  for (const dueAt of call.ripples.dueAt) registry.horizon.note(dueAt);
  const msgQ = response.msgQ ?? (await registry.mailCounts.waiting(call.clientId));
  return { ...response, svTRID: call.svTRID, ...(msgQ && { msgQ }) };
}

async function answer(call: Call, command: DispatchedCommand): Promise<ResponseSpec> {
  try {
    const product = readProduct(call.registry.tlds, command);
    const response = await commandGrid(call, command);
    if (product === undefined) return response;
    return { ...response, ext: { ...response.ext, other: [...(response.ext?.other ?? []), product] } };
  } catch (error) {
    if (error instanceof Refusal) return refusalResponse(error);
    // Somebody linked the object between our look and our delete.
    if (/_fkey$/.test(violatedConstraint(error) ?? '')) return refusalResponse(new Refusal(2305, ['linked just now']));
    throw error;
  }
}
