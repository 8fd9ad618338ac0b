import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import type { ApiError, FieldError } from '../api/error.ts';
import { messages } from '../messages/common.ts';
import { ErrorBanner } from './error-banner.tsx';

interface FormState {
  readonly id: string;
  readonly fields: readonly FieldError[];
}

const FormContext = createContext<FormState>({ id: 'form', fields: [] });

/** The error of a field and the id of its input. */
export function useFormField(name: string): { readonly inputId: string; readonly error: FieldError | undefined } {
  const { id, fields } = useContext(FormContext);
  return { inputId: `${id}-${name}`, error: fields.find(({ field }) => field === name) };
}

interface Props {
  readonly onSubmit: () => void;
  /** The error of the last attempt. `errors[].field` names the input. */
  readonly error: ApiError | undefined;
  readonly children: ComponentChildren;
  /** Labels of fields by name, for the error summary. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Uses the full width of the page. */
  readonly isWide?: boolean;
}

export function Form({ onSubmit, error, children, labels = {}, isWide }: Props) {
  const t = messages();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const fields = error?.fields ?? [];
  // Moves the focus to the first field with an error.
  useEffect(() => {
    if (!error) return;
    const first = fields.map(({ field }) => document.getElementById(`${id}-${field}`)).find(Boolean);
    (first ?? form.current?.querySelector<HTMLElement>('[role=alert]'))?.focus();
  }, [error]);
  return (
    <FormContext.Provider value={{ id, fields }}>
      <form
        ref={form}
        class={isWide ? 'form wide' : 'form'}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog inside a form contains its own form.
          event.stopPropagation();
          onSubmit();
        }}
      >
        {error && fields.length === 0 && <ErrorBanner error={error} />}
        {fields.length > 0 && (
          <div class="note bad" role="alert" tabIndex={-1}>
            <strong>{t.summary(fields.length)}</strong>
            <ul>
              {fields.map(({ field, message }) => (
                <li key={field}>
                  <a
                    href={`#${id}-${field}`}
                    onClick={(event) => {
                      event.preventDefault();
                      document.getElementById(`${id}-${field}`)?.focus();
                    }}
                  >
                    {labels[field] ?? field}
                  </a>
                  : {message}
                </li>
              ))}
            </ul>
          </div>
        )}
        {children}
      </form>
    </FormContext.Provider>
  );
}
