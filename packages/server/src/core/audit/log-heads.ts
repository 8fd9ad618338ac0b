import type { AppContext } from '../app-context.ts';
import { allHeads } from './verify.ts';

const headsPerLine = 100;
/** The last head of each reseller that this process has logged. */
const logged = new Map<string, string>();

/** Logs leave the machine, so a logged head cannot be changed together with the audit log that it proves. */
export async function logAuditHeads(ctx: AppContext): Promise<void> {
  const changed = (await allHeads(ctx)).filter((head) => logged.get(head.reseller_id) !== head.hash);
  for (let at = 0; at < changed.length; at += headsPerLine)
    ctx.log.info({ audit_heads: changed.slice(at, at + headsPerLine) }, 'audit chain heads');
  for (const head of changed) logged.set(head.reseller_id, head.hash);
}
