import { allHeads } from '../core/audit/verify.ts';
import type { Job } from './scheduler.ts';

const headsPerLine = 100;
/** The last head of each reseller that this process has logged. */
const logged = new Map<string, string>();

/** Logs leave the machine, so a logged head cannot be changed together with the audit log that it proves. */
export const logAuditHeads: Job = {
  name: 'log-audit-heads',
  everyMs: 3_600_000,
  async run(ctx) {
    const changed = (await allHeads(ctx)).filter((head) => logged.get(head.reseller_id) !== head.hash);
    for (let at = 0; at < changed.length; at += headsPerLine)
      ctx.log.info({ audit_heads: changed.slice(at, at + headsPerLine) }, 'audit chain heads');
    for (const head of changed) logged.set(head.reseller_id, head.hash);
  },
};
