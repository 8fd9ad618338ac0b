import { displayName, NameError, normaliseName } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { eventId, eventNumber } from '../events/read.ts';
import { allows } from '../keys/key.ts';
import { selectTransaction } from '../ledger/ledger.sql.ts';
import {
  customersNamed,
  domainsNumbered,
  eventsNumbered,
  type FoundRow,
  keysCalled,
  namesBeginning,
  operationsCalled,
} from './search.sql.ts';

export const searchLimits = {
  ofKind: 8,
  /** Customers that are searched, newest first. */
  customers: 5_000,
};

export const foundKinds = ['domain', 'customer', 'operation', 'transaction', 'key', 'event'] as const;
type FoundKind = (typeof foundKinds)[number];

interface Found extends FoundRow {
  readonly kind: FoundKind;
}

interface SearchQuery {
  readonly db: Reader;
  readonly resellerId: string;
  /** The requesting customer, who finds only its own. */
  readonly customerId: string | null;
  /** As typed, trimmed, and in lower case. */
  readonly text: string;
}

/** A row's id is a bigint: a longer number is no id. */
const isNumber = (text: string) => /^\d{1,18}$/.test(text);

/** IDNs as typed; incomplete input, such as a label with a dot behind it, is still a prefix. */
function beginningOf(text: string): string | undefined {
  try {
    return normaliseName(text) + (text.endsWith('.') ? '.' : '');
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    return /^[a-z0-9.-]+$/.test(text) ? text : undefined;
  }
}

async function domains({ db, resellerId, customerId, text }: SearchQuery): Promise<FoundRow[]> {
  const begins = beginningOf(text);
  const few = { limit: searchLimits.ofKind, customerId };
  const named = begins === undefined ? [] : await namesBeginning(db, resellerId, begins, few);
  const numbered = isNumber(text) ? await domainsNumbered(db, resellerId, text, customerId) : [];
  return [...numbered, ...named].map((row) => ({ ...row, title: displayName(row.title) }));
}

const customers = ({ db, resellerId, text }: SearchQuery) =>
  customersNamed(db, resellerId, text, { among: searchLimits.customers, limit: searchLimits.ofKind });

async function operations({ db, resellerId, customerId, text }: SearchQuery): Promise<FoundRow[]> {
  return text.startsWith('op_') ? operationsCalled(db, resellerId, text, customerId) : [];
}

async function transactions({ db, resellerId, customerId, text }: SearchQuery): Promise<FoundRow[]> {
  if (!isNumber(text)) return [];
  const whose = { viewerId: resellerId, resellerId, ...(customerId === null ? {} : { customerId }) };
  const found = await selectTransaction(db, { ...whose, ids: [text] });
  return found ? [{ id: text, title: found.description, detail: found.status }] : [];
}

async function keys({ db, resellerId, text }: SearchQuery): Promise<FoundRow[]> {
  return text.startsWith('key_') ? keysCalled(db, resellerId, text) : [];
}

async function events({ db, resellerId, text }: SearchQuery): Promise<FoundRow[]> {
  const number = text.startsWith('evt_') ? eventNumber(text) : undefined;
  if (number === undefined) return [];
  return (await eventsNumbered(db, resellerId, number)).map((row) => ({ ...row, id: eventId(row.id) }));
}

/** The query for each kind, and the scope that its own list requires. */
const searches: Readonly<Record<FoundKind, { readonly scope: string; find(query: SearchQuery): Promise<FoundRow[]> }>> =
  {
    domain: { scope: 'domains:read', find: domains },
    customer: { scope: 'customers:read', find: customers },
    operation: { scope: 'domains:read', find: operations },
    transaction: { scope: 'account:read', find: transactions },
    key: { scope: 'account:read', find: keys },
    event: { scope: 'account:read', find: events },
  };

/** Kinds that a customer can find: it owns no others. */
const customersKinds: readonly FoundKind[] = ['domain', 'operation', 'transaction'];

/** A few results of each kind that the caller may list. */
export async function search(ctx: AppContext, actor: Actor, typed: string): Promise<Found[]> {
  const { resellerId, scopes, customerId = null } = actor;
  const query = { db: ctx.db.as(resellerId), resellerId, customerId, text: typed.trim().toLowerCase() };
  const found: Found[] = [];
  for (const kind of foundKinds) {
    const { scope, find } = searches[kind];
    const isTheirs = customerId === null ? allows(scopes, scope) : customersKinds.includes(kind);
    if (!isTheirs) continue;
    const rows = (await find(query)).slice(0, searchLimits.ofKind);
    found.push(...rows.map((row) => ({ kind, ...row })));
  }
  return found;
}
