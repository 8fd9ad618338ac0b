import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly children?: ComponentChildren;
  /** The suggested next step. */
  readonly action?: ComponentChildren;
}

export function Empty({ title, children, action }: Props) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** A placeholder while data is loading, hidden from screen readers. */
export function Skeleton({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div class="waiting" aria-hidden="true">
      {Array.from({ length: rows }, (_, n) => (
        <div class="bar" key={n} />
      ))}
    </div>
  );
}
