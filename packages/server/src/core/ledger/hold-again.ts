import { type Tx, violatedConstraint } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { holdPurchaseAgain } from './ledger.sql.ts';
import type { Transaction } from './ledger.ts';

/** Reverses a release when an abandoned order turns out to have been carried out. A second call changes nothing. */
export async function holdAgain(ctx: Pick<AppContext, 'clock'>, tx: Tx, transactionId: string): Promise<Transaction> {
  try {
    const after = await holdPurchaseAgain(tx, ctx.clock.now(), transactionId);
    if (after.status === 'pending') return after;
    throw new Refusal('conflict', `Transaction ${transactionId} is ${after.status} and cannot be held again.`);
  } catch (error) {
    if (violatedConstraint(error) !== 'ledger_account_limit') throw error;
    throw new Refusal(
      'insufficient_funds',
      `The money of transaction ${transactionId} was released and spent. An account in its chain lacks the balance to pay for it now.`,
    );
  }
}
