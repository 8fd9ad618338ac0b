import type { ComponentChildren } from 'preact';

interface Given {
  readonly title: string;
  /** What it is for. */
  readonly children?: ComponentChildren;
  /** The one next thing to do. */
  readonly action?: ComponentChildren;
}

export function Empty({ title, children, action }: Given) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Where something will stand; silent for those who do not see. */
export function Waiting({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div class="waiting" aria-hidden="true">
      {Array.from({ length: rows }, (_, n) => (
        <div class="bar" key={n} />
      ))}
    </div>
  );
}
