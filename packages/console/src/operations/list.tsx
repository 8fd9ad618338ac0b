import type { Schema } from '../api/shapes.ts';
import { Card } from '../components/card.tsx';
import { CopyCurl } from '../components/copy-curl.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterSelect } from '../components/filter.tsx';
import { Listing } from '../components/listing.tsx';
import { Moment } from '../components/moment.tsx';
import { PageHead } from '../components/page-head.tsx';
import { type Column, Table } from '../components/table.tsx';
import { usePageUrl } from '../data/page-url.ts';
import { totalOf, useResource } from '../data/resource.ts';
import { RequestedBy } from './approval.tsx';
import { isCodeRefused, kindText } from './line.ts';
import { messages } from './messages.ts';
import { State, states } from './state.tsx';

type Operation = Schema<'Operation'>;

const pageSize = 25;
/** There are no events for steps, so open operations are polled. */
const often = { everyMs: 10_000 };

function columns(t: ReturnType<typeof messages>): readonly Column<Operation>[] {
  return [
    {
      key: 'kind',
      title: t.order,
      isTitle: true,
      cell: (row) => (
        <div>
          <a href={`/app/operations/${row.operation_id}`}>{kindText(row)}</a>
          <RequestedBy operation={row} />
        </div>
      ),
    },
    {
      key: 'object',
      title: t.object,
      cell: (row) =>
        row.domain_name ? (
          <a href={`/app/domains/${row.domain_name}`}>
            <DomainName name={row.domain_name} />
          </a>
        ) : (
          (row.contact_id ?? '–')
        ),
    },
    { key: 'state', title: t.state, cell: (row) => <State of={row} /> },
    { key: 'created', title: t.placedAt, cell: (row) => <Moment at={row.created_at} withTime /> },
    { key: 'updated', title: t.changedAt, cell: (row) => <Moment at={row.updated_at} withTime /> },
  ];
}

/** Removes duplicates: an operation can change state between the requests of the lists. */
function eachOnce(rows: readonly Operation[]): Operation[] {
  const newest = new Map<string, Operation>();
  for (const row of rows) {
    const known = newest.get(row.operation_id);
    if (!known || known.updated_at < row.updated_at) newest.set(row.operation_id, row);
  }
  return [...newest.values()];
}

/** Operations that wait for the user come first. A transfer with a refused auth code has the state of the registry. */
const inOrder = (rows: readonly Operation[]): Operation[] => [
  ...rows.filter(isCodeRefused),
  ...rows.filter((row) => !isCodeRefused(row)),
];

/** All open operations. The API lists one state at a time. Those that need a decision come first. */
function useOpenOperations() {
  const lists = [
    useResource('/operations', { query: { state: 'action_required', limit: pageSize } }, often),
    useResource('/operations', { query: { state: 'unknown', limit: pageSize } }, often),
    useResource('/operations', { query: { state: 'waiting_registry', limit: pageSize } }, often),
    useResource('/operations', { query: { state: 'sent', limit: pageSize } }, often),
    useResource('/operations', { query: { state: 'intended', limit: pageSize } }, often),
  ];
  return {
    rows: lists.some(({ data }) => data) ? inOrder(eachOnce(lists.flatMap(({ data }) => data ?? []))) : undefined,
    total: lists.reduce((sum, list) => sum + totalOf(list), 0),
    error: lists.find(({ error }) => error)?.error,
    again: () => {
      for (const list of lists) list.refetch();
    },
  };
}

function OpenOperations() {
  const t = messages();
  const { rows, total, error, again } = useOpenOperations();
  return (
    <Card title={t.open}>
      <Table
        label={t.open}
        rows={rows}
        keyOf={(row) => row.operation_id}
        error={error}
        onRetry={again}
        empty={<p>{t.noneOpen}</p>}
        columns={columns(t)}
      />
      {rows && total > rows.length && <p class="faint">{t.moreOpen(total - rows.length)}</p>}
    </Card>
  );
}

export default function OperationList() {
  const t = messages();
  const { query, page } = usePageUrl();
  const state = states.find((each) => each === query.state);
  const all = useResource('/operations', { query: { limit: pageSize, page_no: page, state } });
  return (
    <>
      <PageHead
        title={t.operations}
        lead={t.lead}
        actions={
          <CopyCurl method="get" address={`/v1/operations?limit=${pageSize}${state ? `&state=${state}` : ''}`} />
        }
      />
      {!state && page === 1 && <OpenOperations />}
      <search class="row">
        <FilterSelect
          name="state"
          label={t.state}
          value={state}
          options={[['', t.anyState], ...states.map((each) => [each, t.states[each]] as const)]}
        />
      </search>
      <Listing
        label={t.operations}
        list={all}
        size={pageSize}
        keyOf={(row) => row.operation_id}
        columns={columns(t)}
        narrowed={state !== undefined && { title: t.noneFound, clear: t.clear }}
        none={<Empty title={t.none}>{t.noneText}</Empty>}
      />
    </>
  );
}
