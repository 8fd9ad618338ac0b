import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { AppContext } from '../app-context.ts';
import { type FieldProblem, Refusal } from '../errors.ts';
import type { Extra, TldRules } from '../model/tld.ts';
import type { FieldSchema, TldFields } from '../ports/tld-fields.ts';

/** The additional fields of a TLD: those of an extension of this release, or those that the catalogue states. */
export function fieldsOf(ctx: Pick<AppContext, 'registries'>, { extra_schema }: Pick<TldRules, 'extra_schema'>) {
  if (extra_schema === null || typeof extra_schema !== 'string') return extra_schema;
  const found = knownFields(ctx, extra_schema);
  if (!found) throw new Error(`this release has no TLD extension ${extra_schema}`);
  return found;
}

export const knownFields = (ctx: Pick<AppContext, 'registries'>, name: string): TldFields | undefined =>
  ctx.registries.tldFields.find((each) => each.name === name);

/** The field that names another contact, which carries the fields. */
export const contactField = ({ name }: Pick<TldFields, 'name'>): string => `${name}_contact_id`;

/** Whether some of these fields belong to it, by their prefix. */
export const isIn = ({ name }: Pick<TldFields, 'name'>, extra: Extra): boolean =>
  Object.keys(extra).some((key) => key.startsWith(`${name}_`));

/**
 * Compiled with the first order that needs it, which is rare. A catalogue was checked against the meta-schema when it was loaded: that
 * takes longer than a request may.
 */
const checks = new Map<string, ValidateFunction>();
const mostChecks = 200;
function checkOf(schema: FieldSchema): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = checks.get(key);
  if (known) return known;
  if (checks.size >= mostChecks) checks.clear();
  const made = new Ajv2020({ allErrors: true, strict: false, validateSchema: false }).compile(schema);
  checks.set(key, made);
  return made;
}

interface TextRule {
  readonly enum?: readonly string[];
  readonly pattern?: string;
}

/** The fields of one TLD, spelled as in their schema. Unknown keys are dropped, like unknown parameters. */
export function extraOf(fields: TldFields, extra: Extra): Extra {
  const kept: Record<string, string> = {};
  for (const [name, rule] of Object.entries(fields.schema.properties)) {
    const value = extra[name]?.trim();
    if (value !== undefined && value !== '') kept[name] = spelled(value, rule, fields.valueCodes?.[name] ?? {});
  }
  return kept;
}

/** The registry's spelling: the code for a panel's word, and upper or lower case as in the schema. */
function spelled(value: string, rule: TextRule, words: Readonly<Record<string, string>>): string {
  const lower = value.toLowerCase();
  const code = Object.entries(words).find(([word]) => word === lower)?.[1];
  const listed = rule.enum?.find((word) => word.toLowerCase() === lower);
  return code ?? listed ?? (fitsOnlyInUpperCase(value, rule) ? value.toUpperCase() : value);
}

function fitsOnlyInUpperCase(value: string, { pattern }: TextRule): boolean {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return form !== undefined && !form.test(value) && form.test(value.toUpperCase());
}

/**
 * Refuses field names that no TLD of this service has. Fields of another TLD are ignored, because panels send those of a contact with
 * every order.
 */
export function refuseUnknownFields(known: readonly TldFields[], fields: TldFields | null, extra: Extra): void {
  const names = new Set(
    [...known, ...(fields ? [fields] : [])].flatMap(({ schema }) => Object.keys(schema.properties)),
  );
  const own = fields ? Object.keys(fields.schema.properties).join(', ') : '';
  const message = fields
    ? `Unknown field. .${fields.name} has ${own}.`
    : 'Unknown field. This TLD has no extra fields.';
  const unknown = Object.keys(extra).filter((key) => !names.has(key));
  if (unknown.length === 0) return;
  const errors = unknown.map((key) => ({ field: `extra.${key}`, code: 'invalid', message }));
  throw new Refusal('invalid_argument', `${errors[0]!.field}: ${message}`, { errors });
}

/** Throws with every invalid field. */
export function checkExtra(fields: TldFields, extra: Extra): Extra {
  const kept = extraOf(fields, extra);
  const problems = extraProblems(fields, kept);
  const [first] = problems;
  if (first) throw new Refusal('invalid_argument', `${first.field}: ${first.message}`, { errors: problems });
  return kept;
}

export function extraProblems({ name, schema }: TldFields, extra: Extra): FieldProblem[] {
  const check = checkOf(schema);
  if (check(extra)) return [];
  return (check.errors ?? []).filter((error) => error.keyword !== 'if').map((error) => asProblem(name, error));
}

function asProblem(name: string, error: ErrorObject): FieldProblem {
  if (error.keyword === 'required') {
    const field = `extra.${(error.params as { missingProperty: string }).missingProperty}`;
    return { field, code: 'required', message: `This field is required for .${name}.` };
  }
  const { allowedValues } = error.params as { allowedValues?: readonly string[] };
  const message = allowedValues
    ? `Must be one of ${allowedValues.join(', ')}.`
    : (error.message ?? 'The value is not valid.');
  return { field: `extra${error.instancePath.replaceAll('/', '.')}`, code: 'invalid', message };
}
