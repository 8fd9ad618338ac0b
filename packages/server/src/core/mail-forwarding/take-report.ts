import { createHash } from 'node:crypto';
import { allTenants, type Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type DeliveryReport, readReports } from '../notices/delivery-report.ts';
import { addMailCounts, isNewReport } from './counts.sql.ts';
import { forwardedId } from './mail-domain.sql.ts';
import { noteFailure } from './note-failure.ts';

/** Refusals because of the message itself (size, content, policy, spam) do not count against the target. */
const aboutTheMail = /^5\.(2\.3|3\.4|6\.\d+|7\.\d+)$/;
const isHard = ({ action, status }: DeliveryReport) =>
  action === 'failed' && status.startsWith('5.') && !aboutTheMail.test(status);

/** A report that Postfix sends again has the same id. */
function nameOf(message: string): string {
  const [head = ''] = message.split(/\r?\n\r?\n/, 1);
  const named = /^message-id:\s*(\S+)\s*$/im.exec(head)?.[1];
  return createHash('sha256')
    .update(named ?? message)
    .digest('hex');
}

/** Processes a report of a mail host: targets that refused a message permanently. Each report counts once. */
export async function takeReport(ctx: AppContext, message: string): Promise<number> {
  const reports = readReports(message);
  if (reports.length === 0) return 0;
  return ctx.db.transaction(allTenants, async (tx) => {
    if (!(await isNewReport(tx, nameOf(message)))) return 0;
    let noted = 0;
    for (const report of reports) if (await note(ctx, tx, report)) noted += 1;
    return noted;
  });
}

async function note(ctx: AppContext, tx: Tx, report: DeliveryReport): Promise<boolean> {
  const name = report.writtenTo.split('@').at(-1)!.toLowerCase();
  const domainId = name === '' ? undefined : await forwardedId(tx, name);
  if (domainId === undefined || report.action !== 'failed') return false;
  const hour = new Date(Math.floor(ctx.wall.now().getTime() / 3_600_000) * 3_600_000);
  await addMailCounts(tx, [{ domain_id: domainId, hour, outcome: 'bounced', messages: 1 }]);
  if (!isHard(report)) return false;
  await noteFailure(ctx, tx, domainId, report.recipient);
  return true;
}
