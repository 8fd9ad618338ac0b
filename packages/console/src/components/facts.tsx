import type { ComponentChildren } from 'preact';

/** A list of labels and values. */
export function Facts({ rows }: { readonly rows: readonly (readonly [title: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
