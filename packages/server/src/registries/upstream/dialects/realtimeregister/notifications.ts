import type { PollMessage } from '../../../../core/ports/registry.ts';
import type { Dialect } from '../../dialect.ts';
import { type Fields, objectOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { accountPath, order, question } from './message.ts';

const nothing = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** The queue has one reader, because an acknowledged notification is not shown again. */
export const notificationQueue =
  ({ utcOffset }: UpstreamProfile): NonNullable<Dialect['notifications']> =>
  (send) => ({
    async poll() {
      const { reply } = await send(question(accountPath('notifications/poll')));
      if (reply.kind !== 'done') return reply;
      const body = objectOf(reply.data);
      const notification = objectOf(body?.notification);
      const id = textOf(notification?.id);
      if (!notification || id === undefined) return nothing;
      return { ...reply, data: messageOf(id, notification, Number(body?.count) || 1, utcOffset) };
    },
    async acknowledge(messageId) {
      const { reply } = await send(order(accountPath(`notifications/${encodeURIComponent(messageId)}/ack`)));
      return reply.kind === 'done' ? nothing : reply;
    },
  });

function messageOf(id: string, notification: Fields, count: number, utcOffset: string): PollMessage {
  const isDomain = /^domain$/i.test(textOf(notification.processType) ?? '');
  const name = textOf(notification.domainName) ?? (isDomain ? textOf(notification.processIdentifier) : undefined);
  return {
    id,
    queuedAt: timeOf(notification.fireDate, utcOffset),
    text: textOf(notification.message) ?? textOf(notification.eventType) ?? '',
    count,
    raw: JSON.stringify(notification),
    content: name === undefined ? { kind: 'other' } : { kind: 'domain', name: name.toLowerCase() },
  };
}
