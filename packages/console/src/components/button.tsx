import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonStyle {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly children?: ComponentChildren;
}

const classOf = ({ kind = 'plain', small }: ButtonStyle) => `button ${kind}${small ? ' small' : ''}`;

/** A busy button keeps its width, label and focus, and ignores clicks. */
export function Button({
  kind,
  icon,
  small,
  busy,
  children,
  onClick,
  ...rest
}: ButtonStyle & { readonly busy?: boolean } & Omit<JSX.IntrinsicElements['button'], 'icon'>) {
  return (
    <button
      type="button"
      {...rest}
      class={classOf({ kind, small })}
      aria-busy={busy}
      aria-disabled={busy}
      // Pressing Enter in a field also triggers this handler.
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </button>
  );
}

export function ButtonLink({ kind, icon, small, children, href }: ButtonStyle & { readonly href: string }) {
  return (
    <a href={href} class={classOf({ kind, small })}>
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </a>
  );
}
