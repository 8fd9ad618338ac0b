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

/** The browser's own dialog: it keeps the focus, and Escape leaves it. Shown for as long as it is rendered. */
export function Dialog({ title, children, onClose, size = 'small' }: Given) {
  const w = words();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus();
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
