import { allTenants, type Database, inSnapshot, withoutTimeout } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type AuditBreak, type AuditHead, countHeads, findBreaks, findBrokenHeads, readHeads } from './chain.sql.ts';

const breaksListed = 1_000;
const headsAtOnce = 1_000;

interface AuditReport {
  readonly heads: number;
  readonly breaks: readonly AuditBreak[];
}

/** Checks the whole log against its chains, and against heads that were stored outside, if given. */
export async function verifyAudit(db: Database, kept: readonly AuditHead[] = []): Promise<AuditReport> {
  return inSnapshot(db, async (tx) => {
    await withoutTimeout(tx);
    const found = [...(await findBreaks(tx, breaksListed)), ...(await findBrokenHeads(tx, kept))];
    return { heads: await countHeads(tx), breaks: found };
  });
}

export async function allHeads(ctx: Pick<AppContext, 'db'>): Promise<AuditHead[]> {
  const heads: AuditHead[] = [];
  for (;;) {
    const page = await readHeads(ctx.db.as(allTenants), heads.at(-1)?.reseller_id ?? '0', headsAtOnce);
    heads.push(...page);
    if (page.length < headsAtOnce) return heads;
  }
}
