/** Control of the sandbox registry, and of the clock that it shares with the service. */
export interface SandboxPort {
  /** Moves business time for both. Returns when the registry and our jobs have caught up, or after this time. */
  moveClock(byMs: number, timeoutMs: number): Promise<{ readonly isCaughtUp: boolean }>;
  readonly faults: FaultInjector;
  /** The registry's own record of a domain; undefined: none. */
  readDomain(name: string): Promise<SandboxName | undefined>;
  /** Actions of the other registrar in the sandbox. */
  actAsOtherRegistrar(act: OtherRegistrarAction): Promise<OtherRegistrarResult>;
}

export interface FaultInjector {
  list(): Promise<readonly SandboxFault[]>;
  /** Replaces all fault rules by this one. An invalid rule is refused with a message. */
  set(fault: object): Promise<readonly SandboxFault[]>;
  clear(): Promise<readonly SandboxFault[]>;
}

/** A domain in the sandbox registry. */
export interface SandboxName {
  readonly sponsor: string;
  readonly phase: string;
  readonly statuses: readonly string[];
  readonly graceStatuses: readonly string[];
  readonly hosts: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string;
  /** When it next changes without a command. */
  readonly dueAt: string;
  readonly transferState: string | null;
}

export type SandboxFault = Readonly<Record<string, unknown>>;

export interface OtherRegistrarAction {
  readonly name: string;
  readonly action: string;
  readonly authCode: string | undefined;
}

export interface OtherRegistrarResult {
  readonly sponsor: string;
  readonly statuses: readonly string[];
  readonly transferState: string | null;
}
