import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { replaceSealed, type SealedColumn, sealedColumns, sealedPage } from './vault.sql.ts';

const rowsAtOnce = 500;

export interface Resealed {
  readonly resealed: number;
  readonly kept: number;
}

/**
 * Seals anew what a former key has sealed, while the service runs. A row that is done opens with the current key, so a run that died
 * is simply run again. Every row is looked at: what is left over afterwards is nothing.
 */
export async function resealAll(house: Pick<House, 'db' | 'vault' | 'point'>): Promise<Resealed> {
  let resealed = 0;
  let kept = 0;
  for (const column of sealedColumns) {
    for await (const change of changes(house, column)) {
      if (change) resealed += 1;
      else kept += 1;
      house.point(`master-key:row-${resealed + kept}`);
    }
  }
  return { resealed, kept };
}

async function* changes(house: Pick<House, 'db' | 'vault'>, column: SealedColumn): AsyncGenerator<boolean> {
  let after: readonly string[] | undefined;
  for (;;) {
    const page = await sealedPage(house.db.as(everyTenant), column, after, rowsAtOnce);
    for (const row of page) {
      const isCurrent = house.vault.isCurrent(row.sealed, row.context);
      if (!isCurrent) {
        const plain = house.vault.open(row.sealed, row.context);
        const sealed = column.isPacked
          ? house.vault.sealPacked(plain, row.context)
          : house.vault.seal(plain, row.context);
        await replaceSealed(house.db.alone(everyTenant), column, row, sealed);
      }
      yield !isCurrent;
    }
    after = page.at(-1)?.key;
    if (page.length < rowsAtOnce) return;
  }
}
