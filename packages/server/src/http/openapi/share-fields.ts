import type { JsonSchema } from '../field.ts';
import { inCapitals } from './share.ts';

type Schemas = Record<string, JsonSchema>;
interface Part extends JsonSchema {
  readonly properties?: Record<string, Part>;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly allOf?: readonly Part[];
  readonly additionalProperties?: Part | boolean;
}

/** Smaller savings are not worth a schema of their own. */
const leastSavedBytes = 100;

/**
 * Fields with the same schema in several places are written once, under the name of the field. Changes the schemas and the responses,
 * round by round.
 */
export function* shareFields(schemas: Schemas, answers: readonly JsonSchema[]): Generator<undefined, void> {
  const known = new Map<string, string>();
  // Works from the outside in: after a round, nested copies exist only once.
  while (shareOutermost(schemas, answers, known)) yield;
}

function shareOutermost(schemas: Schemas, answers: readonly JsonSchema[], known: Map<string, string>): boolean {
  const roots = [...Object.values(schemas), ...answers];
  const seen = new Map<string, { times: number; readonly field: string }>();
  for (const root of roots) {
    visit(root, (part, field) => {
      const form = JSON.stringify(part);
      seen.getOrInsertComputed(form, () => ({ times: 0, field })).times += 1;
      return undefined;
    });
  }
  let isChanged = false;
  for (const root of roots) {
    visit(root, (part) => {
      const form = JSON.stringify(part);
      const { times, field } = seen.get(form)!;
      if (part.$ref !== undefined || !(known.has(form) || isWorthIt(form, field, times))) return undefined;
      const name = known.get(form) ?? inCapitals(field);
      // A name has one meaning, so that it can be a type of a client. Another schema under this name stays where it is used.
      if (schemas[name] !== undefined && known.get(form) === undefined) return undefined;
      known.set(form, name);
      schemas[name] ??= JSON.parse(form) as JsonSchema;
      isChanged = true;
      return refer(name);
    });
  }
  return isChanged;
}

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function isWorthIt(form: string, field: string, times: number): boolean {
  const reference = JSON.stringify(refer(field)).length;
  return times * (form.length - reference) - form.length - field.length >= leastSavedBytes;
}

/** Visits every field of a schema and its nested fields, except inside replaced ones. */
function visit(schema: Part, see: (part: Part, field: string) => Part | undefined): void {
  const { properties = {}, items, anyOf = [], allOf = [], additionalProperties: more } = schema;
  for (const [field, part] of Object.entries(properties)) {
    const instead = see(part, field);
    if (instead) properties[field] = instead;
    else visit(part, see);
  }
  for (const part of [items, ...anyOf, ...allOf, more]) if (typeof part === 'object') visit(part, see);
}
