import { useLayoutEffect, useState } from 'preact/hooks';
import { usePageUrl } from '../data/page-url.ts';

/** A filter stored in the address of the page. */
export function FilterSelect({
  name,
  label,
  value,
  options,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
}) {
  const { go } = usePageUrl();
  return (
    <select
      class="filter"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => go({ [name]: event.currentTarget.value })}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A text filter stored in the address of the page. */
export function TextFilter({
  label,
  value,
  onText,
}: {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  // The address changes without this field too: by a link that clears the filters, or by going back.
  useLayoutEffect(() => setText(value), [value]);
  return (
    <input
      type="search"
      class="filter"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={(event) => onText(event.currentTarget.value.trim())}
    />
  );
}
