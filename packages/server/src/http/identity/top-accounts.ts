import { allTenants } from '@namehold/postgres';
import { LRUCache } from 'lru-cache';
import { topAccountOf } from '../../core/accounts/account.sql.ts';
import type { AppContext } from '../../core/app-context.ts';

const most = 50_000;

/** The top accounts of recent callers. The parent of an account never changes, so they are not queried again. */
export class TopAccounts {
  readonly #ctx: AppContext;
  // Limited by size and not `max`, which would allocate at each start.
  readonly #known = new LRUCache<string, string>({ maxSize: most, sizeCalculation: () => 1 });

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  async of(resellerId: string): Promise<string> {
    const known = this.#known.get(resellerId);
    if (known !== undefined) return known;
    const top = await topAccountOf(this.#ctx.db.as(allTenants), resellerId);
    this.#known.set(resellerId, top);
    return top;
  }
}
