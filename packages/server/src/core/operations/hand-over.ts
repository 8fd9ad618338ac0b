import { EventEmitter } from 'node:events';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { Operation, Step } from '../model/operation.ts';
import { LeaseLost } from './journal.sql.ts';
import { notifyDue, notifySettled } from './notify.sql.ts';
import { leaveToOthers } from './operation.sql.ts';

/** How often a handed-over operation is read, in case its notification is lost. */
const checkMs = 250;

/** An operation that another process runs. */
export class HandedOver {
  /** Settles when that process notifies its end, or at the next check. */
  readonly settled: Promise<void>;
  constructor(over: Promise<void>) {
    this.settled = over;
  }
}

/**
 * Processes that share an account at a registry share its few sessions. If other processes hold all of them, an operation is handed over
 * to one of these, and the process that placed it waits for its notification. Without it, the order would wait for a session here.
 */
export class HandOver {
  readonly #ctx: AppContext;
  /** Notifications that another process has settled an operation. */
  readonly #settledElsewhere = new EventEmitter().setMaxListeners(0);

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  /**
   * For a placed operation without a lease, so there is nothing to give back. Undefined: it runs here. If the notification is lost, the
   * due time still starts it.
   */
  async beforeClaim(operation: Operation): Promise<HandedOver | undefined> {
    const { registries, db } = this.#ctx;
    if (!operation.registry_id || !(await registries.isSessionLimitReached(operation.registry_id))) return undefined;
    const over = this.#untilSettled(operation.id);
    await notifyDue(db.autocommit(allTenants), operation).catch(() => undefined);
    return new HandedOver(over);
  }

  /**
   * For an operation that this process has claimed. Undefined: it runs here. A hand-over is no failure, and no attempt if nothing was
   * tried. @throws LeaseLost
   */
  async afterClaim(operation: Operation, steps: readonly Step[]): Promise<HandedOver | undefined> {
    const { registries, db, wall } = this.#ctx;
    if (operation.registry_id === null || (await registries.hasFreeSession(operation.registry_id))) return undefined;
    // The notification may come before the answer.
    const over = this.#untilSettled(operation.id);
    const isLeft = await leaveToOthers(db.autocommit(allTenants), operation, { now: wall.now(), steps });
    if (!isLeft) throw new LeaseLost(`operation ${operation.id} was taken over by another process`);
    return new HandedOver(over);
  }

  /** Waits until the operation is over, or the caller's waiting time ends, and returns it as it is then. */
  async follow(
    { settled: first }: HandedOver,
    id: string,
    wait: { readonly until: number; readonly ended: Promise<unknown> },
    read: () => Promise<Operation>,
  ): Promise<Operation> {
    for (let over = first; ; ) {
      await Promise.race([over, wait.ended]);
      // Listens before the read, because the notification may come during it.
      over = this.#untilSettled(id);
      const operation = await read();
      const isUnderWay = operation.state === 'intended' || operation.state === 'sent';
      if (!isUnderWay || performance.now() >= wait.until) return operation;
    }
  }

  /** This process settled an operation that another one may have placed. */
  async notifySettled(id: string): Promise<void> {
    await notifySettled(this.#ctx.db.autocommit(allTenants), id).catch(() => undefined);
  }

  /** Another process settled it. */
  onSettledElsewhere(id: string): void {
    this.#settledElsewhere.emit(id);
  }

  #untilSettled(id: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, checkMs);
    this.#settledElsewhere.once(id, resolve);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#settledElsewhere.off(id, resolve);
    });
  }
}
