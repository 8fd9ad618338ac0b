import type { ComponentChildren } from 'preact';

/** What is known of something, a line each. */
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
