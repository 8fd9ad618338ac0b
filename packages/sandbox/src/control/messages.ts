import type { Maintenance } from '@namehold/epp';
import { accountIds } from '../identity/accounts.ts';
import { enqueue } from '../poll/enqueue.ts';
import type { MessageBody } from '../poll/stored-data.ts';
import { noEffects, registryTenant } from '../registry/registry.ts';
import { type ControlCall, ControlError } from './control.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Adds a message to the queue of every registrar: `text` alone, with a `maintenance` (RFC 9167), or with an element of a namespace that
 * no client announces, `unknown: {"namespace": ..., "name": ..., "text": ...}`, which is placed as in RFC 9038.
 */
export const queueMessage: ControlCall = async ({ registry }, { body }) => {
  const effects = noEffects();
  const at = registry.clock.now();
  const message = { at, text: String(body.text ?? 'A message of the registry'), ...bodyOf(body, at) };
  await registry.db.transaction(registryTenant, async (tx) => {
    for (const clientId of accountIds) await enqueue(tx, effects, { clientId, ...message });
  });
  for (const clientId of effects.messagesFor) registry.messageCounts.changed(clientId);
  return { queued: accountIds.length };
};

function bodyOf(body: Body, at: Date): MessageBody {
  if (body.maintenance !== undefined) {
    return { data: { object: 'maintenance', type: 'infData', item: maintenanceOf(body.maintenance as Body, at) } };
  }
  if (body.unknown === undefined) return {};
  const { namespace, name, text } = body.unknown as Body;
  const element = { ns: String(namespace), name: String(name), attrs: {}, children: [String(text ?? '')] };
  return { data: { object: 'other', type: 'elements', elements: [element] } };
}

function dateOf(value: unknown, field: string): Date {
  const date = new Date(String(value));
  if (Number.isNaN(date.getTime())) throw new ControlError(400, `maintenance.${field} must be a date`);
  return date;
}

const maintenanceOf = (given: Body, at: Date): Maintenance => ({
  id: String(given.id ?? 'M-1'),
  types: ['Routine Maintenance'],
  pollType: String(given.poll_type ?? 'create'),
  systems: [{ name: 'EPP', impact: String(given.impact ?? 'full') }],
  environment: { type: 'production' },
  start: dateOf(given.start, 'start'),
  end: dateOf(given.end, 'end'),
  reason: String(given.reason ?? 'planned'),
  descriptions: given.description === undefined ? [] : [{ text: String(given.description) }],
  tlds: Array.isArray(given.tlds) ? given.tlds.map(String) : [],
  crDate: at,
});
