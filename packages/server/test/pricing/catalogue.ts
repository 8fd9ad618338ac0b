import { allTenants, sql } from '@namehold/postgres';
import type { TestContext } from '../ledger/context.ts';

/** Offered TLDs, with only the fields that a price list reads. */
export async function offerTlds(t: TestContext, years: Record<string, number>): Promise<void> {
  await t.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`insert into tld_catalogue (source, checksum, loaded_at) values ('test', 'test', now())`);
    for (const [name, max] of Object.entries(years)) {
      await tx.run(sql`
        insert into tld (name, label, catalogue_version, is_offered, rules, updated_at)
        select ${name}, ${`.${name}`}, max(version), true, ${JSON.stringify({ periods: { min_years: 1, max_years: max } })}::jsonb, now()
        from tld_catalogue`);
    }
  });
}
