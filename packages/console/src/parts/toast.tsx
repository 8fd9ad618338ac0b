import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { words } from '../words/words.ts';
import { Icon } from './icon.tsx';

interface Shown {
  readonly id: number;
  readonly text: ComponentChildren;
  readonly action?: { readonly label: string; readonly act: () => void } | undefined;
}

const shown = signal<readonly Shown[]>([]);
let count = 0;
const most = 3;
const drop = (id: number) => {
  shown.value = shown.value.filter((each) => each.id !== id);
};

/** Says what came of something, and goes by itself; what must be decided is not said here. */
export function toast(text: ComponentChildren, action?: Shown['action'], lastsMs = action ? 60_000 : 5_000): void {
  count += 1;
  const id = count;
  shown.value = [...shown.value.slice(1 - most), { id, text, action }];
  setTimeout(() => drop(id), lastsMs);
}

/** Stands once, in the shell; the live region is there before anything is said in it. */
export function Toasts() {
  const w = words();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="button quiet small"
              onClick={() => {
                action.act();
                drop(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="button quiet small" aria-label={w.close} onClick={() => drop(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
