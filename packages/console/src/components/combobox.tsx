import { useId, useState } from 'preact/hooks';
import { messages } from '../messages/common.ts';
import { type Choice, Field } from './field.tsx';

interface Props {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  /** Suggestions for the current text, from the server. */
  readonly choices: readonly Choice[];
  readonly onText: (text: string) => void;
  readonly onChoice: (choice: Choice) => void;
}

/** A text field with suggestions (ARIA: editable combobox). Arrows move, Enter selects, Escape closes. */
export function Combobox({ name, label, hint, value, choices, onText, onChoice }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  /** Identified by value, because suggestions can change between key presses. */
  const [typed, setTyped] = useState<string>();
  const at = choices.findIndex((choice) => choice.value === typed);
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    onChoice(choice);
    setOpen(false);
    setTyped(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const next = event.key === 'ArrowDown' ? at + 1 : Math.max(at, 0) - 1;
      setTyped(choices.at(next % Math.max(1, choices.length))?.value);
    } else if (event.key === 'Enter' && isOpen && at >= 0) {
      event.preventDefault();
      take(choices[at]);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <Field name={name} label={label} hint={hint}>
      {(wired) => (
        <div class="combobox">
          <input
            {...wired}
            type="text"
            role="combobox"
            autoComplete="off"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
            value={value}
            onInput={(event) => {
              onText(event.currentTarget.value);
              setOpen(true);
              setTyped(undefined);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => setOpen(false)}
          />
          <OptionList id={id} label={label} choices={choices} at={at} isOpen={isOpen} onTake={take} />
        </div>
      )}
    </Field>
  );
}

interface Offer {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly at: number;
  readonly isOpen: boolean;
  readonly onTake: (choice: Choice) => void;
}

function OptionList({ id, label, choices, at, isOpen, onTake }: Offer) {
  return (
    <div id={id} role="listbox" aria-label={label} hidden={!isOpen}>
      {choices.map((choice, n) => (
        <div
          key={choice.value}
          id={`${id}-${n}`}
          role="option"
          tabIndex={-1}
          aria-selected={n === at}
          onMouseDown={(event) => {
            // Keeps the focus in the text field.
            event.preventDefault();
            onTake(choice);
          }}
        >
          {choice.label}
        </div>
      ))}
      {choices.length === 0 && (
        <div class="faint" role="option" tabIndex={-1} aria-selected={false} aria-disabled="true">
          {messages().noMatch}
        </div>
      )}
    </div>
  );
}
