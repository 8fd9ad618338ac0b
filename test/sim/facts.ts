import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Installation, InstallationCall } from '../faults/world.ts';
import { cents } from './oracle/price-table.ts';
import type { Trader } from './resellers.ts';

/** A line of the registry's statement: the command, its time and its charge. */
export interface Line {
  readonly id: number;
  readonly at: number;
  readonly kind: 'charge' | 'refund' | 'deposit';
  readonly command: string;
  readonly domain: string;
  readonly years: number;
  readonly cents: number;
  readonly clTRID: string | null;
  /** When the charge was refunded. */
  refundedAt?: number;
}

const linesPerPage = 1_000;

interface RawLine {
  readonly id: string;
  readonly at: string;
  readonly kind: Line['kind'];
  readonly command: string;
  readonly domain: string | null;
  readonly years: number | null;
  readonly amount: string;
  readonly cl_trid: string | null;
  readonly refund_of: string | null;
}

/** The registry's commands, by domain. */
export type Statement = ReadonlyMap<string, readonly Line[]>;

/** Reads new lines only: lines are only ever added. */
export class StatementReader {
  readonly #lines = new Map<number, Line>();
  readonly #byName = new Map<string, Line[]>();
  readonly #client: string;
  #after = 0;

  constructor(client = 'namehold') {
    this.#client = client;
  }

  async read(installation: Installation): Promise<Statement> {
    for (;;) {
      const page = await installation.control(
        'GET',
        `/statement?client=${this.#client}&limit=${linesPerPage}&after=${this.#after}`,
      );
      const entries = page.entries as RawLine[];
      for (const entry of entries) this.#take(entry);
      if (entries.length < linesPerPage) return this.#byName;
    }
  }

  of(name: string): readonly Line[] {
    return this.#byName.get(name) ?? [];
  }

  /** The total charges of the registry, less refunds. */
  get owedCents(): number {
    let sum = 0;
    for (const { kind, cents: amount } of this.#lines.values())
      sum += kind === 'charge' ? Math.abs(amount) : kind === 'refund' ? -Math.abs(amount) : 0;
    return sum;
  }

  #take(raw: RawLine): void {
    const { kind, command, domain, years, cl_trid } = raw;
    const [id, at] = [Number(raw.id), Date.parse(raw.at)];
    const done = { id, at, kind, command, domain: domain ?? '', years: years ?? 0 };
    const line: Line = { ...done, cents: cents(raw.amount), clTRID: cl_trid };
    this.#after = Math.max(this.#after, id);
    this.#lines.set(id, line);
    this.#byName.set(line.domain, [...(this.#byName.get(line.domain) ?? []), line]);
    const paid = raw.refund_of === null ? undefined : this.#lines.get(Number(raw.refund_of));
    if (paid !== undefined) paid.refundedAt = at;
  }
}

/** The registry's state of a domain; undefined if it has none. */
export interface Registered {
  readonly sponsor: string;
  readonly phase: 'active' | 'pendingCreate' | 'expired' | 'redemption' | 'pendingRestore' | 'pendingDelete';
  readonly expiresAt: string;
  readonly phaseUntil: string | null;
  readonly redemptionUntil: string | null;
  readonly updatedAt: string | null;
  readonly graces: readonly { readonly kind: string; readonly endsAt: string }[];
  readonly statuses: readonly string[];
  readonly hosts: readonly string[];
  readonly transferPending: boolean;
  /** The pending transfer, or the one that ended last; while it is pending, `actedAt` is the time of the automatic approval. */
  readonly transfer: { readonly state: string; readonly requester: string; readonly actedAt: string } | null;
}

export async function readRegistered(installation: Installation, name: string): Promise<Registered | undefined> {
  const body = await installation.control('GET', `/domains/${name}`);
  return body.error === undefined ? (body as Registered) : undefined;
}

const readTries = 100;
type As = Trader['caller'] | 'operator';

/** A query to the service, which may still be starting. */
export async function read(installation: Installation, path: string, as: As): Promise<InstallationCall> {
  for (let tries = 1; ; tries++) {
    const called = await installation.call('GET', path, { as });
    if ((called.status !== 0 && called.status < 500) || tries >= readTries) return called;
    await sleep(200);
  }
}

/** Available balance and holds, as the reseller sees them. */
export async function readBalance(
  installation: Installation,
  { caller }: Trader,
): Promise<{ available: number; held: number }> {
  const { status, body } = await read(installation, '/v1/account/funds', caller);
  if (status !== 200) throw new Error(`the funds cannot be read: ${status} ${JSON.stringify(body)}`);
  return { available: cents(body.balance.amount as string), held: cents(body.held.amount as string) };
}

/** Any query to the registry makes it announce waiting messages, which are then read at once. */
export async function nudge(installation: Installation): Promise<void> {
  await installation.call('GET', `/v1/domains/availability?domain=nudge-${process.hrtime.bigint()}.com`);
}

/** Our own ledger's debt to the registries (docs/operate/reconciliation.md: `registry_payable`), in cents. */
export async function readPayable(installation: Installation): Promise<number> {
  const client = new pg.Client({ connectionString: installation.database.url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id where a.kind = 'registry_payable'",
    );
    return Number(rows[0].owed);
  } finally {
    await client.end();
  }
}
