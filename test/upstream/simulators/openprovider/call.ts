import type { SimulatorClock } from '../clock.ts';
import type { FaultRule } from '../faults.ts';
import type { Ledger } from '../ledger.ts';
import type { Portfolio } from '../portfolio.ts';
import type { OpenproviderSettings, TldRules } from './settings.ts';

/** A refusal: a code other than 0, with a description. */
export class Refused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

/** A domain that is registered elsewhere. */
export interface Elsewhere {
  readonly authCode: string;
  readonly locked: boolean;
  readonly expiresAt: number;
}

interface Customer {
  readonly handle: string;
  readonly fields: Fields;
  isDeleted: boolean;
}

interface RecordedCall {
  readonly cmd: string;
  readonly at: number;
  readonly code: number;
}

/** What Openprovider keeps of a domain besides the common fields. */
interface Extra {
  comments: string;
  autorenew: 'on' | 'off' | 'default';
  readonly calls: RecordedCall[];
  /** A removed order is in no list. */
  isRemoved: boolean;
}

/** The prices of a premium domain a year: in the currency of the registry, and ours. */
interface Premium {
  readonly product: number;
  readonly reseller: number;
}

export interface State {
  readonly settings: OpenproviderSettings;
  readonly clock: SimulatorClock;
  readonly ledger: Ledger;
  readonly portfolio: Portfolio;
  readonly customers: Map<string, Customer>;
  readonly extras: Map<string, Extra>;
  readonly elsewhere: Map<string, Elsewhere>;
  readonly premium: Map<string, Premium>;
  /** Names whose availability is not known. */
  readonly unknown: Set<string>;
  /** Valid tokens, and until when. */
  readonly tokens: Map<string, number>;
  nextHandle(): string;
  code(): string;
}

/** A request without its address: parameters of the query, and fields of the body. */
export interface Input {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: Fields;
}

export interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/v1beta`; `{id}` is a part of the path. */
  readonly path: string;
  /** The names of the parameters or fields that it takes. */
  readonly takes: readonly string[];
  run(state: State, input: Input, fault: FaultRule | undefined): unknown;
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function textOf({ body }: Input, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '')
    throw new Refused(310, `Required parameter ${field} is missing or invalid`);
  return value;
}

export function numberOf({ settings }: State, { body }: Input, field: string): number {
  const value = body[field];
  const number = settings.form === 'lenient' && typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw new Refused(310, `Invalid value of ${field}`);
  return number;
}

export function flagOf({ settings }: State, { body }: Input, field: string, otherwise: boolean): boolean {
  const value = body[field];
  if (value === undefined) return otherwise;
  if (typeof value === 'boolean') return value;
  if (settings.form === 'lenient' && (value === 1 || value === 0)) return value === 1;
  throw new Refused(310, `Invalid value of ${field}`);
}

/** `{name, extension}` */
export function nameOf(value: unknown): string {
  const parts = isObject(value) ? value : {};
  const { name, extension } = parts;
  if (typeof name !== 'string' || typeof extension !== 'string' || name === '' || extension === '')
    throw new Refused(310, 'Required parameter domain is missing or invalid');
  return `${name}.${extension}`.toLowerCase();
}

export const splitName = (name: string) => {
  const dot = name.indexOf('.');
  return { name: name.slice(0, dot), extension: name.slice(dot + 1) };
};

/** 307 is in the WHMCS module: an extension that the account does not have. */
export function rulesOf({ settings }: State, name: string): TldRules {
  const rules = settings.tlds[splitName(name).extension];
  if (!rules) throw new Refused(307, 'Your domain request contains an invalid extension!');
  return rules;
}

export const extraOf = ({ extras }: State, domainId: string): Extra => extras.get(domainId)!;
