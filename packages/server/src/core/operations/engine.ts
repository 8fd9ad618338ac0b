import { everyTenant } from '@namehold/base';
import { raiseAlarm } from '../alarms/alarm.ts';
import type { House } from '../house.ts';
import { LeaseLost } from './journal.sql.ts';
import { changeState, claimOperation, findOperation, renewLeases } from './operation.sql.ts';
import { isFinal, type Operation, type OperationState, operationLimits, retryDelayMs, type Step } from './operation.ts';
import { Run, type Verdict, type Workflow } from './run.ts';

/** Runs operations under leases. Any process on the database may run any operation; none runs in two at once. */
export class Engine {
  readonly #workflows: ReadonlyMap<string, Workflow>;
  readonly #running = new Map<string, Promise<Operation | undefined>>();
  readonly owner: string;
  #house!: House;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(workflows: readonly Workflow[], owner: string) {
    this.#workflows = new Map(workflows.map((workflow) => [workflow.kind, workflow]));
    this.owner = owner;
  }

  bind(house: House): void {
    this.#house = house;
    this.#heartbeat = setInterval(() => void this.#renew(), house.config.leaseMs / 4).unref();
  }

  /** Without word from us for a lease's length, another process asks the registry and takes over; the fence keeps us out then. */
  async #renew(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    const until = new Date(this.#house.wall.now().getTime() + this.#house.config.leaseMs);
    await this.#house.db
      .transaction(everyTenant, (tx) => renewLeases(tx, this.owner, ids, until))
      .catch((error: unknown) => this.#house.log.warn({ err: error }, 'leases could not be renewed'));
  }

  workflow(kind: string): Workflow {
    const workflow = this.#workflows.get(kind);
    if (!workflow) throw new Error(`no workflow for operations of kind ${kind}`);
    return workflow;
  }

  /** Runs it now in this process; a second call joins the first. Never rejects: what goes wrong is on the operation's record. */
  async start(id: string): Promise<void> {
    await this.#join(id);
  }

  #join(id: string): Promise<Operation | undefined> {
    let running = this.#running.get(id);
    if (!running) {
      running = this.#attempt(id)
        .catch((error: unknown) => {
          this.#house.log.error({ err: error, operation_id: id }, 'an attempt at an operation failed');
          return undefined;
        })
        .finally(() => this.#running.delete(id));
      this.#running.set(id, running);
    }
    return running;
  }

  /** Starts it and waits at most this long; then tells how the operation stands. */
  async startAndWait(resellerId: string, id: string, waitMs: number): Promise<Operation> {
    const running = this.#join(id);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), waitMs);
    });
    const settled = await Promise.race([running, patience]);
    clearTimeout(timer);
    if (settled?.reseller_id === resellerId) return settled;
    const operation = await findOperation(this.#house.db.as(resellerId), resellerId, id);
    if (!operation) throw new Error(`operation ${id} vanished`);
    return operation;
  }

  /** For a clean stop: everything that is under way comes to its end. */
  async drain(): Promise<void> {
    await Promise.all(this.#running.values());
    clearInterval(this.#heartbeat);
  }

  get inFlight(): number {
    return this.#running.size;
  }

  /** As it stands after this attempt; nothing where the operation is another's. */
  async #attempt(id: string): Promise<Operation | undefined> {
    const house = this.#house;
    const now = house.wall.now();
    const until = new Date(now.getTime() + house.config.leaseMs);
    const operation = await claimOperation(house.db.as(everyTenant), id, this.owner, now, until);
    if (!operation) return undefined;
    const workflow = this.workflow(operation.kind);
    const registry = operation.registry_id ? await house.registries.of(operation.registry_id) : undefined;
    const run = new Run(house, operation, registry!);
    let verdict: Verdict;
    try {
      verdict = await workflow.run(run);
    } catch (error) {
      if (error instanceof LeaseLost) return undefined;
      house.log.error(
        { err: error, operation_id: id, kind: operation.kind },
        'a workflow threw; it will be tried again',
      );
      verdict = { kind: 'unknown', why: 'an error of our own; it will be tried again' };
    }
    return this.#settle(operation, verdict, run.steps);
  }

  /** Transaction B: the change, the money, the event and the operation's own state, or none of them. */
  async #settle(operation: Operation, verdict: Verdict, steps: readonly Step[]): Promise<Operation | undefined> {
    const house = this.#house;
    house.point(`${operation.kind}:before-settle`);
    const settled = await house.db
      .transaction(everyTenant, async (tx) => {
        const now = house.wall.now();
        const state = stateAfter(verdict, operation);
        const moved = await changeState(tx, operation.id, operation.fence, {
          state,
          now,
          dueAt: dueAfter(verdict, operation, now),
          evidence: 'evidence' in verdict ? verdict.evidence : undefined,
          outcome: outcomeOf(verdict),
          steps: [...steps.slice(-operationLimits.stepsKept), { name: 'settle', at: now.toISOString(), result: state }],
          isFinal: isFinal(state),
        });
        if (!moved) throw new LeaseLost(`operation ${operation.id} was settled by another process`);
        if ('settle' in verdict && verdict.settle) await verdict.settle(tx);
        house.point(`${operation.kind}:in-settle`);
        return moved;
      })
      .catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
        return undefined;
      });
    house.point(`${operation.kind}:after-settle`);
    if ((verdict.kind === 'unknown' || verdict.kind === 'unsent') && operation.attempts >= 5) {
      await raiseAlarm(house, {
        key: `operation:${operation.id}`,
        severity: 'warning',
        sentence: `operation ${operation.id} (${operation.kind}) is not settled after ${operation.attempts} attempts: ${verdict.why}`,
        facts: { operation_id: operation.id, registry_id: operation.registry_id },
      });
    }
    return settled;
  }
}

function stateAfter(verdict: Verdict, operation: Operation): OperationState {
  switch (verdict.kind) {
    case 'done':
    case 'refused':
    case 'unknown':
      return verdict.kind;
    case 'waiting':
      return 'waiting_registry';
    case 'unsent':
      // Something may have left in an earlier attempt; then it stays what it was.
      return operation.state === 'unknown' || operation.state === 'waiting_registry' ? operation.state : 'intended';
  }
}

function dueAfter(verdict: Verdict, operation: Operation, now: Date): Date {
  const delay =
    verdict.kind === 'waiting' ? (verdict.retryMs ?? operationLimits.retryMaxMs) : retryDelayMs(operation.attempts);
  return new Date(now.getTime() + delay);
}

function outcomeOf(verdict: Verdict): object | undefined {
  if (verdict.kind === 'done') return verdict.outcome;
  if (verdict.kind === 'refused' && verdict.error) return { error: verdict.error };
  return undefined;
}
