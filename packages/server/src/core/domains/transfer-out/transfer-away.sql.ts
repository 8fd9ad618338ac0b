import { sql, type Tx } from '@namehold/postgres';
import type { TransferAway } from '../../model/domain.ts';

export async function setTransferAway(tx: Tx, domainId: string, away: TransferAway): Promise<void> {
  await tx.run(sql`update domain set transfer_away = ${JSON.stringify(away)}::jsonb where id = ${domainId}`);
}
