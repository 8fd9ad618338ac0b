import type { Schema } from '../api/shapes.ts';
import { SelectField, TextField } from '../components/field.tsx';
import { readToken } from './read-input.ts';
import { messages } from './template-messages.ts';

export type Head = Schema<'ZoneTemplateHead'>;
export type Values = Readonly<Record<string, string>>;

/** The description of a template, translated for built-in ones. */
export const aboutOf = (head: Head): string => messages().about[head.template_id ?? ''] ?? head.description;

const shownName = ({ name, whose }: Head): string =>
  whose === 'built_in' ? name : messages().marked(name, messages().owners[whose]);

/** In the order of the template, so that errors of the API refer to the right field. */
export const valuesOf = (head: Head, values: Values): { name: string; value: string }[] =>
  head.variables.map(({ name, kind }) => {
    const typed = values[name] ?? '';
    return { name, value: kind === 'text' ? typed.trim() : readToken(typed).text };
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
  const t = messages();
  const head = heads.find((each) => each.template_id === value);
  return (
    <>
      <SelectField
        name="template_id"
        label={t.template}
        hint={head && aboutOf(head)}
        value={value}
        choices={[
          { value: '', label: t.choose },
          ...heads.map((each) => ({ value: each.template_id ?? '', label: shownName(each) })),
        ]}
        onChoice={onChoice}
      />
      {head?.source && (
        <p class="faint">
          <a href={head.source} target="_blank" rel="noreferrer">
            {t.source}
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
  const t = messages();
  return (
    <>
      {head.variables.map(({ name, kind, about }, at) => (
        <TextField
          key={`${head.template_id} ${name}`}
          name={`values.${at}.value`}
          label={t.values[`${head.template_id} ${name}`] ?? (about || name)}
          hint={t.kinds[kind]}
          value={values[name] ?? ''}
          onText={(text) => onValue(name, text)}
          spellcheck={false}
          autoComplete="off"
        />
      ))}
    </>
  );
}
