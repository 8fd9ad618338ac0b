import type { ComponentChildren } from 'preact';
import { useAddress } from '../data/address.ts';
import { isMoreOf, type Resource, totalOf } from '../data/resource.ts';
import { ButtonLink } from './button.tsx';
import { Empty } from './empty.tsx';
import { type Column, Pager, type Selection, Table } from './table.tsx';

interface Given<Row> {
  readonly label: string;
  readonly list: Resource<readonly Row[]>;
  /** Rows of a page, as the service was asked for. */
  readonly size: number;
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** What is said where there is nothing at all. */
  readonly none: ComponentChildren;
  /** What is said where only the filters leave nothing, and the way to be rid of them. */
  readonly narrowed?: false | { readonly title: string; readonly text?: string; readonly clear: string };
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  readonly selection?: Selection | undefined;
}

/** A list of the service: the page of it that the address names, and the way to the others. */
export function Listing<Row>({ label, list, size, none, narrowed, ...table }: Given<Row>) {
  const { path, page, go } = useAddress();
  return (
    <>
      <Table
        {...table}
        label={label}
        rows={list.data}
        trouble={list.trouble}
        onAgain={list.again}
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
