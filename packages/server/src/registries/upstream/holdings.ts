import { dayMs } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import type { Holding, Registry, Reply, StatementLine } from '../../core/ports/registry.ts';
import {
  addListedCharges,
  addListedNames,
  isListed,
  type ListingRun,
  listingPage,
  nameListedCharges,
  removeListing,
} from '../../core/registries/listing.sql.ts';
import type { Page, StatementEntry } from './dialect.ts';
import { statusesOf } from './statuses.ts';
import { clientOf, fetchDetail, type Upstream } from './upstream.ts';

/** An upstream that ignores the cursor would send the same page for ever. */
const mostPages = 10_000;
/** Rows of a run that never ended are removed after this time. */
const leftMs = 2 * dayMs;
const done = { kind: 'done', data: null, pending: false, evidence: {} } as const;

type Lists = Required<Pick<Upstream['dialect'], 'list'>> & Pick<Upstream['dialect'], 'statement'>;

/** The list of our domains at an upstream, with their charges if its transactions can be read. */
export function holdings(u: Upstream): Pick<Registry, 'holdings' | 'hasNoStatement'> {
  const { list, statement } = u.dialect;
  if (!list) return {};
  const lists = { list, ...(statement ? { statement } : {}) };
  /** The latest complete read, so that all pages of one comparison are from the same time. */
  let listing: ListingRun | undefined;
  return {
    ...(statement ? {} : { hasNoStatement: true }),
    async holdings(wanted) {
      if ('name' in wanted) return holdingOf(u, lists, wanted.name);
      const db = u.ctx.db.as(allTenants);
      // Another reader in this process may have finished with the same run.
      if (wanted.after === '' || !listing || !(await isListed(db, listing.run))) {
        if (listing) await remove(u, listing);
        listing = undefined;
        const fresh = { registryId: u.id, run: u.ctx.ids.next('ls') };
        const read = await readAll(u, lists, fresh);
        if (read.kind !== 'done') {
          await remove(u, fresh);
          return read;
        }
        listing = fresh;
      }
      const data = await listingPage(db, listing.run, wanted.after, wanted.limit);
      if (data.length < wanted.limit) await remove(u, listing);
      return { ...done, data: statement ? data : data.map((holding) => ({ ...holding, lines: null })) };
    },
  };
}

const remove = (u: Upstream, listing: ListingRun): Promise<void> =>
  u.ctx.db.transaction(allTenants, (tx) => removeListing(tx, listing, new Date(u.ctx.wall.now().getTime() - leftMs)));

/** Stores each page at once, so that memory does not grow with the list. */
async function readAll(u: Upstream, { list, statement }: Lists, listing: ListingRun): Promise<Reply<null>> {
  const send = clientOf(u);
  const now = u.ctx.wall.now();
  const store = (write: (tx: Tx) => Promise<void>) => u.ctx.db.transaction(allTenants, write);
  const listed = await eachPage(
    (cursor) => list(send, cursor),
    (rows) =>
      store((tx) =>
        addListedNames(
          tx,
          listing,
          rows.map(({ id, ...row }) => ({ remoteId: id, ...row })),
          now,
        ),
      ),
  );
  if (listed.kind !== 'done' || !statement) return listed;
  const charged = await eachPage(
    (cursor) => statement(send, cursor),
    (rows) =>
      store((tx) =>
        addListedCharges(
          tx,
          listing,
          rows.map(({ domainId, name, lines }) => ({ remoteId: domainId, name, lines })),
          now,
        ),
      ),
  );
  if (charged.kind !== 'done') return charged;
  await store((tx) => nameListedCharges(tx, listing.run));
  return done;
}

async function eachPage<T>(
  read: (cursor: string | undefined) => Promise<Reply<Page<T>>>,
  take: (rows: readonly T[]) => Promise<void> | void,
): Promise<Reply<null>> {
  let cursor: string | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await read(cursor);
    if (reply.kind !== 'done') return reply;
    if (reply.data.rows.length > 0) await take(reply.data.rows);
    cursor = reply.data.next;
    if (cursor === undefined) return done;
  }
  return { kind: 'unsent', why: `a list of the upstream has more than ${mostPages} pages` };
}

/** One domain: its details, and its own part of the statement. */
async function holdingOf(u: Upstream, { statement }: Lists, name: string): Promise<Reply<readonly Holding[]>> {
  const fetched = await fetchDetail(u, name);
  if (fetched.kind !== 'done') return fetched;
  const charged: StatementEntry[] = [];
  const read = statement
    ? await eachPage(
        (cursor) => statement(clientOf(u), cursor, name),
        (rows) => void charged.push(...rows),
      )
    : done;
  if (read.kind !== 'done') return read;
  const detail = fetched.data;
  const isOurs =
    detail !== null && !['absent', 'transferred_out', 'pending', 'pending_transfer_in'].includes(detail.status);
  // A domain may have been ours before, under another id.
  const named = new Set(
    charged.flatMap((row) => (row.name === name && row.domainId !== undefined ? row.domainId : [])),
  );
  const isOf = (row: StatementEntry) =>
    row.domainId === undefined ? row.name === name : row.domainId === detail?.id || named.has(row.domainId);
  const lines: readonly StatementLine[] = charged.filter(isOf).flatMap((row) => row.lines);
  if (!detail && lines.length === 0 && named.size === 0) return { ...fetched, data: [] };
  const holding = {
    name,
    isOurs,
    expiresAt: isOurs ? detail.expiresAt : null,
    statuses: isOurs ? statusesOf(detail) : [],
    lines: statement ? lines : null,
  };
  return { ...fetched, data: [holding] };
}
