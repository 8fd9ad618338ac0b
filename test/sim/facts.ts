import type { World } from '../faults/world.ts';

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
