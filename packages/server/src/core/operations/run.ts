import { allTenants, type Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import type {
  CommandContext,
  Evidence,
  PendingAnswer,
  Registry,
  RegistryDomain,
  Reply,
} from '../domains/registry/registry.ts';
import { findOpenCommand, mayHaveActedBefore, resolveCommands, wasDone } from './journal.sql.ts';
import type { Kind, Kinds } from './kinds.ts';
import type { Attention, OperationOf, Refused, Step } from './operation.ts';
import { keepPlan } from './plan.sql.ts';

/** What asking the registry brought to light about a command whose answer is missing. */
export type Found<T> =
  | { readonly kind: 'done'; readonly data: T; readonly pending?: boolean }
  | { readonly kind: 'never' }
  | { readonly kind: 'refused'; readonly evidence: Evidence }
  | { readonly kind: 'unknown'; readonly why: string };

/** How a workflow ended for now. `settle` runs in the transaction that also moves the operation. */
export type WorkflowResult<Outcome extends object = object> =
  | {
      readonly kind: 'done';
      readonly evidence?: Evidence;
      readonly outcome: Outcome;
      /**
       * Said only where the answer of no command proves it; else the engine reads the proof out of the journal. `shown`: the registry
       * shows it, and only a command of ours can have done it; it counts where one may have left.
       */
      readonly proof?: 'auto_renewal' | 'nothing_sent' | 'shown';
      settle(tx: Tx): Promise<void>;
      /** What of the outcome only `settle` could find out; read after it. */
      found?(): Partial<Outcome> | undefined;
    }
  | ({ readonly kind: 'refused'; settle(tx: Tx): Promise<void> } & Refused)
  /** The registry has accepted and will say later (1001), or must be asked again at a time. */
  | {
      readonly kind: 'waiting';
      readonly evidence?: Evidence;
      readonly why: string;
      readonly retryMs?: number;
      /** Where somebody can do more than wait. */
      readonly attention?: Attention;
      settle?(tx: Tx): Promise<void>;
    }
  /** Whoever ordered it wants it no more, and the registry will not carry it out. */
  | { readonly kind: 'cancelled'; readonly evidence: Evidence; settle(tx: Tx): Promise<void> }
  | { readonly kind: 'unknown'; readonly evidence?: Evidence; readonly why: string }
  /** Nothing left the house. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The last resort: neither done nor refused can be proven. Nothing more is sent until a person has decided; the money stays on hold. */
  | ({ readonly kind: 'action_required'; readonly evidence?: Evidence; settle?(tx: Tx): Promise<void> } & Attention);

/**
 * The deciding step of a workflow carries the name of its kind (`register`, `renew`, `transfer`, `restore`, `delete`): money is captured only
 * when the journal holds a success of that step.
 */
export interface Workflow<K extends Kind = Kind> {
  readonly kind: K;
  run(run: Run<K>): Promise<WorkflowResult<Kinds[K]['outcome']>>;
  /** Undoes what transaction A did, when an operation is cancelled before anything was sent or refused by a person. */
  cancel(ctx: AppContext, tx: Tx, operation: OperationOf<K>): Promise<void>;
  /** Makes room again for what was given up and turns out to have been carried out; the money is the caller's to set aside. */
  reopen?(ctx: AppContext, tx: Tx, operation: OperationOf<K>): Promise<void>;
  /** Where it has waited for a second yes: refuses what may not be done any more, or no longer as it was asked for. */
  recheck?(ctx: AppContext, tx: Tx, operation: OperationOf<K>): Promise<void>;
  /** How the name stands when it is done, by our own records; null: it is gone. For a person who says so where the registry will not tell. */
  asDone?(ctx: AppContext, operation: OperationOf<K>): Promise<RegistryDomain | null>;
  /** It needs no such stand-in: it asks in other ways than by the name, and takes that person's word itself. */
  readonly takesWord?: true;
}

/** One for each kind of the table. */
export type Workflows = { readonly [K in Kind]: Workflow<K> };

/** How long a question before a refusal keeps an order from being sent. */
const queryOnlyMs = 120_000;

/** `forgettable`: see `CommandContext.owed`. */
type Nature = 'kept' | 'forgettable';

/** One attempt at one operation, under a lease. */
export class Run<K extends Kind = Kind> {
  readonly ctx: AppContext;
  readonly operation: OperationOf<K>;
  readonly #registry: Registry | undefined;
  /** Written when the attempt is settled, whatever its end: the journal is the record, this is for who reads. */
  readonly steps: Step[] = [];
  /** Steps of which the journal holds a command that may have left, from this attempt or an earlier one. */
  readonly #sentSteps: Set<string>;
  /** Nothing that this operation sent can be missing in the journal. */
  #isJournalWhole: boolean;
  /** No earlier attempt has sent anything that may have been carried out, by the journal. */
  readonly #isFirst: boolean;
  /** Answers that go into the journal when the attempt is settled. */
  readonly owed: PendingAnswer[] = [];
  #hasRead = false;
  /** The registry would not tell how the name stands, and a person's word took the place of its answer. */
  isTakenAtWord = false;
  /** Why the registry, which answers, does not tell what is true; set while nothing else is known either. */
  refusalReason: string | undefined;

  constructor(
    ctx: AppContext,
    operation: OperationOf<K>,
    registry: Registry | undefined,
    journal: { readonly sent: readonly string[]; readonly isWhole: boolean },
    asDone?: Workflow<K>['asDone'],
  ) {
    this.ctx = ctx;
    this.operation = operation;
    this.#registry = registry && this.isDecidedDone && asDone ? this.#takenAtWord(registry, asDone) : registry;
    this.#sentSteps = new Set(journal.sent);
    this.#isJournalWhole = journal.isWhole;
    this.#isFirst = journal.sent.length === 0;
  }

  /** Only a question that the registry refuses: what it tells counts for more than what anybody says. */
  #takenAtWord(registry: Registry, asDone: NonNullable<Workflow<K>['asDone']>): Registry {
    const info: Registry['info'] = async (name) => {
      const reply = await registry.info(name);
      if (reply.kind !== 'refused') return reply;
      this.isTakenAtWord = true;
      return { kind: 'done', data: await asDone(this.ctx, this.operation), pending: false, evidence: {} };
    };
    return { ...registry, info };
  }

  /** Not every purchase has one. */
  get registry(): Registry {
    if (!this.#registry) throw new Error(`operation ${this.operation.id} has no registry`);
    return this.#registry;
  }

  /** What was decided from the registry's view, written down before the command leaves: no later attempt decides anew from what it changed. */
  keepPlan(plan: Kinds[K]['plan']): Promise<void> {
    return keepPlan(this.ctx, this.operation, plan);
  }

  /** A person has looked and says that the registry did it: what the registry shows as ours need not be explained any more. */
  get isDecidedDone(): boolean {
    return this.operation.decision?.says === 'done';
  }

  /** A question that was refused. To ask for ever would not help: the engine calls a person after a few attempts. */
  noAnswer(why: string): { readonly kind: 'unknown'; readonly why: string } {
    this.refusalReason = why;
    return { kind: 'unknown', why };
  }

  /** True once, where this operation has sent nothing yet: what the registry shows then is none of its own doing. */
  takeFirstRead(): boolean {
    const isFirst = !this.#hasRead && this.#sentSteps.size === 0;
    this.#hasRead = true;
    return isFirst;
  }

  context(step: string, nature: Nature = 'kept'): CommandContext {
    const { id, fence } = this.operation;
    return { operationId: id, fence, step, lane: 'money', ...(nature === 'forgettable' ? { owed: this.owed } : {}) };
  }

  /**
   * One command of the workflow. A command of this step that may have left before is never repeated blindly: the registry is asked
   * first what is true. Nor is a refusal believed then: the earlier one may have arrived late, and be the reason of the refusal.
   * Of one that may be forgotten that is true in every attempt but the first, whatever the journal says.
   */
  async command<T>(
    step: string,
    send: (context: CommandContext) => Promise<Reply<T>>,
    query: (sentAt: Date) => Promise<Found<T>>,
    nature: Nature = 'kept',
    isRepeat = false,
  ): Promise<Reply<T>> {
    const mayBeUnjournaled = nature === 'forgettable' && !this.#isJournalWhole;
    const isSecond = this.#sentSteps.has(step) || mayBeUnjournaled;
    const before =
      isSecond || this.#isDecided(step) ? await this.#queryBefore(step, query, mayBeUnjournaled) : undefined;
    if (before) return before;
    if (this.#onlyAsks) return { kind: 'unsent', why: 'somebody is about to give it up: it was only asked about' };
    this.#sentSteps.add(step);
    // That one is on the disk before its bytes leave: had it left before, it would be known, and what may be forgotten comes after it.
    if (this.#isFirst && step === this.operation.kind) this.#isJournalWhole = true;
    this.ctx.failpoint(`${this.operation.kind}:before-send`);
    const reply = await send(this.context(step, nature));
    this.#note(step, reply);
    this.ctx.failpoint(`${this.operation.kind}:after-answer`);
    if (reply.kind === 'refused' && isSecond) return this.#queryAfterRefusal(step, reply, query);
    if (reply.kind !== 'unknown') return reply;
    // The answer was lost just now: ask at once on a fresh connection, most often that settles it.
    const found = await this.#find(step, query, this.operation.created_at, reply.evidence.clTRID);
    // It never ran: once more now, and after that only when the clockwork comes round.
    return found ?? (isRepeat ? reply : this.command(step, send, query, nature, true));
  }

  get #onlyAsks(): boolean {
    const { decision } = this.operation;
    return decision?.onlyAsks === true && this.ctx.wall.now().getTime() - Date.parse(decision.at) < queryOnlyMs;
  }

  #isDecided(step: string): boolean {
    return this.isDecidedDone && step === this.operation.kind;
  }

  /** Undefined: it may be sent. */
  async #queryBefore<T>(
    step: string,
    query: (sentAt: Date) => Promise<Found<T>>,
    mayBeUnjournaled: boolean,
  ): Promise<Reply<T> | undefined> {
    const db = this.ctx.db.as(allTenants);
    const open = await findOpenCommand(db, this.operation.id, step);
    const isDone = await wasDone(db, this.operation.id, step);
    if (!open && !isDone && !mayBeUnjournaled && !this.#isDecided(step)) return undefined;
    const found = await this.#find(step, query, open?.prepared_at ?? this.operation.created_at, open?.cltrid);
    if (found) return found;
    const isDeciding = step === this.operation.kind && this.operation.transaction_id !== null;
    // Paid for once: what was answered with success, or is said to be done, is not ordered again because a view does not show it (yet).
    if (this.#isDecided(step) || (isDone && isDeciding)) {
      return { kind: 'unknown', why: 'it is known to be done, but the registry does not show it', evidence: {} };
    }
    return undefined;
  }

  async #queryAfterRefusal<T>(
    step: string,
    refused: Extract<Reply<T>, { kind: 'refused' }>,
    query: (sentAt: Date) => Promise<Found<T>>,
  ): Promise<Reply<T>> {
    const db = this.ctx.db.as(allTenants);
    const { clTRID } = refused.evidence;
    if (!(await mayHaveActedBefore(db, this.operation.id, step, clTRID))) return refused;
    const found = await this.#find(step, query, this.operation.created_at, clTRID);
    if (found?.kind === 'done') return found;
    return found?.kind === 'unknown' ? { ...found, evidence: refused.evidence } : refused;
  }

  /** Undefined: the command never ran and may be sent (again). */
  async #find<T>(
    step: string,
    query: (sentAt: Date) => Promise<Found<T>>,
    sentAt: Date,
    clTRID: string | undefined,
  ): Promise<Reply<T> | undefined> {
    const found = await query(sentAt);
    const evidence: Evidence = clTRID === undefined ? {} : { clTRID };
    if (found.kind === 'unknown') return { kind: 'unknown', why: found.why, evidence };
    const as = found.kind === 'done' && found.pending ? 'pending' : found.kind;
    await resolveCommands(this.ctx.db.autocommit(allTenants), this.operation.id, step, this.ctx.wall.now(), as);
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
    const at = this.ctx.wall.now().toISOString();
    this.steps.push({ name, at, result, ...(code === undefined ? {} : { code }) });
  }
}
