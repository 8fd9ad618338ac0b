import type { ConnectionLease } from './ports.ts';
import type { EppSession } from './session.ts';
import type { Priority } from './types.ts';

/** A session with its lease and the priority queue that it serves at the moment. */
export type PooledConnection = {
  readonly session: EppSession;
  readonly lease: ConnectionLease;
  priority: Priority | undefined;
  retire: boolean;
  /** The end of its last command. */
  idleSinceMs: number;
};

/** The open sessions of a pool. */
export class PooledConnections {
  readonly #connections = new Map<EppSession, PooledConnection>();
  /** Sessions that are being opened. */
  opening = 0;

  get open(): number {
    return this.#connections.size;
  }

  get busy(): number {
    return [...this.#connections.values()].filter((pooled) => pooled.priority !== undefined).length;
  }

  /** Sessions that serve another queue than money. */
  get busyOutsideMoney(): number {
    return [...this.#connections.values()].filter(
      (pooled) => pooled.priority !== undefined && pooled.priority !== 'money',
    ).length;
  }

  idle(): PooledConnection | undefined {
    return this.#connections.values().find(isIdle);
  }

  get idleCount(): number {
    return [...this.#connections.values()].filter(isIdle).length;
  }

  add(pooled: PooledConnection): void {
    this.#connections.set(pooled.session, pooled);
  }

  remove(session: EppSession): PooledConnection | undefined {
    const pooled = this.#connections.get(session);
    this.#connections.delete(session);
    return pooled;
  }

  all(): PooledConnection[] {
    return [...this.#connections.values()];
  }
}

const isIdle = (pooled: PooledConnection): boolean =>
  pooled.priority === undefined && !pooled.retire && pooled.session.alive && !pooled.session.busy;
