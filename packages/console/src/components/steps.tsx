import type { ComponentChildren } from 'preact';
import { messages } from '../messages/common.ts';

export interface Step {
  readonly key: string;
  readonly label: string;
  readonly state: 'done' | 'now' | 'ahead' | 'failed';
  readonly note?: ComponentChildren;
}

/** Progress as a list of steps. */
export function Steps({ steps, label }: { readonly steps: readonly Step[]; readonly label: string }) {
  const t = messages();
  return (
    <ol class="steps" aria-label={label}>
      {steps.map(({ key, label: name, state, note }) => (
        <li key={key} class={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span class="step-name">
            {name}
            <span class="unseen"> ({t.steps[state]})</span>
          </span>
          {note && <span class="step-note">{note}</span>}
        </li>
      ))}
    </ol>
  );
}
