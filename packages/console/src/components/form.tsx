import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApiError, FieldError } from '../api/error.ts';
import { messages } from '../messages/common.ts';
import { refusalText } from '../messages/refusal.ts';
import { ErrorBanner } from './error-banner.tsx';

interface FormState {
  readonly id: string;
  readonly fields: readonly FieldError[];
}

const FormContext = createContext<FormState>({ id: 'form', fields: [] });

/** The error of a field and the id of its input. */
export function useFormField(name: string): { readonly inputId: string; readonly error: FieldError | undefined } {
  const { id, fields } = useContext(FormContext);
  const error = fields.find(({ field }) => field === name);
  return { inputId: `${id}-${name}`, error: error && { ...error, message: refusalText(error.message) } };
}

interface Props {
  readonly onSubmit: () => void;
  /** The error of the last attempt. `errors[].field` names the input. */
  readonly error: ApiError | undefined;
  readonly children: ComponentChildren;
  /** Labels of fields by name, for the error summary. Default: the label of the input. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Uses the full width of the page. */
  readonly isWide?: boolean;
}

const none: readonly never[] = [];

/** The order of elements on the page. The service names fields in its own order. */
const byPosition = (a: Element, b: Element) =>
  a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;

export function Form({ onSubmit, error, children, labels = {}, isWide }: Props) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const all = error?.fields ?? none;
  /** Fields changed since the last attempt: their error may no longer be true. */
  const [edited, setEdited] = useState<readonly string[]>(none);
  useLayoutEffect(() => setEdited(none), [error]);
  const fields = useMemo(() => all.filter(({ field }) => !edited.includes(field)), [all, edited]);
  // Moves the focus to the first field with an error.
  useEffect(() => {
    if (!error) return;
    const inputs = all.flatMap(({ field }) => document.getElementById(`${id}-${field}`) ?? []);
    const first = inputs.sort(byPosition)[0];
    (first ?? form.current?.querySelector<HTMLElement>('[role=alert]'))?.focus();
  }, [error]);
  return (
    <FormContext.Provider value={{ id, fields }}>
      <form
        ref={form}
        class={isWide ? 'form wide' : 'form'}
        noValidate
        onInput={({ target }) => {
          const changed = all.find(({ field }) => (target as HTMLElement).id === `${id}-${field}`)?.field;
          if (changed && !edited.includes(changed)) setEdited([...edited, changed]);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog inside a form contains its own form.
          event.stopPropagation();
          onSubmit();
        }}
      >
        {error && all.length === 0 && <ErrorBanner error={error} />}
        {fields.length > 0 && <Summary id={id} fields={fields} labels={labels} />}
        {children}
      </form>
    </FormContext.Provider>
  );
}

/** Links to the inputs with an error, which show the message. A message without an input is shown here, without the name in the API. */
function Summary({ id, fields, labels }: Pick<FormState, 'id' | 'fields'> & Required<Pick<Props, 'labels'>>) {
  const t = messages();
  const inputOf = (field: string) => document.getElementById(`${id}-${field}`) as HTMLInputElement | null;
  /** The labels of the inputs on the page; undefined before it is known which inputs there are. */
  const [found, setFound] = useState<Readonly<Record<string, string | undefined>>>();
  useLayoutEffect(() => {
    const texts = fields.map(({ field }) => [field, inputOf(field)?.labels?.[0]?.firstChild?.textContent]);
    setFound(Object.fromEntries(texts));
  }, [fields]);
  /** An input shows its first error. */
  const isShownAt = (name: string, n: number) =>
    found?.[name] !== undefined && fields.findIndex(({ field }) => field === name) === n;
  const labelOf = (field: string) => labels[field] ?? found?.[field];
  const isNoneHere = found !== undefined && !fields.some(({ field }) => labelOf(field));
  return (
    <div class="note bad" role="alert" tabIndex={-1}>
      <div>
        <strong>{isNoneHere ? t.errors.nothingChanged : t.summary(fields.length)}</strong>
        <ul class="wrong-fields">
          {fields.map(({ field, message }, n) => (
            <li key={n}>
              {labelOf(field) && (
                <a
                  href={`#${id}-${field}`}
                  onClick={(event) => {
                    event.preventDefault();
                    inputOf(field)?.focus();
                  }}
                >
                  {labelOf(field)}
                </a>
              )}
              {found && !isShownAt(field, n) && `${labelOf(field) ? ': ' : ''}${refusalText(message)}`}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
