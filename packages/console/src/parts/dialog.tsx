import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { words } from '../words/words.ts';
import { Icon } from './icon.tsx';

interface Given {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Undefined: it cannot be left, only answered. */
  readonly onClose?: (() => void) | undefined;
  readonly size?: 'small' | 'large';
}

const fields = 'input, select, textarea'
  .split(', ')
  .map((each) => `${each}:not(:disabled, [type="hidden"], [type="radio"])`)
  .join();

/**
 * Whoever opened it may be gone by now, with the row or the empty list that it belonged to, or cannot be pressed any more: then the
 * page itself has the focus.
 */
function returnFocus(opener: HTMLElement | null): void {
  opener?.focus();
  if (document.activeElement !== opener) document.querySelector<HTMLElement>('main')?.focus();
}

/** The browser's own dialog: it keeps the focus, which begins in its first field, and Escape leaves it. Shown for as long as it is rendered. */
export function Dialog({ title, children, onClose, size = 'small' }: Given) {
  const w = words();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>(`.dialog-body :is(${fields})`)?.focus();
    return () => returnFocus(before);
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        {onClose && (
          <button type="button" class="button quiet small" aria-label={w.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
