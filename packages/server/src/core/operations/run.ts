import { everyTenant, type Tx } from '@namehold/base';
import type { CommandContext, Evidence, Registry, Reply } from '../domains/registry.ts';
import type { House } from '../house.ts';
import { findOpenCommand, resolveCommands, wasDone } from './journal.sql.ts';
import type { Operation, Refused, Step } from './operation.ts';

/** What asking the registry brought to light about a command whose answer is missing. */
export type Found<T> =
  | { readonly kind: 'done'; readonly data: T; readonly pending?: boolean }
  | { readonly kind: 'never' }
  | { readonly kind: 'refused'; readonly evidence: Evidence }
  | { readonly kind: 'unknown'; readonly why: string };

/** How a workflow ended for now. `settle` runs in the transaction that also moves the operation. */
export type Verdict =
  | { readonly kind: 'done'; readonly evidence?: Evidence; readonly outcome: object; settle(tx: Tx): Promise<void> }
  | ({ readonly kind: 'refused'; settle(tx: Tx): Promise<void> } & Refused)
  /** The registry has accepted and will say later (1001), or must be asked again at a time. */
  | {
      readonly kind: 'waiting';
      readonly evidence?: Evidence;
      readonly why: string;
      readonly retryMs?: number;
      settle?(tx: Tx): Promise<void>;
    }
  | { readonly kind: 'unknown'; readonly evidence?: Evidence; readonly why: string }
  /** Nothing left the house. */
  | { readonly kind: 'unsent'; readonly why: string };

export interface Workflow {
  readonly kind: string;
  run(run: Run): Promise<Verdict>;
  /** Undoes what transaction A did, when an operation is cancelled before anything was sent. */
  cancel?(house: House, tx: Tx, operation: Operation): Promise<void>;
}

/** One attempt at one operation, under a lease. */
export class Run {
  readonly house: House;
  readonly operation: Operation;
  readonly registry: Registry;
  /** Written when the attempt is settled, whatever its end: the journal is the record, this is for who reads. */
  readonly steps: Step[] = [];
  readonly #sentSteps = new Set<string>();

  constructor(house: House, operation: Operation, registry: Registry) {
    this.house = house;
    this.operation = operation;
    this.registry = registry;
  }

  context(step: string): CommandContext {
    return { operationId: this.operation.id, fence: this.operation.fence, step, lane: 'money' };
  }

  /**
   * One command of the workflow. A command of this step that may have left before is never repeated blindly:
   * the registry is asked first what is true.
   */
  async command<T>(
    step: string,
    send: (context: CommandContext) => Promise<Reply<T>>,
    ask: (sentAt: Date) => Promise<Found<T>>,
    isRepeat = false,
  ): Promise<Reply<T>> {
    if (this.#mayHaveLeft(step)) {
      const db = this.house.db.as(everyTenant);
      const open = await findOpenCommand(db, this.operation.id, step);
      if (open || (await wasDone(db, this.operation.id, step))) {
        const found = await this.#find(step, ask, open?.prepared_at ?? this.operation.created_at, open?.cltrid);
        if (found) return found;
      }
    }
    this.#sentSteps.add(step);
    this.house.point(`${this.operation.kind}:before-send`);
    const reply = await send(this.context(step));
    this.#note(step, reply);
    this.house.point(`${this.operation.kind}:after-answer`);
    if (reply.kind !== 'unknown') return reply;
    // The answer was lost just now: ask at once on a fresh connection, most often that settles it.
    const found = await this.#find(step, ask, this.operation.created_at, reply.evidence.clTRID);
    // It never ran: once more now, and after that only when the clockwork comes round.
    return found ?? (isRepeat ? reply : this.command(step, send, ask, true));
  }

  /** Attempts are counted by the claim itself: before the first one, nobody has sent anything for this operation. */
  #mayHaveLeft(step: string): boolean {
    return this.operation.attempts > 1 || this.#sentSteps.has(step);
  }

  /** Undefined: the command never ran and may be sent (again). */
  async #find<T>(
    step: string,
    ask: (sentAt: Date) => Promise<Found<T>>,
    sentAt: Date,
    clTRID: string | undefined,
  ): Promise<Reply<T> | undefined> {
    const found = await ask(sentAt);
    const evidence: Evidence = clTRID === undefined ? {} : { clTRID };
    if (found.kind === 'unknown') return { kind: 'unknown', why: found.why, evidence };
    // RFC 5730 3: 1000 done, 1001 accepted and pending.
    const foundCode = found.kind === 'done' ? (found.pending ? 1001 : 1000) : null;
    await resolveCommands(this.house.db.as(everyTenant), this.operation.id, step, this.house.wall.now(), foundCode);
    this.note(step, `found out: ${found.kind}`);
    if (found.kind === 'never') return undefined;
    if (found.kind === 'refused') return { kind: 'refused', evidence: { ...evidence, ...found.evidence } };
    return { kind: 'done', data: found.data, pending: found.pending ?? false, evidence };
  }

  #note<T>(step: string, reply: Reply<T>): void {
    const code = reply.kind === 'done' || reply.kind === 'refused' ? reply.evidence.code : undefined;
    this.note(step, reply.kind, code);
  }

  note(name: string, result: string, code?: number): void {
    const at = this.house.wall.now().toISOString();
    this.steps.push({ name, at, result, ...(code === undefined ? {} : { code }) });
  }
}
