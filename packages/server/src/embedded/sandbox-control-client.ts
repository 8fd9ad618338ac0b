import { setTimeout as sleep } from 'node:timers/promises';
import { badField, Refusal } from '../core/errors.ts';
import type {
  FaultInjector,
  OtherRegistrarAction,
  OtherRegistrarResult,
  SandboxFault,
  SandboxName,
  SandboxPort,
} from '../core/ports/sandbox.ts';
import { readState, type SandboxState } from './sandbox-process.ts';

interface Faults {
  readonly faults: readonly SandboxFault[];
}

interface Acted {
  readonly sponsor: string;
  readonly statuses: readonly string[];
  readonly transfer: { readonly state: string } | null;
}

interface Dumped extends Acted {
  readonly phase: string;
  readonly rgp_statuses: readonly string[];
  readonly hosts: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly due_at: string;
}

/** Client of the HTTP control of the sandbox registry. The address is read each time, because the registry may have been restarted. */
export class SandboxControlClient implements SandboxPort {
  /** Its current address, if it is running. */
  find: () => SandboxState | undefined;
  /** Runs all background jobs now. True: all of them succeeded. */
  runJobsNow: (() => Promise<boolean>) | undefined;
  readonly faults: FaultInjector = {
    list: async () => (await this.#control<Faults>('GET', '/faults')).faults,
    set: async (fault) => {
      const others = await this.faults.list();
      // The new domain first: if it does not exist, nothing has changed.
      await this.#control('POST', '/faults', fault);
      for (const { id } of others) await this.#control('DELETE', `/faults/${id}`);
      return this.faults.list();
    },
    clear: async () => (await this.#control<Faults>('DELETE', '/faults')).faults,
  };

  constructor(folder: string) {
    this.find = () => readState(folder);
  }

  async moveClock(byMs: number, timeoutMs: number): Promise<{ readonly isCaughtUp: boolean }> {
    await this.#control('POST', '/clock', { move: `+${Math.round(byMs / 1_000)}s` });
    const caughtUp = (this.runJobsNow?.() ?? Promise.resolve(true)).catch(() => false);
    const timeout = new AbortController();
    const late = sleep(timeoutMs, false, { ref: false, signal: timeout.signal }).catch(() => false);
    const isCaughtUp = await Promise.race([caughtUp, late]);
    timeout.abort();
    return { isCaughtUp };
  }

  async actAsOtherRegistrar({ name, action, authCode }: OtherRegistrarAction): Promise<OtherRegistrarResult> {
    const code = authCode === undefined ? {} : { auth_code: authCode };
    const { sponsor, statuses, transfer } = await this.#control<Acted>('POST', '/transfers', { name, action, ...code });
    return { sponsor, statuses, transferState: transfer?.state ?? null };
  }

  async readDomain(name: string): Promise<SandboxName | undefined> {
    const found = await this.#control<Dumped>('GET', `/domains/${encodeURIComponent(name)}`).catch((error: unknown) => {
      // Not in one of its zones, or not registered.
      if (error instanceof Refusal && error.code === 'conflict') return undefined;
      throw error;
    });
    if (!found) return undefined;
    const { sponsor, phase, statuses, hosts, createdAt, expiresAt } = found;
    const more = {
      graceStatuses: found.rgp_statuses,
      dueAt: found.due_at,
      transferState: found.transfer?.state ?? null,
    };
    return { sponsor, phase, statuses, hosts, createdAt, expiresAt, ...more };
  }

  async #control<T>(method: string, path: string, body?: object): Promise<T> {
    const state = this.find();
    if (!state) throw new Refusal('unavailable', 'The sandbox registry is not running.');
    const response = await fetch(`http://127.0.0.1:${state.control_port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    }).catch(() => undefined);
    if (!response) throw new Refusal('unavailable', 'The sandbox registry does not answer.');
    const answer = (await response.json()) as T & { readonly error?: string };
    if (response.ok) return answer;
    const why = answer.error ?? `the sandbox registry returned ${response.status}`;
    if (response.status >= 500) throw new Refusal('unavailable', why);
    throw path === '/faults' ? badField(/^(\w+) must/.exec(why)?.[1] ?? 'kind', why) : new Refusal('conflict', why);
  }
}
