import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type EncryptedColumn, encryptedColumns, encryptedPage, replaceEncrypted } from './vault.sql.ts';

const rowsAtOnce = 500;

export interface Reencrypted {
  readonly resealed: number;
  readonly kept: number;
}

/**
 * Re-encrypts data of a former key while the service runs. A finished row decrypts with the current key, so an interrupted run is simply
 * repeated. Every row is checked: afterwards none is left.
 */
export async function reencryptAll(ctx: Pick<AppContext, 'db' | 'vault' | 'failpoint'>): Promise<Reencrypted> {
  let resealed = 0;
  let kept = 0;
  for (const column of encryptedColumns) {
    for await (const change of changes(ctx, column)) {
      if (change) resealed += 1;
      else kept += 1;
      ctx.failpoint(`master-key:row-${resealed + kept}`);
    }
  }
  return { resealed, kept };
}

async function* changes(ctx: Pick<AppContext, 'db' | 'vault'>, column: EncryptedColumn): AsyncGenerator<boolean> {
  let after: readonly string[] | undefined;
  for (;;) {
    const page = await encryptedPage(ctx.db.as(allTenants), column, after, rowsAtOnce);
    for (const row of page) {
      const isCurrent = ctx.vault.isCurrent(row.sealed, row.context);
      if (!isCurrent) {
        const plain = ctx.vault.open(row.sealed, row.context);
        const sealed = column.isPacked
          ? ctx.vault.encryptCompressed(plain, row.context)
          : ctx.vault.encrypt(plain, row.context);
        await replaceEncrypted(ctx.db.autocommit(allTenants), column, row, sealed);
      }
      yield !isCurrent;
    }
    after = page.at(-1)?.key;
    if (page.length < rowsAtOnce) return;
  }
}
