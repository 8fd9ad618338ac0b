import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type FieldProblem, Refusal } from '../errors.ts';
import type { Extra, ExtraClass } from '../model/tld.ts';
import { asiaExtra } from './extra/asia.ts';
import { usExtra, usFields } from './extra/us.ts';

/** By TLD class. The same objects validate and are published with the rules of a TLD. */
export const extraSchemas = { us: usExtra, asia: asiaExtra } as const satisfies Record<ExtraClass, object>;

/**
 * Compiled with the first order of its class, which is rare. Our own schemas are not checked against the meta-schema: that takes longer
 * than a request may.
 */
const checks: Partial<Record<ExtraClass, ValidateFunction>> = {};
const checkOf = (kind: ExtraClass): ValidateFunction => {
  checks[kind] ??= new Ajv2020({ allErrors: true, strict: false, validateSchema: false }).compile(extraSchemas[kind]);
  return checks[kind];
};
const classes = Object.keys(extraSchemas) as ExtraClass[];

export function isExtraClass(text: string): text is ExtraClass {
  return Object.hasOwn(extraSchemas, text);
}

/** The declarations that these fields belong to, by their prefix. */
export function classesOf(extra: Extra): ExtraClass[] {
  return classes.filter((c) => Object.keys(extra).some((key) => key.startsWith(`${c}_`)));
}

/** The fields of one class, spelled as in its schema. Unknown keys are dropped, like unknown parameters. */
export function extraOf(kind: ExtraClass, extra: Extra): Extra {
  const { properties } = extraSchemas[kind];
  const kept: Record<string, string> = {};
  for (const [name, schema] of Object.entries(properties) as [string, { enum?: readonly string[] }][]) {
    const value = extra[name]?.trim();
    if (value === undefined || value === '') continue;
    const spelled = schema.enum?.find((word) => word.toLowerCase() === value.toLowerCase());
    kept[name] = codeOf(name, value) ?? spelled ?? (name === 'us_category' ? value.toUpperCase() : value);
  }
  return kept;
}

const isUsKey = (name: string): name is keyof typeof usFields => Object.hasOwn(usFields, name);

/** The registry's code for a panel's word. */
function codeOf(name: string, value: string): string | undefined {
  const fieldNames: Readonly<Record<string, string>> = isUsKey(name) ? usFields[name] : {};
  return Object.entries(fieldNames).find(([word]) => word === value.toLowerCase())?.[1];
}

/** Throws with every invalid field. */
export function checkExtra(kind: ExtraClass, extra: Extra): Extra {
  const kept = extraOf(kind, extra);
  const problems = extraProblems(kind, kept);
  const [first] = problems;
  if (first) throw new Refusal('invalid_argument', `${first.field}: ${first.message}`, { errors: problems });
  return kept;
}

export function extraProblems(kind: ExtraClass, extra: Extra): FieldProblem[] {
  const check = checkOf(kind);
  if (check(extra)) return [];
  return (check.errors ?? []).filter((error) => error.keyword !== 'if').map((error) => asProblem(kind, error));
}

function asProblem(kind: ExtraClass, error: ErrorObject): FieldProblem {
  if (error.keyword === 'required') {
    const field = `extra.${(error.params as { missingProperty: string }).missingProperty}`;
    return { field, code: 'required', message: `This field is required for .${kind}.` };
  }
  const { allowedValues } = error.params as { allowedValues?: readonly string[] };
  const message = allowedValues
    ? `Must be one of ${allowedValues.join(', ')}.`
    : (error.message ?? 'The value is not valid.');
  return { field: `extra${error.instancePath.replaceAll('/', '.')}`, code: 'invalid', message };
}
