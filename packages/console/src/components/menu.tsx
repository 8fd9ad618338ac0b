import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface MenuItem {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly act?: () => void;
  readonly href?: string;
  /** The current choice of several. */
  readonly isChosen?: boolean;
  readonly isDanger?: boolean;
}

interface Props {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly className?: string;
}

/** A menu button (ARIA). Arrows move, Escape closes. The menu is a popover. */
export function Menu({ label, children, items, className = 'button quiet' }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const place = () => {
    const at = button.current?.getBoundingClientRect();
    const box = list.current;
    if (!at || !box) return;
    const up = at.bottom + box.offsetHeight > innerHeight && at.top > box.offsetHeight;
    box.style.top = `${up ? at.top - box.offsetHeight - 4 : at.bottom + 4}px`;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
  };
  const move = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Tab') list.current?.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  };
  return (
    <>
      <button ref={button} type="button" class={className} aria-label={label} aria-haspopup="menu" popovertarget={id}>
        {children}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onKeyDown={move}
        onToggle={(event) => {
          const isOpen = event.newState === 'open';
          button.current?.setAttribute('aria-expanded', String(isOpen));
          if (!isOpen) return;
          place();
          entries()[0]?.focus();
        }}
      >
        {items.map((item) => (
          <Entry key={item.key} item={item} onDone={() => list.current?.hidePopover()} />
        ))}
      </div>
    </>
  );
}

function Entry({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }) {
  const { label, act, href, isChosen, isDanger } = item;
  const itemClass = `menu-item${isDanger ? ' danger' : ''}`;
  if (href)
    return (
      <a href={href} role="menuitem" tabIndex={-1} class={itemClass} onClick={onDone}>
        {label}
      </a>
    );
  const role =
    isChosen === undefined
      ? ({ role: 'menuitem' } as const)
      : ({ role: 'menuitemradio', 'aria-checked': isChosen } as const);
  return (
    <button
      type="button"
      {...role}
      tabIndex={-1}
      class={itemClass}
      onClick={() => {
        onDone();
        act?.();
      }}
    >
      {label}
    </button>
  );
}
