import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';

type Late = () => Promise<{ default: ComponentType }>;

/** What a noun puts into the shell, beside its pages: `<noun>/slots.ts` exports `slots`. Everything is loaded late. */
export interface Slots {
  /** A bar above every page. */
  readonly bar?: Late;
  /** In the head, before the menu of the person. */
  readonly head?: Late;
  /** On every page and nowhere in particular: dialogs that open by themselves. */
  readonly overlay?: Late;
}

const found = import.meta.glob<{ slots: Slots }>('../*/slots.ts', { eager: true });
const all = Object.values(found).map((each) => each.slots);

export const inSlot = (name: keyof Slots): readonly Late[] => all.flatMap((each) => each[name] ?? []);

/** The palette is open; its page is an overlay. */
export const isPaletteOpen = signal(false);
