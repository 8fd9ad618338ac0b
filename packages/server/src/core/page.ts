/** Which part of a list is wanted. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Only what follows this row: its id. For lists that can be read on from a row. */
  readonly after?: string | undefined;
}

export interface Listed<R> {
  readonly rows: R[];
  readonly total: number;
  /** Where nobody counted to the end: whether there are more rows than `total` says, or none beyond it. */
  readonly totalIs?: 'at-least' | 'at-most' | undefined;
  /** Whether rows follow these. */
  readonly isMore?: boolean | undefined;
  /** The id of the last row, where the list can be read on from it. */
  readonly last?: string | undefined;
}
