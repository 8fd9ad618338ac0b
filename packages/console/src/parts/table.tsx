import type { ComponentChildren } from 'preact';
import type { Trouble } from '../api/trouble.ts';
import { words } from '../words/words.ts';
import { Waiting } from './empty.tsx';
import { Icon } from './icon.tsx';
import { TroubleNote } from './trouble-note.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers and money stand at the right. */
  readonly isNumber?: boolean;
  /** On a phone a row is a card, with this as its title. */
  readonly isTitle?: boolean;
  readonly isSortable?: boolean;
}

export interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
}

interface Given<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly trouble?: Trouble | undefined;
  readonly onAgain?: () => void;
  readonly empty: ComponentChildren;
  /** `name` or `-name`, as the server takes it. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  readonly selection?: Selection | undefined;
  /** Rows that changed a moment ago. */
  readonly marked?: ReadonlySet<string>;
}

/** A list that the server pages and sorts. Below 720 px each row is a card. */
export function Table<Row>(given: Given<Row>) {
  const { label, columns, rows, keyOf, trouble, empty, selection, marked } = given;
  if (trouble && !rows) return <TroubleNote trouble={trouble} onAgain={given.onAgain} />;
  if (!rows) return <Waiting rows={6} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      {trouble && <TroubleNote trouble={trouble} onAgain={given.onAgain} />}
      <div class="table-frame">
        <table aria-label={label}>
          <Head {...given} rows={rows} />
          <tbody>
            {rows.map((row) => {
              const key = keyOf(row);
              return (
                <tr key={key} class={marked?.has(key) ? 'marked' : undefined}>
                  {selection && (
                    <td class="pick">
                      <Pick keys={[key]} selection={selection} label={`${words().select} ${key}`} />
                    </td>
                  )}
                  {columns.map((column) => (
                    <td key={column.key} class={classOf(column)} data-title={column.title}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

const classOf = ({ isNumber, isTitle }: Column<never>) =>
  [isNumber && 'number', isTitle && 'title'].filter(Boolean).join(' ') || undefined;

function Head<Row>({ columns, rows, keyOf, sort, onSort, selection }: Given<Row> & { readonly rows: readonly Row[] }) {
  const w = words();
  return (
    <thead>
      <tr>
        {selection && (
          <th class="pick" scope="col">
            <Pick keys={rows.map(keyOf)} selection={selection} label={w.selectAll} />
          </th>
        )}
        {columns.map((column) => {
          const order = sort === column.key ? 'ascending' : sort === `-${column.key}` ? 'descending' : undefined;
          const next = order === 'ascending' ? `-${column.key}` : column.key;
          return (
            <th key={column.key} scope="col" class={classOf(column)} aria-sort={order}>
              {column.isSortable && onSort ? (
                <button type="button" class="sort" title={w.sortBy(column.title)} onClick={() => onSort(next)}>
                  {column.title}
                  {order && <Icon name={order === 'ascending' ? 'up' : 'down'} />}
                </button>
              ) : (
                column.title
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Pick({
  keys,
  selection,
  label,
}: {
  readonly keys: readonly string[];
  readonly selection: Selection;
  readonly label: string;
}) {
  const { chosen, onChosen } = selection;
  const isAll = keys.every((key) => chosen.has(key));
  const toggle = () => {
    const next = new Set(chosen);
    for (const key of keys) isAll ? next.delete(key) : next.add(key);
    onChosen(next);
  };
  return <input type="checkbox" aria-label={label} checked={isAll} onChange={toggle} />;
}

/** Pages as the server counts them, from 1. */
export function Pager({
  page,
  size,
  total,
  isMore,
  onPage,
}: {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** Where there are more rows than the total says: whether any follow these. */
  readonly isMore?: boolean | undefined;
  readonly onPage: (page: number) => void;
}) {
  const w = words();
  if (total <= size && page === 1) return null;
  const last = Math.max(1, Math.ceil(total / size));
  const from = (page - 1) * size + 1;
  const shown =
    isMore === undefined ? w.rows(from, Math.min(page * size, total), total) : w.rowsOfMore(from, page * size, total);
  return (
    <nav class="pager" aria-label={shown}>
      <span class="faint">{shown}</span>
      <button
        type="button"
        class="button plain small"
        aria-label={w.previous}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="left" />
      </button>
      <button
        type="button"
        class="button plain small"
        aria-label={w.next}
        disabled={isMore === undefined ? page >= last : !isMore}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="right" />
      </button>
    </nav>
  );
}
