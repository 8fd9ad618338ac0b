import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import type { FieldTrouble, Trouble } from '../api/trouble.ts';
import { words } from '../words/words.ts';
import { TroubleNote } from './trouble-note.tsx';

interface FormState {
  readonly id: string;
  readonly fields: readonly FieldTrouble[];
}

const FormContext = createContext<FormState>({ id: 'form', fields: [] });

/** What the server said about the field of this name, and the id of its input. */
export function useFormField(name: string): { readonly inputId: string; readonly trouble: FieldTrouble | undefined } {
  const { id, fields } = useContext(FormContext);
  return { inputId: `${id}-${name}`, trouble: fields.find(({ field }) => field === name) };
}

interface Given {
  readonly onSubmit: () => void;
  /** What the last try came to. The server is the judge: `errors[].field` finds its input by name. */
  readonly trouble: Trouble | undefined;
  readonly children: ComponentChildren;
  /** Names of fields and what they are called here, for the summary. */
  readonly labels?: Readonly<Record<string, string>>;
  /** As wide as the page, where it holds more than a column of fields. */
  readonly isWide?: boolean;
}

export function Form({ onSubmit, trouble, children, labels = {}, isWide }: Given) {
  const w = words();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const fields = trouble?.fields ?? [];
  // The eye goes to the first thing that is wrong, and so does the focus.
  useEffect(() => {
    if (!trouble) return;
    const first = fields.map(({ field }) => document.getElementById(`${id}-${field}`)).find(Boolean);
    (first ?? form.current?.querySelector<HTMLElement>('[role=alert]'))?.focus();
  }, [trouble]);
  return (
    <FormContext.Provider value={{ id, fields }}>
      <form
        ref={form}
        class={isWide ? 'form wide' : 'form'}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog of the page's form has a form of its own.
          event.stopPropagation();
          onSubmit();
        }}
      >
        {trouble && fields.length === 0 && <TroubleNote trouble={trouble} />}
        {fields.length > 0 && (
          <div class="note bad" role="alert" tabIndex={-1}>
            <strong>{w.summary(fields.length)}</strong>
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
