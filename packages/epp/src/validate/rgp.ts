import type { RgpRestore } from '../model/extension.ts';
import { refuse } from './common.ts';

/** RFC 3915 4.2.5: every registry refuses a report without its texts. */
export function checkRestore(restore: RgpRestore): void {
  if (restore.op === 'request') return;
  const { report } = restore;
  if (report.preData === '') refuse('rgp.preData', 'empty');
  if (report.postData === '') refuse('rgp.postData', 'empty');
  if (report.reason === '') refuse('rgp.reason', 'empty');
  if (report.statements.some((statement) => statement === '')) refuse('rgp.statements', 'two statements are required');
  if (Number.isNaN(report.deletedAt.getTime())) refuse('rgp.deletedAt', 'not a time');
  if (Number.isNaN(report.restoredAt.getTime())) refuse('rgp.restoredAt', 'not a time');
}
