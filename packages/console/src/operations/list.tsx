import type { Shape } from '../api/shapes.ts';
import { useAddress } from '../data/address.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { Card } from '../parts/card.tsx';
import { CopyCurl } from '../parts/copy-curl.tsx';
import { Empty } from '../parts/empty.tsx';
import { Choice } from '../parts/filter.tsx';
import { Listing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { NameText } from '../parts/name-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { State, states } from './state.tsx';
import { words } from './words.ts';

type Operation = Shape<'Operation'>;

const pageSize = 25;
/** No event tells of a step: what is open is asked for. */
const often = { everyMs: 10_000 };

function columns(w: ReturnType<typeof words>): readonly Column<Operation>[] {
  return [
    {
      key: 'kind',
      title: w.order,
      isTitle: true,
      cell: (row) => <a href={`/app/operations/${row.operation_id}`}>{w.kindOf(row.kind)}</a>,
    },
    {
      key: 'object',
      title: w.object,
      cell: (row) =>
        row.domain_name ? (
          <a href={`/app/domains/${row.domain_name}`}>
            <NameText name={row.domain_name} />
          </a>
        ) : (
          (row.contact_id ?? '–')
        ),
    },
    { key: 'state', title: w.state, cell: (row) => <State state={row.state} /> },
    { key: 'created', title: w.placedAt, cell: (row) => <Moment at={row.created_at} withTime /> },
    { key: 'updated', title: w.changedAt, cell: (row) => <Moment at={row.updated_at} withTime /> },
  ];
}

/** An order that takes a step while the lists are asked for stands in two of them: as it was, and as it is. */
function eachOnce(rows: readonly Operation[]): Operation[] {
  const newest = new Map<string, Operation>();
  for (const row of rows) {
    const known = newest.get(row.operation_id);
    if (!known || known.updated_at < row.updated_at) newest.set(row.operation_id, row);
  }
  return [...newest.values()];
}

/** What is not over, of all pages: the service lists one state at a time. Those where somebody has to decide come first. */
function useOpen() {
  const lists = [
    useResource('/operations', { query: { state: 'action_required', limit: pageSize } }, often),
    useResource('/operations', { query: { state: 'unknown', limit: pageSize } }, often),
    useResource('/operations', { query: { state: 'waiting_registry', limit: pageSize } }, often),
    useResource('/operations', { query: { state: 'sent', limit: pageSize } }, often),
    useResource('/operations', { query: { state: 'intended', limit: pageSize } }, often),
  ];
  return {
    rows: lists.some(({ data }) => data) ? eachOnce(lists.flatMap(({ data }) => data ?? [])) : undefined,
    total: lists.reduce((sum, list) => sum + totalOf(list), 0),
    trouble: lists.find(({ trouble }) => trouble)?.trouble,
    again: () => {
      for (const list of lists) list.again();
    },
  };
}

function Open() {
  const w = words();
  const { rows, total, trouble, again } = useOpen();
  return (
    <Card title={w.open}>
      <Table
        label={w.open}
        rows={rows}
        keyOf={(row) => row.operation_id}
        trouble={trouble}
        onAgain={again}
        empty={<p>{w.noneOpen}</p>}
        columns={columns(w)}
      />
      {rows && total > rows.length && <p class="faint">{w.moreOpen(total - rows.length)}</p>}
    </Card>
  );
}

export default function OperationList() {
  const w = words();
  const { query, page } = useAddress();
  const state = states.find((each) => each === query.state);
  const all = useResource('/operations', { query: { limit: pageSize, page_no: page, state } });
  return (
    <>
      <PageHead
        title={w.operations}
        lead={w.lead}
        actions={
          <CopyCurl method="get" address={`/v1/operations?limit=${pageSize}${state ? `&state=${state}` : ''}`} />
        }
      />
      {!state && page === 1 && <Open />}
      <search class="row">
        <Choice
          name="state"
          label={w.state}
          value={state}
          options={[['', w.anyState], ...states.map((each) => [each, w.states[each]] as const)]}
        />
      </search>
      <Listing
        label={w.operations}
        list={all}
        size={pageSize}
        keyOf={(row) => row.operation_id}
        columns={columns(w)}
        narrowed={state !== undefined && { title: w.noneFound, clear: w.clear }}
        none={<Empty title={w.none}>{w.noneText}</Empty>}
      />
    </>
  );
}
