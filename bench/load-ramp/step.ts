import { setTimeout as sleep } from 'node:timers/promises';
import { type Buyer, registration } from '../domains/buyers.ts';
import type { Stage } from '../domains/stage.ts';

export interface LoadRamp {
  readonly stage: Stage;
  readonly buyers: readonly Buyer[];
  /** Ordered names with the returned status; 0: no answer. */
  readonly bought: Map<string, number>;
  next: number;
}

export interface Step {
  readonly rate: number;
  readonly perSecond: number;
  readonly readP95Ms: number;
  readonly buyP95Ms: number;
  /** 429 and 503 with Retry-After: refused early, nothing started. */
  readonly refused: number;
  /** The same without Retry-After. */
  readonly rude: number;
  readonly errors: number;
  readonly unanswered: number;
  readonly worstTurnMs: number;
}

const answerLimitMs = 10_000;
const tickMs = 10;
/** The percentage of requests that buy a domain; the others read. */
const buysInHundred = 5;

/** Requests start at this rate, whether or not earlier ones are answered, as in production. */
export async function runStep(ramp: LoadRamp, rate: number, stepMs: number): Promise<Step> {
  const reads: number[] = [];
  const buys: number[] = [];
  const counts = { refused: 0, rude: 0, errors: 0, unanswered: 0, answered: 0 };
  ramp.stage.watchStalls();
  const began = performance.now();
  const under: Promise<void>[] = [];
  for (let begun = 0; performance.now() - began < stepMs; ) {
    const due = Math.floor(((performance.now() - began) / 1_000) * rate);
    for (; begun < due; begun++) under.push(one(ramp, reads, buys, counts));
    await sleep(tickMs);
  }
  await Promise.all(under);
  const seconds = (performance.now() - began) / 1_000;
  return {
    rate,
    perSecond: counts.answered / seconds,
    readP95Ms: p95(reads),
    buyP95Ms: p95(buys),
    refused: counts.refused,
    rude: counts.rude,
    errors: counts.errors,
    unanswered: counts.unanswered,
    worstTurnMs: ramp.stage.worstTurnMs(),
  };
}

async function one(
  ramp: LoadRamp,
  reads: number[],
  buys: number[],
  counts: { refused: number; rude: number; errors: number; unanswered: number; answered: number },
): Promise<void> {
  const index = ramp.next++;
  const buyer = ramp.buyers[index % ramp.buyers.length]!;
  const isBuy = index % 100 < buysInHundred;
  const name = `climb-${index}.com`;
  const began = performance.now();
  const called = await (isBuy
    ? ramp.stage.call(buyer.credentials, 'POST', '/v1/domains', {
        form: { ...registration(buyer, name), years: '1' },
        headers: { 'Idempotency-Key': name },
        limitMs: answerLimitMs,
      })
    : ramp.stage.call(buyer.credentials, 'GET', index % 2 ? '/v1/account/profile' : '/v1/customers?limit=10', {
        limitMs: answerLimitMs,
      })
  ).catch(() => undefined);
  const tookMs = performance.now() - began;
  if (isBuy) ramp.bought.set(name, called?.status ?? 0);
  if (!called) {
    counts.unanswered += 1;
    return;
  }
  counts.answered += 1;
  if (called.status === 429 || called.status === 503) {
    if (called.retryAfter === null) counts.rude += 1;
    else counts.refused += 1;
  } else if (called.status >= 500) counts.errors += 1;
  else if (isBuy) buys.push(tookMs);
  else reads.push(tookMs);
}

function p95(list: number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0;
}
