import { timingSafeEqual } from 'node:crypto';
import { everyTenant } from '@namehold/base';
import { appendEvent } from '../events/append.ts';
import type { House } from '../house.ts';
import { readReport } from './delivery-report.ts';
import { markAddressBounced, markBounced } from './notice.sql.ts';
import { undelivered } from './undelivered.ts';

const sealLength = 16;
const sealOf = (house: Pick<House, 'vault'>, id: string) =>
  house.vault.fingerprint(`bounce:${id}`).slice(0, sealLength);

/** Each mail has a return address of its own, which nobody can make up: `bounce+<notice>.<seal>@...`. Nothing of it is stored. */
export function returnAddress(house: Pick<House, 'vault' | 'config'>, noticeId: string): string {
  const { mailBounce, mailFrom } = house.config;
  if (mailBounce === undefined) return mailFrom;
  const [local, domain] = mailBounce.split('@') as [string, string];
  const id = noticeId.replace(/^ntc_/, '');
  return `${local}+${id}.${sealOf(house, id)}@${domain}`;
}

/** The notice that a return address stands for; undefined: it is none of ours. */
function noticeOfReturn(house: Pick<House, 'vault'>, address: string): string | undefined {
  const [, id, seal] = /\+([0-9a-z]{26})\.([0-9a-f]{16})@/.exec(address.toLowerCase()) ?? [];
  if (id === undefined || seal === undefined) return undefined;
  const isOurs = timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(house, id)));
  return isOurs ? `ntc_${id}` : undefined;
}

export type Returned = 'marked' | 'known already' | 'no notice of ours' | 'no report of a failure';

/** A message that came back: the notice has bounced, and so does the address. What proves nothing changes nothing. */
export async function takeReturned(house: House, to: string, message: string): Promise<Returned> {
  const id = noticeOfReturn(house, to);
  if (!id) return 'no notice of ours';
  const report = readReport(message);
  if (report?.action !== 'failed') return 'no report of a failure';
  return house.db.transaction(everyTenant, async (tx) => {
    const notice = await markBounced(tx, id, `${report.status} ${report.diagnostic}`.trim());
    if (!notice) return 'known already';
    const { reseller_id: resellerId, address } = notice;
    await markAddressBounced(tx, { resellerId, address, reason: report.status }, house.clock.now());
    await appendEvent(house, tx, {
      resellerId,
      type: 'notice.undelivered',
      objectId: id,
      payload: undelivered(notice),
    });
    return 'marked';
  });
}
