import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';

/** 1 to 6: colours that eyes tell apart, each with a dash of its own. */
export type Look = 1 | 2 | 3 | 4 | 5 | 6;

export interface Key {
  readonly label: string;
  readonly look: Look;
  readonly isBar?: boolean;
}

/** A picture under a title that states the finding, with its table behind a button: whoever does not see it misses nothing. */
export function Figure({
  title,
  keys,
  children,
  table,
}: {
  readonly title: string;
  readonly keys: readonly Key[];
  /** The picture; told to give up where it cannot be drawn. */
  readonly children: (giveUp: () => void) => ComponentChildren;
  readonly table: () => ComponentChildren;
}) {
  const w = words();
  const [isTable, setTable] = useState(false);
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      {isTable ? table() : children(() => setTable(true))}
      <div class="plot-foot">
        <ul class="plot-key" aria-hidden="true">
          {keys.map(({ label, look, isBar }) => (
            <li key={label} class={`look-${look}${isBar ? ' bars' : ''}`}>
              {label}
            </li>
          ))}
        </ul>
        <Button small aria-expanded={isTable} aria-label={`${w.asTable}: ${title}`} onClick={() => setTable(!isTable)}>
          {isTable ? w.asPicture : w.asTable}
        </Button>
      </div>
    </figure>
  );
}

/** The same as a table, row by row. */
export function Figures({
  title,
  heads,
  rows,
}: {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}) {
  return (
    <div class="plot-table">
      <table aria-label={title}>
        <thead>
          <tr>
            {heads.map((head, n) => (
              <th key={head} scope="col" class={n === 0 ? undefined : 'number'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest], n) => (
            <tr key={n}>
              <th scope="row">{first}</th>
              {rest.map((cell, column) => (
                <td key={column} class="number" data-title={heads[column + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
