import { money } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import { capture } from '../../packages/server/src/core/ledger/capture.ts';
import { hold } from '../../packages/server/src/core/ledger/hold.ts';
import type { Buyer } from './buyers.ts';
import { type Measured, measure } from './rate.ts';
import type { Stage } from './stage.ts';

const inFlight = 16;
/** A bench may measure this baseline more than once, and an operation is placed once. */
let placed = 0;

/** The baseline of money alone: a hold and a capture, a transaction each, on the same PostgreSQL. */
export async function measureLedger(stage: Stage, buyers: readonly Buyer[], count: number): Promise<Measured> {
  const { ctx } = stage;
  const pair = async (index: number) => {
    const { resellerId } = buyers[index % buyers.length]!;
    const operationId = `bench-ledger-${process.pid}-${placed++}`;
    const transactionId = await ctx.db.transaction(allTenants, async (tx) => {
      await tx.run(sql`
        insert into operation (id, reseller_id, kind, request, state, proof, due_at, created_at, updated_at, finished_at)
        values (${operationId}, ${resellerId}, 'bench', '{}', 'done', 'nothing_sent', now(), now(), now(), now())`);
      return hold(ctx, tx, {
        levels: [{ resellerId, sellerId: stage.credentials.operator.reseller_id, amount: money(1239n, 'USD') }],
        registryCost: money(1026n, 'USD'),
        operationId,
        description: 'bench',
        action: 'create',
        years: 1,
        type: 'domain',
      });
    });
    await ctx.db.transaction(allTenants, (tx) => capture(ctx, tx, { transactionId }));
  };
  await measure(200, inFlight, pair);
  return measure(count, inFlight, pair);
}
