import type { Shape } from '../api/shapes.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import { words } from './template-words.ts';
import { readWord } from './typed.ts';

export type Head = Shape<'ZoneTemplateHead'>;
export type Values = Readonly<Record<string, string>>;

/** What it is for, in the language of the page where the service brought it along. */
export const aboutOf = (head: Head): string => words().about[head.template_id ?? ''] ?? head.description;

export const shownName = ({ name, whose }: Head): string =>
  whose === 'built_in' ? name : words().marked(name, words().whose[whose]);

/** In the order in which the template asks; so the service names the field that is wrong. */
export const valuesOf = (head: Head, values: Values): { name: string; value: string }[] =>
  head.variables.map(({ name, kind }) => {
    const typed = values[name] ?? '';
    return { name, value: kind === 'text' ? typed.trim() : readWord(typed).text };
  });

export const isFilled = (head: Head, values: Values): boolean =>
  valuesOf(head, values).every(({ value }) => value !== '');

export function ChooseTemplate({
  heads,
  value,
  onChoice,
}: {
  readonly heads: readonly Head[];
  readonly value: string;
  readonly onChoice: (id: string) => void;
}) {
  const w = words();
  const head = heads.find((each) => each.template_id === value);
  return (
    <>
      <SelectField
        name="template_id"
        label={w.template}
        hint={head && aboutOf(head)}
        value={value}
        choices={[
          { value: '', label: w.choose },
          ...heads.map((each) => ({ value: each.template_id ?? '', label: shownName(each) })),
        ]}
        onChoice={onChoice}
      />
      {head?.source && (
        <p class="faint">
          <a href={head.source} target="_blank" rel="noreferrer">
            {w.source}
          </a>
        </p>
      )}
    </>
  );
}

export function ValueFields({
  head,
  values,
  onValue,
}: {
  readonly head: Head;
  readonly values: Values;
  readonly onValue: (name: string, value: string) => void;
}) {
  const w = words();
  return (
    <>
      {head.variables.map(({ name, kind, about }, at) => (
        <TextField
          key={`${head.template_id} ${name}`}
          name={`values.${at}.value`}
          label={w.values[`${head.template_id} ${name}`] ?? (about || name)}
          hint={w.kinds[kind]}
          value={values[name] ?? ''}
          onText={(text) => onValue(name, text)}
          spellcheck={false}
          autoComplete="off"
        />
      ))}
    </>
  );
}
