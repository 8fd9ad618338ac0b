import { allHeads } from '../core/audit/verify.ts';
import type { Job } from './scheduler.ts';

const headsPerLine = 100;
/** What this process has logged of each reseller. */
const logged = new Map<string, string>();

/** Logs leave the machine; a head that was logged cannot be rewritten together with the log that it closes. */
export const logAuditHeads: Job = {
  name: 'log-audit-heads',
  everyMs: 3_600_000,
  async run(ctx) {
    const changed = (await allHeads(ctx)).filter((head) => logged.get(head.reseller_id) !== head.hash);
    for (let at = 0; at < changed.length; at += headsPerLine)
      ctx.log.info({ audit_heads: changed.slice(at, at + headsPerLine) }, 'heads of the audit chains');
    for (const head of changed) logged.set(head.reseller_id, head.hash);
  },
};
