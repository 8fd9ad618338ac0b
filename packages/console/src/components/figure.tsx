import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messages } from '../messages/common.ts';
import { Button } from './button.tsx';

/** Six colours that are easy to tell apart, each with its own dash pattern. */
type ChartColour = 1 | 2 | 3 | 4 | 5 | 6;

export interface Key {
  readonly label: string;
  readonly colour: ChartColour;
  readonly isBar?: boolean;
}

/** A chart with its finding as title, and a table of the same data. */
export function Figure({
  title,
  keys,
  children,
  table,
}: {
  readonly title: string;
  readonly keys: readonly Key[];
  /** Renders the chart. `giveUp` switches to the table if the chart cannot be drawn. */
  readonly children: (giveUp: () => void) => ComponentChildren;
  readonly table: () => ComponentChildren;
}) {
  const t = messages();
  const [isTable, setTable] = useState(false);
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      {isTable ? table() : children(() => setTable(true))}
      <div class="plot-foot">
        <ul class="plot-key" aria-hidden="true">
          {keys.map(({ label, colour: look, isBar }) => (
            <li key={label} class={`look-${look}${isBar ? ' bars' : ''}`}>
              {label}
            </li>
          ))}
        </ul>
        <Button
          small
          aria-expanded={isTable}
          aria-label={`${t.viewAsTable}: ${title}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? t.viewAsChart : t.viewAsTable}
        </Button>
      </div>
    </figure>
  );
}

/** The data of a chart as a table. */
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
