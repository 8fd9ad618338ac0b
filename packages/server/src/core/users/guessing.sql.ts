import { type Autocommit, type Reader, sql } from '@namehold/postgres';
import { asciiAddress } from '../reference/email.ts';

/** Milliseconds to wait for the next try; 0: this one is allowed, and counted. */
export async function takeGuess(alone: Autocommit, bucket: string, most: number, minutes: number): Promise<number> {
  const { wait } = await alone.one<{ wait: number }>(
    sql`select guess_take(${bucket}, ${most}, ${minutes} * interval '1 minute') as wait`,
  );
  return wait;
}

/** Without the sub-address, as the daily limits count it. */
export async function mailboxOf(db: Reader, email: string): Promise<string> {
  return (await db.one<{ mailbox: string }>(sql`select mailbox_key(${asciiAddress(email)}) as mailbox`)).mailbox;
}

export async function deleteGuesses(alone: Autocommit, bucket: string): Promise<void> {
  await alone.run(sql`delete from rate_bucket where bucket = ${bucket}`);
}

/** Returns the one try that was counted. */
export async function refundAttempt(alone: Autocommit, bucket: string, most: number, minutes: number): Promise<void> {
  await alone.run(sql`
    update rate_bucket set empties_at = empties_at - ${minutes} * interval '1 minute' / ${most}::integer where bucket = ${bucket}`);
}
