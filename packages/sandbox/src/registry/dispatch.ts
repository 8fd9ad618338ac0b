import { violatedConstraint } from '@namehold/base';
import type { ResponseSpec } from '@namehold/epp';
import type { DispatchedCommand, ServerSession } from '@namehold/epp/server';
import { settleDue } from '../scheduler/settle.ts';
import { commandGrid } from './command-table.ts';
import { readProduct } from './product.ts';
import { Refusal, refusalResponse } from './refusal.ts';
import { type Call, type Endpoint, noEffects, type Registry } from './registry.ts';

/** Attribute of a session of another endpoint than the default one. */
export const endpointKey = 'door';

/** Executes one command. Changes that are due are made first, as if they had happened on time. */
export async function dispatch(
  registry: Registry,
  command: DispatchedCommand,
  session: ServerSession,
): Promise<ResponseSpec> {
  const at = await settleDue(registry);
  const endpoint = (session.attributes.get(endpointKey) as Endpoint | undefined) ?? registry.endpoint;
  const call: Call = {
    registry: { ...registry, endpoint, tlds: endpoint.tlds },
    clientId: session.clID as string,
    clTRID: command.clTRID ?? null,
    svTRID: registry.ids.next('NH'),
    at,
    effects: noEffects(),
  };
  const response = await answer(call, command);
  for (const clientId of call.effects.messagesFor) registry.messageCounts.changed(clientId);
  for (const dueAt of call.effects.dueAt) registry.horizon.note(dueAt);
  const msgQ = response.msgQ ?? (await registry.messageCounts.waiting(call.clientId));
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
    // Another transaction linked the object after our check and before our delete.
    if (/_fkey$/.test(violatedConstraint(error) ?? '')) return refusalResponse(new Refusal(2305, ['linked just now']));
    throw error;
  }
}
