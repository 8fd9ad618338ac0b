import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../faults/world.ts';
import { decimal } from './oracle/price-table.ts';
import { isAnswer } from './order.ts';
import type { Play } from './player.ts';
import type { Step } from './script.ts';

/** Deposits by the operator, one for each key. */
export interface Deposit {
  readonly key: string;
  readonly cents: number;
  readonly debit: boolean;
  answer: 'none' | 'booked' | 'refused';
}

async function book(installation: Installation, deposit: Deposit, via?: number, timeoutMs = 8_000): Promise<void> {
  const verb = deposit.debit ? 'debit_note' : 'fund';
  const called = await installation.call('POST', `/v1/resellers/1000/transactions/${verb}`, {
    form: { amount: decimal(deposit.cents), description: `simulated ${deposit.key}` },
    headers: { 'Idempotency-Key': deposit.key },
    as: 'operator',
    timeoutMs,
    ...(via === undefined ? {} : { via }),
  });
  if (isAnswer(called)) deposit.answer = called.status < 300 ? 'booked' : 'refused';
}

/**
 * Several concurrent deposits. The process is paused in the middle, and a client with a short timeout retries at another whose clock is
 * ahead.
 */
export async function fund({ installation, ledger, script }: Play, step: Step & { do: 'fund' }): Promise<void> {
  const deposits: Deposit[] = Array.from({ length: step.count }, (_, n) => ({
    key: `fund-${script.seed}-${ledger.deposits.length + n}`,
    cents: 101 + n * 7,
    debit: step.debit,
    answer: 'none',
  }));
  ledger.deposits.push(...deposits);
  const [first, second] = installation.services;
  const calls = deposits.map((deposit) => book(installation, deposit, 0, 30_000));
  await sleep(step.pauseAfterMs);
  if (first?.isAlive && second !== undefined) {
    installation.tally.pauses += 1;
    installation.tally.clockJumps += 1;
    ledger.skewMs = Math.max(ledger.skewMs, step.jumpS * 1_000);
    first.pause();
    second.shiftClock(step.jumpS * 1_000);
    await sleep(50);
    await Promise.all(
      deposits.filter(({ answer }) => answer === 'none').map((deposit) => book(installation, deposit, 1)),
    );
    first.resume();
    second.shiftClock(0);
  }
  await Promise.all(calls);
}

export async function bookAgain(installation: Installation, deposits: readonly Deposit[]): Promise<void> {
  for (const deposit of deposits) if (deposit.answer === 'none') await book(installation, deposit);
}
