import type { Actor, AppContext } from '../app-context.ts';
import { eventId } from './read.ts';

/**
 * Event ids for customers. The number of an event counts everything that happens in the account and would reveal that volume. Therefore
 * the number is encrypted with a key of the customer (a Feistel network over two halves of eight digits) and keeps its format.
 */
const half = 100_000_000n;
const rounds = 8;

type Reading = Pick<Actor, 'resellerId' | 'customerId'>;
type Keys = Pick<AppContext, 'vault'>;

function mix({ vault }: Keys, { resellerId, customerId }: Reading, round: number, value: bigint): bigint {
  const digest = vault.fingerprint(`customer-event:${resellerId}:${customerId}:${round}:${value}`);
  return BigInt(`0x${digest.slice(0, 16)}`) % half;
}

/** The id of an event for this reader. */
export function eventIdFor(ctx: Keys, reader: Reading, number: string | bigint): string {
  if (reader.customerId === undefined) return eventId(number);
  let [left, right] = [BigInt(number) / half, BigInt(number) % half];
  for (let round = 0; round < rounds; round++) [left, right] = [right, (left + mix(ctx, reader, round, right)) % half];
  return eventId(left * half + right);
}

/** The number behind an id that this reader was given. Any other id gives some number, usually beyond the log. */
export function eventNumberOf(ctx: Keys, reader: Reading, given: bigint): bigint {
  // Zero is the beginning of every log, and no event.
  if (reader.customerId === undefined || given === 0n) return given;
  let [left, right] = [given / half, given % half];
  for (let round = rounds - 1; round >= 0; round--)
    [left, right] = [(right - mix(ctx, reader, round, left) + half) % half, left];
  return left * half + right;
}
