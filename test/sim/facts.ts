import { setTimeout as sleep } from 'node:timers/promises';
import type { World, WorldCall } from '../faults/world.ts';
import { cents } from './price-table.ts';

/** A line of the registry's own statement: what it did, when, and what it took for it. */
export interface Line {
  readonly id: number;
  readonly at: number;
  readonly kind: 'charge' | 'refund' | 'deposit';
  readonly command: string;
  readonly domain: string;
  readonly years: number;
  readonly clTRID: string | null;
  /** A charge that was given back. */
  isRefunded: boolean;
}

const linesPerPage = 1_000;

interface RawLine {
  readonly id: string;
  readonly at: string;
  readonly kind: Line['kind'];
  readonly command: string;
  readonly domain: string | null;
  readonly years: number | null;
  readonly cl_trid: string | null;
  readonly refund_of: string | null;
}

export async function readLines(world: World): Promise<Line[]> {
  const lines: Line[] = [];
  for (let after = 0; ; ) {
    const page = await world.control('GET', `/statement?client=namehold&limit=${linesPerPage}&after=${after}`);
    const entries = page.entries as RawLine[];
    for (const raw of entries) {
      const { id, at, kind, command, domain, years, cl_trid, refund_of } = raw;
      const line = { id: Number(id), at: Date.parse(at), kind, command, domain: domain ?? '', years: years ?? 0 };
      lines.push({ ...line, clTRID: cl_trid, isRefunded: false });
      const paid = refund_of === null ? undefined : lines.find((each) => each.id === Number(refund_of));
      if (paid !== undefined) paid.isRefunded = true;
    }
    if (entries.length < linesPerPage) return lines;
    after = lines.at(-1)?.id ?? after;
  }
}

/** A name as the registry has it; undefined when it has none. */
export interface Registered {
  readonly sponsor: string;
  readonly phase: 'active' | 'pendingCreate' | 'expired' | 'redemption' | 'pendingRestore' | 'pendingDelete';
  readonly expiresAt: string;
  readonly phaseUntil: string | null;
  readonly redemptionUntil: string | null;
  readonly graces: readonly { readonly kind: string; readonly endsAt: string }[];
  readonly statuses: readonly string[];
  readonly hosts: readonly string[];
}

export async function readRegistered(world: World, name: string): Promise<Registered | undefined> {
  const body = await world.control('GET', `/domains/${name}`);
  return body.error === undefined ? (body as Registered) : undefined;
}

const readTries = 100;

/** A question to the service, which may be busy coming back to life. */
export async function read(world: World, path: string): Promise<WorldCall> {
  for (let tries = 1; ; tries++) {
    const called = await world.call('GET', path);
    if ((called.status !== 0 && called.status < 500) || tries >= readTries) return called;
    await sleep(200);
  }
}

/** Available and held, as the reseller sees them. */
export async function readBalance(world: World): Promise<{ available: number; held: number }> {
  const { status, body } = await read(world, '/v1/account/funds');
  if (status !== 200) throw new Error(`the funds cannot be read: ${status} ${JSON.stringify(body)}`);
  return { available: cents(body.balance.amount as string), held: cents(body.held.amount as string) };
}
