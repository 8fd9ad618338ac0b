import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import type { Actor, AppContext } from '../core/app-context.ts';

/** What command-line.ts hands to the commands: rooms that the command line itself does not know. */
export interface Tools {
  readonly config: () => Config;
  /** Joins the running service's database, or starts it for the time of the command. */
  withContext<T>(work: (ctx: AppContext) => Promise<T>): Promise<T>;
  readonly serve: () => Promise<void>;
  readonly serveNameserver: () => Promise<void>;
  readonly serveEdge: () => Promise<void>;
  readonly serveMx: () => Promise<void>;
  readonly migrate: () => Promise<string[]>;
  /** SQL that a database administrator runs where our own login may not create roles. */
  readonly databaseRoles: () => readonly string[];
  readonly rotateMasterKey: () => Promise<{ resealed: number; kept: number }>;
  readonly readCredentials: () => object | undefined;
  readonly backup: (file: string) => Promise<{ file: string; bytes: number }>;
  readonly restore: (file: string) => Promise<void>;
  readonly probes: (options: { readonly sendsMail: boolean }) => Promise<Probe[]>;
  readonly testRegistry: (ctx: AppContext, id: string) => Promise<{ ok: boolean; findings: string[] }>;
  /** Without a password one is made by chance. */
  readonly changeRegistryPassword: (ctx: AppContext, actor: Actor, id: string, password?: string) => Promise<void>;
  readonly readProfile: (
    json: string,
    id: string,
  ) => Parameters<typeof import('../core/registries/connect.ts').connectRegistry>[1]['profile'];
  /** The text of a profile that comes with the service. */
  readonly bundledProfile: (name: string) => string | undefined;
  readonly bundledProfiles: () => readonly string[];
  readonly sandboxControl: (method: string, path: string, body?: unknown) => Promise<unknown>;
  readonly runSandbox: () => Promise<void>;
  readonly moveClock: (byMs: number) => Date;
}

export interface Probe {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  readonly fix?: string;
}

export interface Call {
  readonly tools: Tools;
  readonly positionals: string[];
  readonly options: Record<string, string | boolean | undefined>;
}

export interface Command {
  /** `reseller create` */
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options?: Record<string, { type: 'string' | 'boolean'; about: string }>;
  run(call: Call): Promise<Outcome>;
}

/** What a command leaves behind: lines for people, an object for `--json`, an exit code. */
export interface Outcome {
  readonly lines?: readonly string[];
  readonly json?: unknown;
  readonly exitCode?: number;
}

/** A mistake of the user: told in one line, without a stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export function required(call: Call, name: string): string {
  const value = call.options[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

export function optional(call: Call, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function positional(call: Call, index: number, what: string): string {
  const value = call.positionals[index];
  if (value === undefined) throw new UsageError(`${what} is missing`);
  return value;
}

const idForm = /^\d{1,18}$/;

/** The id of a reseller, as the words after the command have it. */
export function resellerId(call: Call, index = 0): string {
  return readId(positional(call, index, 'the id of the reseller'), 'the id of the reseller');
}

/** `--parent ID` and the like; undefined where it was not given. */
export function optionalId(call: Call, name: string): string | undefined {
  const value = optional(call, name);
  return value === undefined ? undefined : readId(value, `--${name}`);
}

function readId(text: string, what: string): string {
  if (!idForm.test(text)) throw new UsageError(`${what} must be a number, not "${text}"`);
  return BigInt(text).toString();
}

/** Who the audit log names for changes made here. */
export function cliActor(resellerId: string): Actor {
  return {
    resellerId,
    keyId: null,
    address: 'command line',
    requestId: `cli-${process.pid}`,
    scopes: ['full'],
    isOperator: resellerId === '1',
  };
}

export function parse(command: Command, args: string[]): { positionals: string[]; options: Call['options'] } {
  const options = Object.fromEntries(
    Object.entries({
      ...command.options,
      json: { type: 'boolean' as const, about: '' },
      help: { type: 'boolean' as const, about: '' },
    }).map(([name, { type }]) => [name, { type }]),
  );
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { positionals: parsed.positionals, options: parsed.values as Call['options'] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
