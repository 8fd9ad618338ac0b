import type { ComponentChildren } from 'preact';
import { usePageUrl } from '../data/page-url.ts';
import { isMoreOf, type Resource, totalOf } from '../data/resource.ts';
import { ButtonLink } from './button.tsx';
import { Empty } from './empty.tsx';
import { type Column, Pager, type Selection, Table } from './table.tsx';

interface Props<Row> {
  readonly label: string;
  readonly list: Resource<readonly Row[]>;
  /** Rows per page, as requested. */
  readonly size: number;
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** Shown if the list is empty. */
  readonly none: ComponentChildren;
  /** Shown if no row matches the filters, with a way to clear them. */
  readonly narrowed?: false | { readonly title: string; readonly text?: string; readonly clear: string };
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  readonly selection?: Selection | undefined;
}

/** A paged list; the page number is part of the address. */
export function Listing<Row>({ label, list, size, none, narrowed, ...table }: Props<Row>) {
  const { path, page, go } = usePageUrl();
  return (
    <>
      <Table
        {...table}
        label={label}
        rows={list.data}
        error={list.error}
        onRetry={list.refetch}
        empty={
          narrowed ? (
            <Empty title={narrowed.title} action={<ButtonLink href={path}>{narrowed.clear}</ButtonLink>}>
              {narrowed.text}
            </Empty>
          ) : (
            none
          )
        }
      />
      <Pager
        page={page}
        size={size}
        total={totalOf(list)}
        isMore={isMoreOf(list)}
        onPage={(next) => go({ page: String(next) })}
      />
    </>
  );
}
