import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/error.ts';
import { messages } from '../messages/common.ts';
import { Skeleton } from './empty.tsx';
import { ErrorBanner } from './error-banner.tsx';
import { Icon } from './icon.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligned to the end of the cell. */
  readonly isNumber?: boolean;
  /** The title of the card that shows the row in narrow windows. */
  readonly isTitle?: boolean;
  readonly isSortable?: boolean;
}

export interface Selection {
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: ReadonlySet<string>) => void;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly error?: ApiError | undefined;
  readonly onRetry?: () => void;
  readonly empty: ComponentChildren;
  /** `name` or `-name`, as in the API. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  readonly selection?: Selection | undefined;
  /** Keys of rows that changed recently. */
  readonly marked?: ReadonlySet<string>;
}

/** A frame that scrolls sideways. WCAG 2.1.1: it then has a tab stop, so that the keyboard can scroll it. */
function Frame({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current!;
    const watcher = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth));
    for (const each of [element, ...element.children]) watcher.observe(each);
    return () => watcher.disconnect();
  }, []);
  return (
    <div ref={frame} class="table-frame" {...(scrolls && { role: 'group', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  );
}

/** A table with server-side sorting. Below 720 px each row is a card. */
export function Table<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, error, empty, selection, marked } = props;
  if (error && !rows) return <ErrorBanner error={error} onRetry={props.onRetry} />;
  if (!rows) return <Skeleton rows={6} />;
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      {error && <ErrorBanner error={error} onRetry={props.onRetry} />}
      <Frame label={label}>
        <table aria-label={label}>
          <Head {...props} rows={rows} />
          <tbody>
            {rows.map((row) => {
              const key = keyOf(row);
              return (
                <tr key={key} class={marked?.has(key) ? 'marked' : undefined}>
                  {selection && (
                    <td class="pick">
                      <Pick keys={[key]} selection={selection} label={`${messages().select} ${key}`} />
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
      </Frame>
    </>
  );
}

const classOf = ({ isNumber, isTitle }: Column<never>) =>
  [isNumber && 'number', isTitle && 'title'].filter(Boolean).join(' ') || undefined;

function Head<Row>({ columns, rows, keyOf, sort, onSort, selection }: Props<Row> & { readonly rows: readonly Row[] }) {
  const t = messages();
  return (
    <thead>
      <tr>
        {selection && (
          <th class="pick" scope="col">
            <Pick keys={rows.map(keyOf)} selection={selection} label={t.selectAll} />
          </th>
        )}
        {columns.map((column) => {
          const order = sort === column.key ? 'ascending' : sort === `-${column.key}` ? 'descending' : undefined;
          const next = order === 'ascending' ? `-${column.key}` : column.key;
          return (
            <th key={column.key} scope="col" class={classOf(column)} aria-sort={order}>
              {column.isSortable && onSort ? (
                <button type="button" class="sort" title={t.sortBy(column.title)} onClick={() => onSort(next)}>
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

/** Page numbers start at 1. */
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
  /** Whether more rows follow, if the total is only a lower bound. */
  readonly isMore?: boolean | undefined;
  readonly onPage: (page: number) => void;
}) {
  const t = messages();
  if (total <= size && page === 1) return null;
  const last = Math.max(1, Math.ceil(total / size));
  const from = (page - 1) * size + 1;
  const range =
    isMore === undefined ? t.rows(from, Math.min(page * size, total), total) : t.rowsOfMore(from, page * size, total);
  return (
    <nav class="pager" aria-label={range}>
      <span class="faint">{range}</span>
      <button
        type="button"
        class="button plain small"
        aria-label={t.previous}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="left" />
      </button>
      <button
        type="button"
        class="button plain small"
        aria-label={t.next}
        disabled={isMore === undefined ? page >= last : !isMore}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="right" />
      </button>
    </nav>
  );
}
