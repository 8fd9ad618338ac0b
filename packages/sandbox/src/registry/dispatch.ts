import { splitName } from '@namehold/base';
import { isElement, NAMESTORE, type ResponseSpec, targetsOf, type XmlElement } from '@namehold/epp';
import type { DispatchedCommand, ServerSession } from '@namehold/epp/server';
import { violatedConstraint } from '@namehold/postgres';
import { settleDue } from '../scheduler/settle.ts';
import type { SandboxTld } from '../tlds/index.ts';
import { commandGrid } from './command-table.ts';
import { Refusal, refusalResponse, refuse } from './refusal.ts';
import { type Call, type Endpoint, noEffects, type Registry } from './registry.ts';

/**
 * Verisign's namestoreExt: a command names the product of its names and hosts, and contains those of one product only. Outside hosts
 * count to any of them, if all TLDs of the registry have one. The answer repeats the product.
 */
function readProduct(tlds: ReadonlyMap<string, SandboxTld>, command: DispatchedCommand): XmlElement | undefined {
  if (command.object !== 'domain' && command.object !== 'host') return undefined;
  const element = command.ext?.other?.find(({ ns, name }) => ns === NAMESTORE.uri && name === NAMESTORE.element);
  const wanted = new Set(targetsOf(command).map((target) => productOf(tlds, target)));
  const served = new Set([...tlds.values()].map(({ product }) => product));
  const isElsewhere = command.object === 'host' && wanted.has(undefined) && !served.has(undefined);
  if (isElsewhere) wanted.delete(undefined);
  const [product, ...others] = wanted;
  if (others.length > 0) refuse(2306, 'a command has names of one product');
  if (product === undefined && !isElsewhere) return element;
  if (element === undefined) refuse(2003, 'namestoreExt is missing: name the product');
  const text = subProductOf(element);
  if (product === undefined ? !served.has(text) : text !== product)
    refuse(2306, `${text} is not the product of these names`);
  return element;
}

function productOf(tlds: ReadonlyMap<string, SandboxTld>, name: string): string | undefined {
  const tld = splitName(name.toLowerCase(), tlds)?.tld;
  return tld === undefined ? undefined : tlds.get(tld)?.product;
}

const subProductOf = (element: XmlElement): string =>
  element.children
    .filter(isElement)
    .flatMap(({ children }) => children.filter((child) => typeof child === 'string'))
    .join('')
    .trim();

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
