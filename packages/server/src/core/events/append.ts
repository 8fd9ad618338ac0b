import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { appendedEvents } from '../commit/appended-events.sql.ts';
import { recorded } from '../commit/at-commit.ts';
import { registrarName } from '../model/registrar-name.ts';
import type { NoticeContent } from '../notices/notify.ts';
import { notifyRegistrant } from '../notices/notify-recipients.ts';
import { findHeldName } from '../notices/recipient.sql.ts';
import { wholeSeconds } from '../whole-seconds.ts';
import { type EventType, events, type PayloadOf } from './catalogue.ts';

type Facts = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function dateOf(value: unknown): Date | null {
  const at = value instanceof Date ? value : new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at;
}

const nameOf = ({ config }: AppContext, registrar: unknown) => {
  const id = textOf(registrar);
  return id === null ? null : registrarName(config, id);
};

/** Events with all the facts of their notice: the registrant is notified by whatever code appends them. */
const noticeByEvent: Readonly<Record<string, (facts: Facts, ctx: AppContext) => NoticeContent>> = {
  'domain.transfer_requested': ({ registrar, action_at }, ctx) => ({
    kind: 'transfer_requested',
    facts: { registrar: nameOf(ctx, registrar), until: dateOf(action_at) },
  }),
  'domain.transfer_ended': () => ({ kind: 'transfer_ended', facts: {} }),
  'domain.moved_away': () => ({ kind: 'moved_away', facts: {} }),
  'domain.transferred_away': ({ sponsor }, ctx) => ({
    kind: 'transferred_away',
    facts: { registrar: nameOf(ctx, sponsor) },
  }),
};

async function notifyOfEvent(
  ctx: AppContext,
  tx: Tx,
  event: { readonly resellerId: string; readonly type: string; readonly objectId: string; readonly payload: object },
): Promise<void> {
  const notice = noticeByEvent[event.type]?.(event.payload as Facts, ctx);
  const domain = notice && (await findHeldName(tx, event.resellerId, event.objectId));
  if (domain) await notifyRegistrant(ctx, tx, domain, notice);
}

/** An event of the catalogue with its payload. */
export type NewEvent = {
  [T in EventType]: {
    readonly resellerId: string;
    readonly type: T;
    readonly objectId: string;
    readonly requestId?: string | null;
    readonly payload: PayloadOf<T>;
  };
}[EventType];

const together = new WeakSet<Tx>();

/**
 * From here on the events of this transaction are written at once, at its end: the counter's lock serialises all writers of an account.
 * Only if no domain changes its owner in it: the account of an event is read when it is written.
 */
export function batchEvents(tx: Tx): void {
  together.add(tx);
}

/** In the transaction of the change, as late in it as possible. */
export async function appendEvent(ctx: AppContext, tx: Tx, event: NewEvent): Promise<void> {
  // Before the counter is taken, because others wait for it.
  await notifyOfEvent(ctx, tx, event);
  const { object: objectType } = events[event.type];
  const payload = JSON.stringify(event.payload, wholeSeconds);
  const { resellerId, type, objectId, requestId = null } = event;
  const row = { resellerId, at: ctx.clock.now(), type, objectType, objectId, requestId, payload };
  if (together.has(tx)) recorded.add(tx, { event: row });
  else await tx.run(appendedEvents([row]));
}
