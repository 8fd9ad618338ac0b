import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { messages } from '../messages/common.ts';
import { Icon } from './icon.tsx';

interface Props {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Undefined: the dialog can only be answered, not closed. */
  readonly onClose?: (() => void) | undefined;
  readonly size?: 'small' | 'large';
}

const fields = 'input, select, textarea'
  .split(', ')
  .map((each) => `${each}:not(:disabled, [type="hidden"], [type="radio"])`)
  .join();

/** Returns the focus to the opener, or to the page if the opener was removed or disabled. */
function returnFocus(opener: HTMLElement | null): void {
  opener?.focus();
  if (document.activeElement !== opener) document.querySelector<HTMLElement>('main')?.focus();
}

/** The native dialog element, which traps the focus and closes on Escape. It is open while it is rendered. */
export function Dialog({ title, children, onClose, size = 'small' }: Props) {
  const t = messages();
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
          <button type="button" class="button quiet small" aria-label={t.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
