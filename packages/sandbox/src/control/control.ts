import type { MovableClock } from '@namehold/base';
import type { FaultInjector } from '../faults/fault-injector.ts';
import type { HeldCommands } from '../faults/held-commands.ts';
import type { Registry } from '../registry/registry.ts';
import type { CommandCounters } from './command-counters.ts';

export interface Control {
  readonly registry: Registry;
  readonly clock: MovableClock;
  readonly faultInjector: FaultInjector;
  readonly held: HeldCommands;
  readonly counters: CommandCounters;
}

interface ControlRequest {
  /** The variable parts of the path, in order. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An object is sent as JSON, an async iterable as text. */
export type ControlAnswer = object | AsyncIterable<string>;
export type ControlCall = (control: Control, request: ControlRequest) => Promise<ControlAnswer>;

export class ControlError extends Error {
  override name = 'ControlError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `?limit=`: a whole number, one or more; other values are ignored. */
export function limitOf(query: URLSearchParams, usual: number, most: number): number {
  const text = query.get('limit') ?? '';
  return /^[1-9]\d*$/.test(text) ? Math.min(Number(text), most) : usual;
}
