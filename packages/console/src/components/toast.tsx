import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { asApiError } from '../api/error.ts';
import { messages } from '../messages/common.ts';
import { errorLine } from './error-text.ts';
import { Icon } from './icon.tsx';

interface ToastState {
  readonly id: number;
  readonly text: ComponentChildren;
  readonly action?: { readonly label: string; readonly act: () => void } | undefined;
}

const toasts = signal<readonly ToastState[]>([]);
let count = 0;
const most = 3;
const dismiss = (id: number) => {
  toasts.value = toasts.value.filter((each) => each.id !== id);
};

/** Shows a short notification that closes after a few seconds. Do not use it for decisions. */
export function toast(text: ComponentChildren, action?: ToastState['action'], lastsMs = action ? 60_000 : 5_000): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value.slice(1 - most), { id, text, action }];
  setTimeout(() => dismiss(id), lastsMs);
}

/** Shows the error of an action that has no form. */
export function toastError(cause: unknown): void {
  toast(errorLine(asApiError(cause)));
}

/** Rendered once in the shell. The live region exists before the first toast. */
export function Toasts() {
  const t = messages();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="button quiet small"
              onClick={() => {
                action.act();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="button quiet small" aria-label={t.close} onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
