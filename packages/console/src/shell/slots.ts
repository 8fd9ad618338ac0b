import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

type Lazy = () => Promise<{ default: ComponentType }>;

/** Components that a folder adds to the shell: `<folder>/slots.ts` exports `slots`. All are loaded on demand. */
export interface Slots {
  readonly bar?: Lazy;
  /** In the header, before the user menu. */
  readonly head?: Lazy;
  /** Dialogs that can open on every page. */
  readonly overlay?: Lazy;
}

const found = import.meta.glob<{ slots: Slots }>('../*/slots.ts', { eager: true });
const all = Object.values(found).map((each) => each.slots);

export const inSlot = (name: keyof Slots): readonly Lazy[] => all.flatMap((each) => each[name] ?? []);

export const isPaletteOpen = signal(false);
