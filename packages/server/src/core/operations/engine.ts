import { allTenants, type Tx } from '@namehold/postgres';
import { raiseAlarm } from '../alarms/alarm.ts';
import type { Actor, AppContext, OperationEngine } from '../app-context.ts';
import {
  type Attention,
  isFinal,
  type Operation,
  type OperationState,
  operationLimits,
  type Proof,
  retryDelayMs,
  waitDelayMs,
} from '../model/operation.ts';
import type { Kind } from '../model/operation-kinds.ts';
import type { PendingAnswer } from '../ports/registry.ts';
import { alarmAttention, clearOwnAlarms } from './attention.ts';
import { checkCharge } from './check-charge.ts';
import { HandedOver, HandOver } from './hand-over.ts';
import { LeaseLost, readJournalEvidence, resolveCommands, stepsSent } from './journal.sql.ts';
import { changeState, claimOperation, findOperation, renewLeases, type StateChange } from './operation.sql.ts';
import { prove } from './prove.ts';
import { Run, type Workflow, type WorkflowResult, type Workflows } from './run.ts';

type Attempt = Operation | HandedOver | undefined;

/** Runs operations under leases. Any process on the database may run any operation; none runs in two at once. */
export class Engine implements OperationEngine {
  readonly #workflows: Workflows;
  readonly #running = new Map<string, Promise<Attempt>>();
  /** Placed here with a lease, and not started yet. */
  readonly #placed = new Map<string, { readonly operation: Operation; readonly at: number }>();
  readonly owner: string;
  #ctx!: AppContext;
  #handOver!: HandOver;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(workflows: Workflows, owner: string) {
    this.#workflows = workflows;
    this.owner = owner;
  }

  bind(ctx: AppContext): void {
    this.#ctx = ctx;
    this.#handOver = new HandOver(ctx);
    this.#heartbeat = setInterval(() => void this.#renew(), ctx.config.leaseMs / 4).unref();
  }

  /** If a lease is not renewed in time, another process queries the registry and takes over; the fence then refuses our writes. */
  async #renew(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    await this.#ctx.db
      .transaction(allTenants, (tx) => renewLeases(tx, this.owner, ids, this.#ctx.config.leaseMs))
      .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'failed to renew leases'));
  }

  get firstLease(): { readonly owner: string; readonly ms: number } {
    return { owner: this.owner, ms: this.#ctx.config.leaseMs / 2 };
  }

  keepPlaced(operation: Operation): void {
    const now = performance.now();
    for (const [id, { at }] of this.#placed) {
      if (!this.#isStale(at, now)) break;
      this.#placed.delete(id);
    }
    this.#placed.set(operation.id, { operation, at: now });
  }

  /** Long before the lease ends the operation is claimed like any other, because another process may have taken it over by then. */
  #isStale = (at: number, now: number): boolean => now - at > this.#ctx.config.leaseMs / 4;

  #takePlaced(id: string): Operation | undefined {
    const placed = this.#placed.get(id);
    this.#placed.delete(id);
    return placed && !this.#isStale(placed.at, performance.now()) ? placed.operation : undefined;
  }

  #workflow(kind: Kind): Workflow {
    const workflow: Workflow | undefined = this.#workflows[kind];
    // A later release may have placed it.
    if (!workflow) throw new Error(`no workflow for operations of kind ${kind}`);
    return workflow;
  }

  async recheck(tx: Tx, operation: Operation): Promise<void> {
    await this.#workflow(operation.kind).recheck?.(this.#ctx, tx, operation);
  }

  async requestSecondApproval(tx: Tx, actor: Actor, operation: Operation): Promise<Operation | undefined> {
    return this.#workflow(operation.kind).requestSecondApproval?.(this.#ctx, tx, actor, operation);
  }

  async undo(tx: Tx, operation: Operation): Promise<void> {
    await this.#workflow(operation.kind).cancel(this.#ctx, tx, operation);
  }

  async redo(tx: Tx, operation: Operation): Promise<void> {
    await this.#workflow(operation.kind).reopen?.(this.#ctx, tx, operation);
  }

  /** Runs it now in this process; a second call joins the first. Never rejects: errors are on the operation's record. */
  async start(id: string): Promise<void> {
    await this.#join(id);
  }

  async resume(id: string): Promise<void> {
    await this.#join(id, true);
  }

  #join(id: string, isOnlyDue = false): Promise<Attempt> {
    let running = this.#running.get(id);
    if (!running) {
      running = this.#attempt(id, isOnlyDue)
        .catch((error: unknown) => {
          this.#ctx.log.error({ err: error, operation_id: id }, 'operation attempt failed');
          return undefined;
        })
        .finally(() => this.#running.delete(id));
      this.#running.set(id, running);
    }
    return running;
  }

  /** Starts the operation, waits at most this long for it, and returns it. */
  async startAndWait(resellerId: string, id: string, waitMs: number): Promise<Operation> {
    const until = performance.now() + waitMs;
    const running = this.#join(id);
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), waitMs);
    });
    try {
      const settled = await Promise.race([running, timedOut]);
      if (!(settled instanceof HandedOver) && settled?.reseller_id === resellerId) return settled;
      // Uses the connections of the background jobs, which have the statement prepared.
      const read = async () => {
        const operation = await findOperation(this.#ctx.db.as(allTenants), resellerId, id);
        if (!operation) throw new Error(`operation ${id} not found`);
        return operation;
      };
      if (!(settled instanceof HandedOver)) return await read();
      return await this.#handOver.follow(settled, id, { until, ended: timedOut }, read);
    } finally {
      clearTimeout(timer);
    }
  }

  onSettledElsewhere(id: string): void {
    this.#handOver.onSettledElsewhere(id);
  }

  /** For a clean stop: waits for every running operation. */
  async drain(): Promise<void> {
    await Promise.all(this.#running.values());
    clearInterval(this.#heartbeat);
  }

  /** The operation after this attempt; undefined if another process has it. */
  async #attempt(id: string, isOnlyDue: boolean): Promise<Attempt> {
    const ctx = this.#ctx;
    const known = this.#takePlaced(id);
    // Placed without a lease, because no session was free here.
    const unclaimed = known?.attempts === 0 ? known : undefined;
    const handedOverUnclaimed = unclaimed && (await this.#handOver.beforeClaim(unclaimed));
    if (handedOverUnclaimed) return handedOverUnclaimed;
    const placed = unclaimed ? undefined : known;
    const claimed =
      placed ?? (await claimOperation(ctx.db.autocommit(allTenants), id, this.owner, ctx.config.leaseMs, isOnlyDue));
    if (!claimed) return undefined;
    const operation = withoutExpiredDecision(claimed, ctx.wall.now());
    const workflow = this.#workflow(operation.kind);
    const { registry_id: registryId } = operation;
    let run: Run | undefined;
    let workflowResult: Attempted;
    try {
      const handedOver = await this.#handOver.afterClaim(operation, []);
      if (handedOver) return handedOver;
      const registry = registryId ? await ctx.registries.of(registryId) : undefined;
      // Read after the claim, because from then on no other process can add to it. If it was placed with this lease, nothing has been
      // sent.
      const sent = placed ? [] : await stepsSent(ctx.db.as(allTenants), id);
      run = new Run(ctx, operation, registry, { sent, isWhole: placed !== undefined }, workflow.asDone);
      workflowResult = await workflow.run(run);
      if (workflowResult.kind === 'unsent') {
        const handedOver = await this.#handOver.afterClaim(operation, run.steps);
        if (handedOver) return handedOver;
      }
    } catch (error) {
      if (error instanceof LeaseLost) return undefined;
      ctx.log.error({ err: error, operation_id: id, kind: operation.kind }, 'workflow failed; will retry');
      workflowResult = { kind: 'failed', why: 'an internal error; will retry' };
    }
    const settled = await this.#settle(
      operation,
      escalateIfNotReported(operation, workflowResult, run?.refusalReason, workflow),
      run,
    );
    // The process that placed it may wait for it.
    if (settled && !placed) await this.#handOver.notifySettled(id);
    return settled;
  }

  /** Transaction B: the change, the money, the event and the operation's own state, all or nothing. */
  async #settle(operation: Operation, attempted: Attempted, run: Run | undefined): Promise<Operation | undefined> {
    const ctx = this.#ctx;
    ctx.failpoint(`${operation.kind}:before-settle`);
    const move = async (tx: Tx) => {
      const moved = await this.#move(tx, operation, attempted, run);
      ctx.failpoint(`${operation.kind}:in-settle`);
      return moved;
    };
    const settled = await ctx.db
      .transaction(allTenants, move, { of: operation.reseller_id })
      .catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
        return undefined;
      });
    ctx.failpoint(`${operation.kind}:after-settle`);
    if (settled) await this.#raiseAlarmIfNeeded(settled, attempted);
    const charged = attempted.kind === 'done' ? attempted.evidence?.charged : undefined;
    if (settled?.state === 'done' && charged) await checkCharge(ctx, settled, charged);
    return settled;
  }

  async #move(tx: Tx, operation: Operation, attempted: Attempted, run: Run | undefined): Promise<Operation> {
    const now = this.#ctx.wall.now();
    const { steps = [], pendingAnswers = [] } = run ?? {};
    const { workflowResult, proof } = await this.#checkedByJournal(tx, operation, attempted, pendingAnswers);
    const state = stateAfter(workflowResult);
    const moved = await changeState(tx, operation.id, operation.fence, {
      state,
      now,
      retryMs: retryAfter(workflowResult, operation, now),
      ...progressOf(workflowResult),
      evidence: 'evidence' in workflowResult ? workflowResult.evidence : undefined,
      outcome: outcomeOf(workflowResult),
      proof,
      attention: attentionOf(workflowResult),
      // A wait that continues is not recorded again.
      steps:
        state === 'waiting_registry' && operation.state === state
          ? []
          : [...steps.slice(-operationLimits.stepsKept), { name: 'settle', at: now.toISOString(), result: state }],
    });
    if (!moved) throw new LeaseLost(`operation ${operation.id} was settled by another process`);
    // A registry that accepted the command is not failing, so alarms about it are cleared.
    const isOver = isFinal(moved.state) || workflowResult.kind === 'waiting';
    // The first attempt raises no alarm, so there is none to clear.
    const cleared = isOver && operation.attempts > 1 ? clearOwnAlarms(tx, moved, now) : undefined;
    await Promise.all([cleared, 'settle' in workflowResult ? workflowResult.settle?.(tx) : undefined]);
    const found = workflowResult.kind === 'done' ? workflowResult.found?.() : undefined;
    return found ? ({ ...moved, outcome: { ...moved.outcome, ...found } } as Operation) : moved;
  }

  async #checkedByJournal(
    tx: Tx,
    operation: Operation,
    workflowResult: Attempted,
    pendingAnswers: readonly PendingAnswer[],
  ): Promise<{ workflowResult: Attempted; proof?: Proof }> {
    const isFinalResult =
      workflowResult.kind === 'done' || workflowResult.kind === 'refused' || workflowResult.kind === 'cancelled';
    if (!isFinalResult && pendingAnswers.length === 0) return { workflowResult };
    const isPaid = operation.transaction_id !== null;
    const journal = await readJournalEvidence(tx, operation.id, isPaid ? operation.kind : null, pendingAnswers);
    if (!isFinalResult) return { workflowResult };
    const proven = prove(operation, workflowResult, journal);
    if (isPaid && proven.proof === 'found' && !journal.found) {
      await resolveCommands(tx, operation.id, operation.kind, this.#ctx.wall.now(), 'done');
    }
    return proven;
  }

  async #raiseAlarmIfNeeded(operation: Operation, attempted: Attempted): Promise<void> {
    if (operation.state === 'action_required') return alarmAttention(this.#ctx, operation);
    const isFailing = operation.setbacks >= operationLimits.alarmAfter || attempted.kind === 'failed';
    if (isFinal(operation.state) || !isFailing || operation.attempts < operationLimits.alarmAfter) return;
    const why = 'why' in attempted ? attempted.why : attempted.kind;
    await raiseAlarm(this.#ctx, {
      key: `operation:${operation.id}`,
      severity: 'warning',
      sentence: `operation ${operation.id} (${operation.kind}) is not settled after ${operation.attempts} attempts: ${why}`,
      facts: { operation_id: operation.id, registry_id: operation.registry_id },
    });
  }
}

function withoutExpiredDecision(operation: Operation, now: Date): Operation {
  const { decision } = operation;
  const isPast = decision !== null && now.getTime() - Date.parse(decision.at) >= operationLimits.decisionMs;
  return isPast ? { ...operation, decision: null } : operation;
}

/** `failed`: an internal error. It gives no information about the registry, so it does not lengthen the retry delay. */
type Attempted = WorkflowResult | { readonly kind: 'failed'; readonly why: string };

/**
 * If the registry answers but does not report the outcome, waiting does not help: after a few attempts the operation needs manual
 * review. The operator can contact the registry by other means.
 */
function escalateIfNotReported(
  operation: Operation,
  workflowResult: Attempted,
  refusalReason: string | undefined,
  workflow: Pick<Workflow, 'asDone' | 'acceptsOperatorDecision'>,
): Attempted {
  const isOpen = workflowResult.kind === 'unknown' || workflowResult.kind === 'unsent';
  if (!isOpen || refusalReason === undefined || operation.setbacks < operationLimits.alarmAfter) return workflowResult;
  return {
    kind: 'action_required',
    why: `the registry does not report the outcome: ${refusalReason}`,
    facts: { operation_id: operation.id, kind: operation.kind, registry_id: operation.registry_id },
    // "Done" would query the registry again without a result, unless the workflow can replace its answer.
    choices:
      workflow.asDone || workflow.acceptsOperatorDecision ? ['done', 'refused', 'ask_again'] : ['refused', 'ask_again'],
    ...('evidence' in workflowResult && workflowResult.evidence ? { evidence: workflowResult.evidence } : {}),
  };
}

/** A registry that accepted the command is not failing: earlier setbacks no longer count. */
function progressOf({ kind }: Attempted): Pick<StateChange, 'progress'> {
  if (kind === 'unknown' || kind === 'unsent') return { progress: 'setback' };
  return kind === 'failed' || kind === 'action_required' ? {} : { progress: 'answer' };
}

function stateAfter(workflowResult: Attempted): OperationState | 'as_it_was' {
  switch (workflowResult.kind) {
    case 'done':
    case 'refused':
    case 'cancelled':
    case 'unknown':
    case 'action_required':
      return workflowResult.kind;
    case 'waiting':
      return 'waiting_registry';
    case 'unsent':
    case 'failed':
      return 'as_it_was';
  }
}

function retryAfter(
  workflowResult: Attempted,
  operation: Pick<Operation, 'created_at' | 'setbacks'>,
  now: Date,
): number {
  if (workflowResult.kind === 'waiting')
    return workflowResult.retryMs ?? waitDelayMs(now.getTime() - operation.created_at.getTime());
  return workflowResult.kind === 'failed' ? operationLimits.ownErrorMs : retryDelayMs(operation.setbacks);
}

function outcomeOf(workflowResult: Attempted): object | undefined {
  if (workflowResult.kind === 'done') return workflowResult.outcome;
  if (workflowResult.kind === 'refused' && workflowResult.error) return { error: workflowResult.error };
  return undefined;
}

function attentionOf(workflowResult: Attempted): Attention | undefined {
  if (workflowResult.kind === 'waiting') return workflowResult.attention;
  if (workflowResult.kind !== 'action_required') return undefined;
  const { why, facts, choices } = workflowResult;
  return { why, facts, choices };
}
