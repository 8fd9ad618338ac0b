export type StatusIconKind = 'good' | 'warning' | 'bad' | 'none';

/** A status with a shape as well as a colour: filled, half, cross or ring. */
export function StatusIcon({ kind, children }: { readonly kind: StatusIconKind; readonly children: string }) {
  return (
    <span class={`light ${kind}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        <circle cx="6" cy="6" r="4.500" />
        {kind === 'warning' && <path class="fill" d="M6 1.500a4.500 4.500 0 0 1 0 9z" />}
        {kind === 'bad' && <path d="M4 4l4 4M8 4l-4 4" />}
      </svg>
      {children}
    </span>
  );
}

/** A short label. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent';
  readonly children: string;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
