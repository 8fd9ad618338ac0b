import type { Route } from '../../packages/server/src/http/route.ts';
import { routes } from '../../packages/server/src/http/v1/index.ts';
import type { Called, TestService } from '../support/service.ts';
import { type CallerKind, type Callers, transferable } from './callers.ts';
import { mark, nounOf } from './fixtures.ts';
import { type MatrixOperation, requestOf } from './operations.ts';
import { databaseDigests, tenantDigests } from './snapshot.ts';

const bare = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
const routeOf = ({ method, template }: MatrixOperation): Route =>
  routes.find((route) => route.method === method && bare(route.path) === bare(template))!;

/** Tables that a refused request may write, each with the reason. Every other table must be unchanged. */
const writtenByRefusals: Readonly<Record<string, string>> = {
  rate_bucket: 'requests and failed sign-ins are counted here',
  refusal_count: 'refusals are counted for the account of the request, for its security page',
  registry_slot: 'sessions with registries renew their leases in the background',
  registry_pace: 'queries of registries are counted; a transfer is looked up there before its customer',
  upstream_session: 'a query of an upstream may log in there',
  upstream_request: 'queries of upstreams are counted and shared',
};

interface Tally {
  /** Calls that authorisation had to refuse, and did. */
  refused: number;
  /** Of these, writes. */
  refusedWrites: number;
  /** Calls that the caller may make: public ones, those of its scopes, and those in its own account. */
  permitted: number;
  /** Calls that had to be refused and ended before authorisation. */
  unreached: number;
}

export const noTally: Tally = { refused: 0, refusedWrites: 0, permitted: 0, unreached: 0 };

/** These would end the session itself, or change its own password. */
const isOwnSignIn = ({ template }: MatrixOperation) => /^\/(session|me)(\/|$)/.test(template);

/** An id of another account in a body or query is refused as invalid input with its field: that is the authorisation of such a field. */
function isAboutForeignId({ status, body }: Called): boolean {
  const fields = ((body?.errors ?? []) as { field: string }[]).map(({ field }) => field.split(/[.[]/)[0]!);
  return status === 400 && fields.length > 0 && fields.every((field) => nounOf[field] || field === 'domain_name');
}

function namesVictim({ template, body, example }: MatrixOperation): boolean {
  return /\{\w+\}/.test(template)
    ? [...template.matchAll(/\{(\w+)\}/g)].some(([, name]) => nounOf[name!])
    : body.some((name) => nounOf[name] && example[name] !== undefined);
}

/** Every operation as one kind of caller, with the victim's ids and the documented bodies. */
export class CallerTrial {
  readonly tally: Tally = { ...noTally };
  readonly problems: string[] = [];
  readonly #t: TestService;
  readonly #callers: Callers;
  readonly #kind: CallerKind;

  constructor(t: TestService, callers: Callers, kind: CallerKind) {
    this.#t = t;
    this.#callers = callers;
    this.#kind = kind;
  }

  #mustRefuse(operation: MatrixOperation): boolean {
    if (!this.#kind.may(routeOf(operation))) return true;
    return !this.#kind.isOwn && !routeOf(operation).isPublic && operation.method !== 'GET' && namesVictim(operation);
  }

  #isTried(operation: MatrixOperation): boolean {
    return !this.#kind.isWriter && !(this.#kind.by.session !== undefined && isOwnSignIn(operation));
  }

  async run(operations: readonly MatrixOperation[]): Promise<this> {
    const { reseller } = this.#callers.victim.nouns;
    const whole = () => databaseDigests(this.#t, Object.keys(writtenByRefusals));
    const before = await whole();
    for (const operation of operations.filter((each) => this.#mustRefuse(each))) await this.#refused(operation);
    this.#compare(before, await whole(), 'refused calls');
    const permitted = operations.filter((each) => !this.#mustRefuse(each) && this.#isTried(each));
    const rows = await tenantDigests(this.#t, reseller, Object.keys(writtenByRefusals));
    for (const operation of permitted) await this.#permitted(operation);
    const now = await tenantDigests(this.#t, reseller, Object.keys(writtenByRefusals));
    if (!this.#kind.isOwn) this.#compare(rows, now, 'calls within its own account');
    return this;
  }

  #compare(before: Record<string, string>, after: Record<string, string>, what: string): void {
    const changed = Object.keys(after).filter((table) => before[table] !== after[table]);
    if (changed.length > 0) this.problems.push(`${this.#kind.name}: ${what} changed ${changed.join(', ')}`);
  }

  /** The documented body, if it is not correct for this caller here. */
  #corrected({ template }: MatrixOperation, json: Record<string, unknown>): Record<string, unknown> {
    const fields = { ...this.#kind.fields, ...(template === '/domains/transfer' ? { domain_name: transferable } : {}) };
    return { ...json, ...Object.fromEntries(Object.entries(fields).filter(([name]) => name in json)) };
  }

  async #call(operation: MatrixOperation): Promise<{ called: Called; cell: string }> {
    const { path, query, json, raw } = requestOf(operation, this.#callers.victim);
    const called = await this.#t.call(operation.method, path, {
      query,
      ...this.#kind.by,
      ...(json ? { json: this.#corrected(operation, json) } : {}),
      ...(raw ? { raw } : {}),
    });
    const reason = JSON.stringify(called.body?.errors ?? called.body?.message ?? '').slice(0, 200);
    const cell = `${this.#kind.name}: ${operation.method} ${operation.template}: ${called.status} ${called.body?.code ?? ''} ${reason}`;
    // A missing path is reported with the path that was sent.
    const isEcho = called.body?.code === 'route_not_found';
    if (!this.#kind.isOwn && !isEcho && called.text.toLowerCase().includes(mark))
      this.problems.push(`${cell} shows the account`);
    return { called, cell };
  }

  async #refused(operation: MatrixOperation): Promise<void> {
    const { called, cell } = await this.#call(operation);
    if ([401, 403, 404].includes(called.status) || isAboutForeignId(called)) {
      this.tally.refused += 1;
      if (operation.method !== 'GET') this.tally.refusedWrites += 1;
      return;
    }
    this.problems.push(cell);
    if (called.status >= 400) this.tally.unreached += 1;
  }

  async #permitted(operation: MatrixOperation): Promise<void> {
    const { called, cell } = await this.#call(operation);
    this.tally.permitted += 1;
    if (called.status >= 500 || called.status === 429) this.problems.push(cell);
  }
}
