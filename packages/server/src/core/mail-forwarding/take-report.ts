import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { type DeliveryReport, readReports } from '../notices/delivery-report.ts';
import { addMailCounts } from './counts.sql.ts';
import { forwardedId } from './mail-domain.sql.ts';
import { noteFailure } from './note-failure.ts';

/** What is wrong with the mail itself (size, content, policy, spam) says nothing about the target. */
const aboutTheMail = /^5\.(2\.3|3\.4|6\.\d+|7\.\d+)$/;
const isHard = ({ action, status }: DeliveryReport) =>
  action === 'failed' && status.startsWith('5.') && !aboutTheMail.test(status);

/** What a mail host reports of mail that it could not send on: so many targets refused it for good. */
export async function takeReport(house: House, message: string): Promise<number> {
  let noted = 0;
  for (const report of readReports(message)) {
    const name = report.writtenTo.split('@').at(-1)!.toLowerCase();
    const domainId = name === '' ? undefined : await forwardedId(house.db.as(everyTenant), name);
    if (domainId === undefined || report.action !== 'failed') continue;
    const hour = new Date(Math.floor(house.wall.now().getTime() / 3_600_000) * 3_600_000);
    await house.db.transaction(everyTenant, (tx) =>
      addMailCounts(tx, [{ domain_id: domainId, hour, outcome: 'bounced', messages: 1 }]),
    );
    if (!isHard(report)) continue;
    await noteFailure(house, domainId, report.recipient);
    noted += 1;
  }
  return noted;
}
