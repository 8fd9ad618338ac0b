import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly children?: ComponentChildren;
}

const classOf = ({ kind = 'plain', small }: Look) => `button ${kind}${small ? ' small' : ''}`;

/** Says what it does ("Renew for 12.39 USD"); busy it keeps its width, its words and the focus, and does nothing. */
export function Button({
  kind,
  icon,
  small,
  busy,
  children,
  onClick,
  ...rest
}: Look & { readonly busy?: boolean } & Omit<JSX.IntrinsicElements['button'], 'icon'>) {
  return (
    <button
      type="button"
      {...rest}
      class={classOf({ kind, small })}
      aria-busy={busy}
      aria-disabled={busy}
      // Enter in a field comes here too.
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </button>
  );
}

/** A link that looks like a button: it goes somewhere. */
export function ButtonLink({ kind, icon, small, children, href }: Look & { readonly href: string }) {
  return (
    <a href={href} class={classOf({ kind, small })}>
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </a>
  );
}
