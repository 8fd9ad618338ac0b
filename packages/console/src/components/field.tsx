import type { ComponentChildren } from 'preact';
import { messages } from '../messages/common.ts';
import { useFormField } from './form.tsx';

interface Frame {
  /** The name of the field in the API. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly isOptional?: boolean;
}

interface Wired {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
}

/** Label and input with the error, or else the hint. Linked for screen readers. */
export function Field({
  name,
  label,
  hint,
  isOptional,
  children,
}: Frame & { readonly children: (wired: Wired) => ComponentChildren }) {
  const t = messages();
  const { inputId, error } = useFormField(name);
  return (
    <div class={`field${error ? ' wrong' : ''}`}>
      <label for={inputId}>
        {label}
        {isOptional && <span class="faint"> ({t.optional})</span>}
      </label>
      {children({ id: inputId, name, 'aria-describedby': `${inputId}-note`, 'aria-invalid': error !== undefined })}
      <div class="hint" id={`${inputId}-note`}>
        {error ? <p class="wrong-text">{error.message}</p> : hint && <p>{hint}</p>}
      </div>
    </div>
  );
}

interface Input {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'tel' | 'date';
  readonly autoComplete?: string;
  readonly placeholder?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'text';
  readonly maxLength?: number;
  readonly spellcheck?: boolean;
}

export function TextField({
  name,
  label,
  hint,
  isOptional,
  value,
  onText,
  type = 'text',
  ...input
}: Frame & Input & { readonly value: string; readonly onText: (text: string) => void }) {
  return (
    <Field name={name} label={label} hint={hint} isOptional={isOptional}>
      {(wired) => (
        <input
          type={type as 'text'}
          {...input}
          {...wired}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  name,
  label,
  hint,
  isOptional,
  value,
  onText,
  rows = 4,
  placeholder,
}: Frame & {
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
}) {
  return (
    <Field name={name} label={label} hint={hint} isOptional={isOptional}>
      {(wired) => (
        <textarea
          {...wired}
          rows={rows}
          placeholder={placeholder}
          value={value}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function SelectField({
  name,
  label,
  hint,
  isOptional,
  value,
  choices,
  onChoice,
}: Frame & {
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChoice: (value: string) => void;
}) {
  return (
    <Field name={name} label={label} hint={hint} isOptional={isOptional}>
      {(wired) => (
        <select {...wired} value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  name,
  label,
  hint,
  checked,
  onChange,
}: Frame & { readonly checked: boolean; readonly onChange: (checked: boolean) => void }) {
  const { inputId, error } = useFormField(name);
  return (
    <div class="field tick">
      <input
        type="checkbox"
        id={inputId}
        name={name}
        checked={checked}
        aria-describedby={`${inputId}-note`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={inputId}>{label}</label>
      <div class="hint" id={`${inputId}-note`}>
        {error ? <p class="wrong-text">{error.message}</p> : hint && <p>{hint}</p>}
      </div>
    </div>
  );
}
