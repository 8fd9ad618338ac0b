import { timingSafeEqual } from 'node:crypto';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { appendEvent } from '../events/append.ts';
import { readReport } from '../notices/delivery-report.ts';
import { markAddressBounced, markBounced } from '../notices/notice.sql.ts';
import { undelivered } from './undelivered.ts';

const signatureLength = 16;
const signatureOf = (ctx: Pick<AppContext, 'vault'>, id: string) =>
  ctx.vault.fingerprint(`bounce:${id}`).slice(0, signatureLength);

/** Each mail has its own signed return address, which cannot be forged: `bounce+<notice>.<signature>@...`. The address is not stored. */
export function returnAddress(ctx: Pick<AppContext, 'vault' | 'config'>, noticeId: string): string {
  const { mailBounce, mailFrom } = ctx.config;
  if (mailBounce === undefined) return mailFrom;
  const [local, domain] = mailBounce.split('@') as [string, string];
  const id = noticeId.replace(/^ntc_/, '');
  return `${local}+${id}.${signatureOf(ctx, id)}@${domain}`;
}

/** The notice of a return address; undefined: the address was not made here. */
function noticeOfReturn(ctx: Pick<AppContext, 'vault'>, address: string): string | undefined {
  const [, id, signature] = /\+([0-9a-z]{26})\.([0-9a-f]{16})@/.exec(address.toLowerCase()) ?? [];
  if (id === undefined || signature === undefined) return undefined;
  const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(ctx, id)));
  return isOurs ? `ntc_${id}` : undefined;
}

type Returned = 'marked' | 'known already' | 'no notice of ours' | 'no report of a failure';

/** A bounce marks the notice and the address as bounced. A message without proof changes nothing. */
export async function takeReturned(ctx: AppContext, to: string, message: string): Promise<Returned> {
  const id = noticeOfReturn(ctx, to);
  if (!id) return 'no notice of ours';
  const report = readReport(message);
  if (report?.action !== 'failed') return 'no report of a failure';
  return ctx.db.transaction(allTenants, async (tx) => {
    const notice = await markBounced(tx, id, `${report.status} ${report.diagnostic}`.trim());
    if (!notice) return 'known already';
    const { reseller_id: resellerId, address } = notice;
    await markAddressBounced(tx, { resellerId, address, reason: report.status }, ctx.clock.now());
    await appendEvent(ctx, tx, {
      resellerId,
      type: 'notice.undelivered',
      objectId: id,
      payload: undelivered(notice),
    });
    return 'marked';
  });
}
