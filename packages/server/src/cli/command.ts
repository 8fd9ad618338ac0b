import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import type { Actor, AppContext } from '../core/app-context.ts';
import type { UpstreamAccounts } from '../core/ports/upstream-accounts.ts';

/** Functions that command-line.ts provides, so that the commands do not depend on the service's other modules. */
export interface Tools {
  readonly config: () => Config;
  /** Joins the running service's database, or starts it for the time of the command. */
  withContext<T>(work: (ctx: AppContext) => Promise<T>): Promise<T>;
  readonly serve: () => Promise<void>;
  readonly serveNameserver: () => Promise<void>;
  readonly serveEdge: () => Promise<void>;
  readonly serveMx: () => Promise<void>;
  readonly migrate: () => Promise<string[]>;
  /** SQL for a database administrator, when the service's own login may not create roles. */
  readonly databaseRoles: () => readonly string[];
  readonly rotateMasterKey: () => Promise<{ resealed: number; kept: number }>;
  readonly readCredentials: () => object | undefined;
  readonly backup: (file: string) => Promise<{ file: string; bytes: number }>;
  readonly restore: (file: string) => Promise<void>;
  readonly probes: (options: { readonly sendsMail: boolean }) => Promise<Probe[]>;
  readonly testRegistry: (ctx: AppContext, id: string) => Promise<{ ok: boolean; findings: string[] }>;
  /** Without `password`, a random one is generated. */
  readonly changeRegistryPassword: (ctx: AppContext, actor: Actor, id: string, password?: string) => Promise<void>;
  readonly readProfile: (
    json: string,
    id: string,
  ) => Parameters<typeof import('../core/registries/connect.ts').connectRegistry>[1]['profile'];
  /** JSON text of a registry profile that is part of the release. */
  readonly bundledProfile: (name: string) => string | undefined;
  readonly bundledProfiles: () => readonly string[];
  /** The shapes of the answers of an upstream, and how they differ from those of its simulator. */
  readonly recordRegistry: (ctx: AppContext, id: string, tld: string | undefined) => Promise<RegistryRecording>;
  /** Services that `registry add --upstream` knows, and tests of accounts there. */
  readonly upstreamAccounts: UpstreamAccounts;
  /** Undefined without a terminal. */
  readonly prompt?: ((question: string, options: { readonly isHidden: boolean }) => Promise<string>) | undefined;
  readonly sandboxControl: (method: string, path: string, body?: unknown) => Promise<unknown>;
  readonly runSandbox: () => Promise<void>;
  readonly moveClock: (byMs: number) => Date;
}

interface RegistryRecording {
  readonly dialect: string;
  readonly shapes: Readonly<Record<string, object>>;
  /** Keys of answers that are no known field names. They may contain personal data. */
  readonly otherKeys: readonly string[];
  readonly differences: readonly {
    readonly call: string;
    readonly path: string;
    readonly kind: 'missing' | 'new' | 'type';
    readonly expected: readonly string[];
    readonly found: readonly string[];
  }[];
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

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly about: string;
  /** Former name of the option, which keeps working. */
  readonly alias?: string;
}

export interface Command {
  /** `reseller create` */
  readonly name: string;
  /** Former names. They keep working, and the documents use `name`. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly usage: string;
  readonly options?: Record<string, Option>;
  run(call: Call): Promise<Outcome>;
}

/** Result of a command: text lines, an object for `--json`, an exit code. */
export interface Outcome {
  readonly lines?: readonly string[];
  readonly json?: unknown;
  readonly exitCode?: number;
}

/** Wrong use of a command: reported in one line without a stack, with exit code 2. */
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

/** The id of a reseller from the positional arguments. */
export function resellerId(call: Call, index = 0): string {
  return readId(positional(call, index, 'the id of the reseller'), 'the id of the reseller');
}

/** An option with an id, such as `--parent ID`; undefined if it is absent. */
export function optionalId(call: Call, name: string): string | undefined {
  const value = optional(call, name);
  return value === undefined ? undefined : readId(value, `--${name}`);
}

function readId(text: string, what: string): string {
  if (!idForm.test(text)) throw new UsageError(`${what} must be a number, not "${text}"`);
  return BigInt(text).toString();
}

/** The actor that the audit log records for changes from the command line. */
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
  const known: readonly [string, Option][] = [
    ...Object.entries(command.options ?? {}),
    ['json', { type: 'boolean', about: '' }],
    ['help', { type: 'boolean', about: '' }],
  ];
  const options = Object.fromEntries(
    known.flatMap(([name, { type, alias }]) =>
      [name, ...(alias === undefined ? [] : [alias])].map((each) => [each, { type }]),
    ),
  );
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    return { positionals: parsed.positionals, options: withoutAliases(known, parsed.values as Call['options']) };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Moves the values of former option names to the present names. */
function withoutAliases(known: readonly [string, Option][], values: Call['options']): Call['options'] {
  const read = { ...values };
  for (const [name, { alias }] of known) {
    if (alias === undefined || read[alias] === undefined) continue;
    if (read[name] !== undefined) throw new Error(`--${alias} is the former name of --${name}: give only one of them`);
    read[name] = read[alias];
    delete read[alias];
  }
  return read;
}
