import { contactFieldOf, type TldExtension, type TldFields } from './extension.ts';

type FieldFault = { readonly field: string; readonly kind: 'missing' | 'invalid' };

type Rule = {
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
};
type Condition = {
  readonly if?: { readonly properties?: Readonly<Record<string, Rule>> };
  readonly then?: { readonly required?: readonly string[] };
};

/** The faults of a declaration by the schema of its extension, as far as the keywords concern texts. */
export function faultsOf({ name, schema }: Pick<TldExtension, 'name' | 'schema'>, fields: TldFields): FieldFault[] {
  const rules = schema.properties as Readonly<Record<string, Rule>>;
  const conditions = (schema.allOf ?? []) as readonly Condition[];
  const required = [
    ...(schema.required ?? []),
    ...conditions.flatMap((each) => (applies(each, fields) ? (each.then?.required ?? []) : [])),
  ];
  const missing = required.filter((field) => (fields[field] ?? '').trim() === '');
  const invalid = Object.entries(fields).filter(
    ([field, value]) =>
      field === contactFieldOf(name) || !Object.hasOwn(rules, field) || !isAllowed(rules[field]!, value),
  );
  return [
    ...missing.map((field) => ({ field, kind: 'missing' as const })),
    ...invalid.map(([field]) => ({ field, kind: 'invalid' as const })),
  ];
}

const applies = (condition: Condition, fields: TldFields): boolean =>
  Object.entries(condition.if?.properties ?? {}).every(
    ([field, rule]) => fields[field] !== undefined && isAllowed(rule, fields[field]),
  );

function isAllowed(rule: Rule, value: string): boolean {
  const { length } = [...value];
  return (
    (rule.enum === undefined || rule.enum.includes(value)) &&
    (rule.const === undefined || rule.const === value) &&
    (rule.pattern === undefined || new RegExp(rule.pattern, 'u').test(value)) &&
    length >= (rule.minLength ?? 0) &&
    length <= (rule.maxLength ?? length)
  );
}
