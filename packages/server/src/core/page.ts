/** The requested part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Only rows after this row's id. For lists with a cursor. */
  readonly after?: string | undefined;
}

export interface Listed<R> {
  readonly rows: R[];
  readonly total: number;
  /** If the count stopped early: whether there are more rows than `total`, or none. */
  readonly totalIs?: 'at-least' | 'at-most' | undefined;
  /** Whether more rows follow. */
  readonly isMore?: boolean | undefined;
  /** The id of the last row, if the list has a cursor. */
  readonly last?: string | undefined;
}
