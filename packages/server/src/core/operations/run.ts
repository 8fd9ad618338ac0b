import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import type { Attention, OperationOf, Refused, Step } from '../model/operation.ts';
import type { Kind, Kinds } from '../model/operation-kinds.ts';
import type { CommandContext, Evidence, PendingAnswer, Registry, RegistryDomain, Reply } from '../ports/registry.ts';
import { decideByOrders } from './decide-by-orders.ts';
import { findOpenCommand, mayHaveActedBefore, resolveCommands, unansweredTimes, wasDone } from './journal.sql.ts';
import { keepPlan } from './plan.sql.ts';

/** The result of querying the registry about a command whose answer is missing. */
export type Found<T> =
  | { readonly kind: 'done'; readonly data: T; readonly pending?: boolean }
  | { readonly kind: 'never' }
  | { readonly kind: 'refused'; readonly evidence: Evidence }
  | { readonly kind: 'unknown'; readonly why: string };

/** The result of one attempt. `settle` runs in the transaction that also changes the operation's state. */
export type WorkflowResult<Outcome extends object = object> =
  | {
      readonly kind: 'done';
      readonly evidence?: Evidence;
      readonly outcome: Outcome;
      /**
       * Set only if no answer to a command proves the result; otherwise the engine reads the proof from the journal. `shown`: the registry
       * shows the result, and only our command can cause it. Accepted if the journal has a command that may have been sent.
       */
      readonly proof?: 'auto_renewal' | 'nothing_sent' | 'shown';
      settle(tx: Tx): Promise<void>;
      /** Parts of the outcome that only `settle` determines; read after it. */
      found?(): Partial<Outcome> | undefined;
    }
  | ({ readonly kind: 'refused'; settle(tx: Tx): Promise<void> } & Refused)
  /** The registry has accepted and will report later (1001), or must be queried again at a given time. */
  | {
      readonly kind: 'waiting';
      readonly evidence?: Evidence;
      readonly why: string;
      readonly retryMs?: number;
      /** Set if a user can do more than wait. */
      readonly attention?: Attention;
      settle?(tx: Tx): Promise<void>;
    }
  /** The operation was cancelled, and the registry will not execute it. */
  | { readonly kind: 'cancelled'; readonly evidence: Evidence; settle(tx: Tx): Promise<void> }
  | { readonly kind: 'unknown'; readonly evidence?: Evidence; readonly why: string }
  /** No command was sent. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** Neither done nor refused can be proved. Nothing more is sent until the operator has decided; the money stays on hold. */
  | ({ readonly kind: 'action_required'; readonly evidence?: Evidence; settle?(tx: Tx): Promise<void> } & Attention);

/**
 * The deciding step of a workflow has the name of its kind (`register`, `renew`, `transfer`, `restore`, `delete`): money is captured
 * only if the journal contains a success of that step.
 */
export interface Workflow<K extends Kind = Kind> {
  readonly kind: K;
  run(run: Run<K>): Promise<WorkflowResult<Kinds[K]['outcome']>>;
  /** Undoes transaction A when an operation is cancelled before anything was sent, or refused by the operator. */
  cancel(ctx: AppContext, tx: Tx, operation: OperationOf<K>): Promise<void>;
  /** Restores the rows of a refused operation that was executed after all; the caller holds the money again. */
  reopen?(ctx: AppContext, tx: Tx, operation: OperationOf<K>): Promise<void>;
  /** Runs after an approval: refuses what is no longer allowed, or no longer as it was when the approval was requested. */
  recheck?(ctx: AppContext, tx: Tx, operation: OperationOf<K>): Promise<void>;
  /** Runs on an approval: requests that of another party, such as the receiving reseller. Undefined: none is needed. */
  requestSecondApproval?(
    ctx: AppContext,
    tx: Tx,
    actor: Actor,
    operation: OperationOf<K>,
  ): Promise<OperationOf<K> | undefined>;
  /**
   * The view of the domain after a success by our own records; null: it is deleted. Used if the operator decides "done" and the registry
   * does not answer.
   */
  asDone?(ctx: AppContext, operation: OperationOf<K>): Promise<RegistryDomain | null>;
  /** The workflow handles the operator's decision itself, so `asDone` is not needed. */
  readonly acceptsOperatorDecision?: true;
}

/** One for each kind of operation. */
export type Workflows = { readonly [K in Kind]: Workflow<K> };

/** `non_durable`: its answer is written to the journal only when the attempt is settled (`CommandContext.pendingAnswers`). */
type Durability = 'durable' | 'non_durable';

const ordered = ['register', 'renew', 'transfer', 'restore'] as const;
const isOrdered = (kind: Kind): kind is (typeof ordered)[number] => (ordered as readonly Kind[]).includes(kind);

/** One attempt at one operation, under a lease. */
export class Run<K extends Kind = Kind> {
  readonly ctx: AppContext;
  readonly operation: OperationOf<K>;
  readonly #registry: Registry | undefined;
  /** Written when the attempt is settled. The journal is authoritative; the steps are for readers. */
  readonly steps: Step[] = [];
  /** Steps for which the journal has a command that may have been sent, in this attempt or an earlier one. */
  readonly #sentSteps: Set<string>;
  /** No command of this operation can be missing in the journal. */
  #isJournalWhole: boolean;
  /** By the journal, no earlier attempt has sent a command that may have been executed. */
  readonly #isFirst: boolean;
  /** Answers that are written to the journal when the attempt is settled. */
  readonly pendingAnswers: PendingAnswer[] = [];
  #hasRead = false;
  /** The registry refused the domain query, and the operator's decision replaced its answer. */
  isDecidedByOperator = false;
  /** Why a registry that answers does not report the outcome; set while nothing else is known either. */
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
    this.#registry = registry && this.isDecidedDone && asDone ? this.#trustingOperator(registry, asDone) : registry;
    this.#sentSteps = new Set(journal.sent);
    this.#isJournalWhole = journal.isWhole;
    this.#isFirst = journal.sent.length === 0;
  }

  /** Only for a query that the registry refuses, because its answer takes precedence over the operator's decision. */
  #trustingOperator(registry: Registry, asDone: NonNullable<Workflow<K>['asDone']>): Registry {
    const info: Registry['info'] = async (name) => {
      const reply = await registry.info(name);
      if (reply.kind !== 'refused') return reply;
      this.isDecidedByOperator = true;
      return { kind: 'done', data: await asDone(this.ctx, this.operation), pending: false, evidence: {} };
    };
    return { ...registry, info };
  }

  /** Some operations have no registry. */
  get registry(): Registry {
    if (!this.#registry) throw new Error(`operation ${this.operation.id} has no registry`);
    return this.#registry;
  }

  /**
   * Stores a decision based on the registry's view before the command is sent, so that a later attempt does not decide again from the
   * changed view.
   */
  keepPlan(plan: Kinds[K]['plan']): Promise<void> {
    return keepPlan(this.ctx, this.operation, plan);
  }

  /** The operator has decided that the registry executed it, so the registry's view need not be explained any more. */
  get isDecidedDone(): boolean {
    return this.operation.decision?.says === 'done';
  }

  /** For a refused query. Repeating it forever would not help, so the engine requests a decision after a few attempts. */
  noAnswer(why: string): { readonly kind: 'unknown'; readonly why: string } {
    this.refusalReason = why;
    return { kind: 'unknown', why };
  }

  /** True once, if this operation has sent nothing yet: differences in that view were not caused by it. */
  takeFirstRead(): boolean {
    const isFirst = !this.#hasRead && this.#sentSteps.size === 0;
    this.#hasRead = true;
    return isFirst;
  }

  context(step: string, durability: Durability = 'durable'): CommandContext {
    const { id, fence } = this.operation;
    return {
      operationId: id,
      fence,
      step,
      priority: 'money',
      ...(durability === 'non_durable' ? { pendingAnswers: this.pendingAnswers } : {}),
    };
  }

  /**
   * Runs one command of the workflow. A command of this step that may have been sent before is never repeated blindly: the registry is
   * queried first. A refusal is not trusted then either, because the earlier command may have arrived late and be its cause. For a
   * command that may be lost this holds in every attempt but the first, whatever the journal contains.
   */
  async command<T>(
    step: string,
    send: (context: CommandContext) => Promise<Reply<T>>,
    query: (sentAt: Date) => Promise<Found<T>>,
    durability: Durability = 'durable',
    isRepeat = false,
  ): Promise<Reply<T>> {
    const mayBeUnjournaled = durability === 'non_durable' && !this.#isJournalWhole;
    const isSecond = this.#sentSteps.has(step) || mayBeUnjournaled;
    const before =
      isSecond || this.#isDecided(step) ? await this.#queryBefore(step, query, mayBeUnjournaled) : undefined;
    if (before) return before;
    if (this.#onlyQueries)
      return { kind: 'unsent', why: 'the operation is about to be refused, so it was only queried' };
    this.#sentSteps.add(step);
    // The deciding command is on disk before it is sent, so an earlier one would be known, and commands that may be lost come after it.
    if (this.#isFirst && step === this.operation.kind) this.#isJournalWhole = true;
    this.ctx.failpoint(`${this.operation.kind}:before-send`);
    const reply = await send(this.context(step, durability));
    this.#note(step, reply);
    this.ctx.failpoint(`${this.operation.kind}:after-answer`);
    if (reply.kind === 'refused' && isSecond) return this.#queryAfterRefusal(step, reply, query);
    if (reply.kind !== 'unknown') return reply;
    // The answer was lost just now: query at once on a fresh connection, which usually settles it.
    const found = await this.#find(step, query, this.operation.created_at, reply.evidence.clTRID);
    // It was never executed: send it once more now, and after that only in the next run of the background job.
    return found ?? (isRepeat ? reply : this.command(step, send, query, durability, true));
  }

  get #onlyQueries(): boolean {
    return this.operation.decision?.onlyAsks === true;
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
    // Paid only once: a step with a successful answer, or decided as done, is not sent again because a view does not show it (yet).
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

  /** Undefined: the command was never executed and may be sent (again). */
  async #find<T>(
    step: string,
    query: (sentAt: Date) => Promise<Found<T>>,
    sentAt: Date,
    clTRID: string | undefined,
  ): Promise<Reply<T> | undefined> {
    const found = await this.checkedByOrders(step, await query(sentAt));
    const evidence: Evidence = clTRID === undefined ? {} : { clTRID };
    if (found.kind === 'unknown') return { kind: 'unknown', why: found.why, evidence };
    const as = found.kind === 'done' && found.pending ? 'pending' : found.kind;
    await resolveCommands(this.ctx.db.autocommit(allTenants), this.operation.id, step, this.ctx.wall.now(), as);
    this.note(step, `found out: ${found.kind}`);
    if (found.kind === 'never') return undefined;
    if (found.kind === 'refused') return { kind: 'refused', evidence: { ...evidence, ...found.evidence } };
    return { kind: 'done', data: found.data, pending: found.pending ?? false, evidence };
  }

  /**
   * At a registry without protection against repeated orders: a paid order with a lost answer counts as not executed only if no order or
   * charge there contradicts that.
   */
  async checkedByOrders<T>(step: string, found: Found<T>): Promise<Found<T>> {
    const history = this.#registry?.orderHistory;
    const { request, kind } = this.operation;
    if (!history || step !== kind || !isOrdered(kind) || !('name' in request)) return found;
    if (found.kind !== 'never' && found.kind !== 'refused') return found;
    // A guard by the year refuses a repeated renewal only after the first was carried out, and not while that waits.
    if (kind === 'renew' && history.renewGuard === 'date') return found;
    const sent = await unansweredTimes(this.ctx.db.as(allTenants), this.operation.id, step);
    if (!sent) return found;
    const reply = await history.find(request.name, sent.first);
    if (reply.kind === 'refused')
      return { kind: 'unknown', why: `the orders there were refused: ${reply.evidence.text ?? ''}` };
    if (reply.kind !== 'done') return { kind: 'unknown', why: reply.why };
    const decision = decideByOrders({
      verb: kind,
      operationId: this.operation.id,
      name: request.name,
      orders: reply.data,
      sent,
      now: this.ctx.wall.now(),
      visibleAfterMs: history.visibleAfterMs,
    });
    if (decision.kind === 'not_executed') return found;
    return decision.kind === 'action_required' ? this.noAnswer(decision.why) : { kind: 'unknown', why: decision.why };
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
