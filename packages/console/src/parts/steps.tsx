import type { ComponentChildren } from 'preact';
import { words } from '../words/words.ts';

export interface Step {
  readonly key: string;
  readonly label: string;
  readonly state: 'done' | 'now' | 'ahead' | 'failed';
  readonly note?: ComponentChildren;
}

/** A line of steps: where something stands, instead of a wheel that turns. */
export function Steps({ steps, label }: { readonly steps: readonly Step[]; readonly label: string }) {
  const w = words();
  return (
    <ol class="steps" aria-label={label}>
      {steps.map(({ key, label: name, state, note }) => (
        <li key={key} class={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span class="step-name">
            {name}
            <span class="unseen"> ({w.steps[state]})</span>
          </span>
          {note && <span class="step-note">{note}</span>}
        </li>
      ))}
    </ol>
  );
}
