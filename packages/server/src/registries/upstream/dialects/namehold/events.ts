import type { PollMessage } from '../../../../core/ports/registry.ts';
import type { Dialect } from '../../dialect.ts';
import { type Fields, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';

const pageSize = 100;
/** Limit of own events for each read, so that other work is not delayed. */
const pagesPerRead = 50;
const nothing = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** The event log of the upstream replaces a poll queue. It is read from a stored cursor, which advances when a message is stored. */
export const eventLog =
  (utcOffset: string): NonNullable<Dialect['notifications']> =>
  (send, cursor) => ({
    async poll() {
      for (let page = 0; page < pagesPerRead; page += 1) {
        const after = await cursor.read();
        const query = { limit: String(pageSize), ...(after === null ? {} : { after }) };
        const { reply } = await send({ method: 'GET', path: '/events', query });
        if (reply.kind !== 'done') return reply;
        const body = objectOf(reply.data);
        const events = objectsOf(body?.events);
        const first = events.find(isChange);
        if (first) return { ...reply, data: messageOf(first, events.length, utcOffset) };
        const next = textOf(body?.next_after);
        if (next === undefined || events.length === 0 || next === after) return nothing;
        await cursor.keep(next);
      }
      return nothing;
    },
    async acknowledge(messageId) {
      await cursor.keep(messageId);
      return nothing;
    },
  });

/** Effects of our own requests are already known; only events caused by the registry or the clock are used. */
const isChange = (event: Fields): boolean => textOf(event.request_id) === undefined && nameOf(event) !== undefined;

const nameOf = (event: Fields): string | undefined => textOf(objectOf(event.payload)?.domain_name)?.toLowerCase();

function messageOf(event: Fields, count: number, utcOffset: string): PollMessage {
  return {
    id: textOf(event.event_id) ?? '',
    queuedAt: timeOf(event.at, utcOffset),
    text: (textOf(event.type) ?? '').replaceAll(/[._]/g, ' '),
    count,
    raw: JSON.stringify(event),
    content: { kind: 'domain', name: nameOf(event)! },
  };
}
