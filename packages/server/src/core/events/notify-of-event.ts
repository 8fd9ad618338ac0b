import type { Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import type { NoticeContent } from '../notices/notify.ts';
import { notifyRegistrant } from '../notices/notify-recipients.ts';
import { findHeldName } from '../notices/recipient.sql.ts';

type Facts = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function dateOf(value: unknown): Date | null {
  const at = value instanceof Date ? value : new Date(typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Events with all the facts of their notice: the registrant is notified by whatever code appends them. */
const noticeByEvent: Readonly<Record<string, (facts: Facts) => NoticeContent>> = {
  'domain.transfer_requested': ({ registrar, action_at }) => ({
    kind: 'transfer_requested',
    facts: { registrar: textOf(registrar), until: dateOf(action_at) },
  }),
  'domain.transfer_ended': () => ({ kind: 'transfer_ended', facts: {} }),
  'domain.moved_away': () => ({ kind: 'moved_away', facts: {} }),
  'domain.transferred_away': ({ sponsor }) => ({ kind: 'transferred_away', facts: { registrar: textOf(sponsor) } }),
};

export async function notifyOfEvent(
  ctx: AppContext,
  tx: Tx,
  event: { readonly resellerId: string; readonly type: string; readonly objectId: string; readonly payload: object },
): Promise<void> {
  const notice = noticeByEvent[event.type]?.(event.payload as Facts);
  const domain = notice && (await findHeldName(tx, event.resellerId, event.objectId));
  if (domain) await notifyRegistrant(ctx, tx, domain, notice);
}
