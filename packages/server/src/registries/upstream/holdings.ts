import type { Holding, Registry, Reply, StatementLine } from '../../core/ports/registry.ts';
import type { Charged, Listed, Page } from './dialect.ts';
import { statusesOf } from './statuses.ts';
import { clientOf, fetchDetail, type Upstream } from './upstream.ts';

/** Limit of 100,000 domains or transactions. */
const pages = 1_000;

/** The list of our domains at an upstream with their charges, which are read from its transactions. */
export function holdings(u: Upstream): Pick<Registry, 'holdings'> {
  const { list, statement } = u.dialect;
  if (!list || !statement) return {};
  const send = clientOf(u);
  /** The latest complete read, so that all pages of one comparison are from the same time. */
  let snapshot: readonly Holding[] = [];
  const readAll = async (): Promise<Reply<readonly Holding[]>> => {
    const listed = await whole((cursor) => list(send, cursor));
    if (listed.kind !== 'done') return listed;
    const charged = await whole((cursor) => statement(send, cursor));
    if (charged.kind !== 'done') return charged;
    return { ...charged, data: merge(listed.data, charged.data) };
  };
  const readOne = async (name: string): Promise<Reply<readonly Holding[]>> => {
    const fetched = await fetchDetail(u, name);
    if (fetched.kind !== 'done') return fetched;
    const charged = await whole((cursor) => statement(send, cursor, name));
    if (charged.kind !== 'done') return charged;
    const detail = fetched.data;
    const isOurs = detail !== null && !['gone', 'left', 'pending', 'coming'].includes(detail.status);
    const present = detail ? [{ ...detail, isOurs, statuses: statusesOf(detail) }] : [];
    const named = new Set(charged.data.filter((row) => row.name === name).map(({ domainId }) => domainId));
    const former = [...named].flatMap((id) => (id === undefined || id === detail?.id ? [] : [{ id, name }]));
    return { ...fetched, data: merge(present, charged.data, former) };
  };
  return {
    async holdings(wanted) {
      if ('name' in wanted) return readOne(wanted.name);
      if (wanted.after === '') {
        const read = await readAll();
        if (read.kind !== 'done') return read;
        snapshot = read.data;
      }
      const data = snapshot.filter(({ name }) => name > wanted.after).slice(0, wanted.limit);
      return { kind: 'done', data, pending: false, evidence: {} };
    },
  };
}

async function whole<T>(read: (cursor: string | undefined) => Promise<Reply<Page<T>>>): Promise<Reply<T[]>> {
  const rows: T[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= pages; page += 1) {
    const reply = await read(cursor);
    if (reply.kind !== 'done') return reply;
    rows.push(...reply.data.rows);
    cursor = reply.data.next;
    if (cursor === undefined) return { kind: 'done', data: rows, pending: false, evidence: {} };
  }
  return { kind: 'unsent', why: `a list of the upstream has more than ${pages} pages` };
}

/** In byte order, one row for each domain: the present one if there is one, with the charges of all. */
function merge(
  listed: readonly Listed[],
  charged: readonly Charged[],
  former: readonly { readonly id: string; readonly name: string }[] = [],
): Holding[] {
  const nameOf = new Map([...listed, ...former].map(({ id, name }) => [id, name]));
  const lines = new Map<string, StatementLine[]>();
  for (const row of charged) {
    const name = nameOf.get(row.domainId ?? '') ?? row.name;
    if (name !== undefined) lines.set(name, [...(lines.get(name) ?? []), ...row.lines]);
  }
  const present = new Map<string, Listed>();
  for (const row of listed) if (!present.get(row.name)?.isOurs) present.set(row.name, row);
  return [...new Set(nameOf.values())]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => {
      const row = present.get(name);
      const isOurs = row?.isOurs ?? false;
      return {
        name,
        isOurs,
        expiresAt: isOurs ? (row?.expiresAt ?? null) : null,
        statuses: row && isOurs ? row.statuses : [],
        lines: lines.get(name) ?? [],
      };
    });
}
