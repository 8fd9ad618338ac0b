import type { ComponentChildren } from 'preact';

/** A list of labels and values. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [title: string, value: ComponentChildren, hint?: string | undefined])[];
}) {
  return (
    <dl class="facts">
      {rows.map(([title, value, hint]) => (
        <div key={title}>
          <dt>
            {hint ? <span>{title}</span> : title}
            {hint && <small>{hint}</small>}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
