import { z } from 'zod';
import { fieldSchemas, type JsonSchema } from '../field.ts';
import { glossary } from './glossary.ts';

type Context = { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema };

function override({ zodSchema, jsonSchema }: Context): void {
  const known = fieldSchemas.get(zodSchema as never);
  if (known) {
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    Object.assign(jsonSchema, known.json);
  }
  // `type: [string, null]` is quicker to write out than a choice of two schemas, and easier to read.
  const { anyOf } = jsonSchema as { anyOf?: JsonSchema[] };
  if (
    anyOf?.length === 2 &&
    anyOf[1]?.type === 'null' &&
    typeof anyOf[0]?.type === 'string' &&
    anyOf[0].type !== 'object'
  ) {
    const { type, ...rest } = anyOf[0];
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, rest, { type: [type, 'null'] });
    if (Array.isArray(rest.enum)) jsonSchema.enum = [...rest.enum, null];
  }
  // What every whole number and every key of JSON is anyway.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.propertyNames;
}

const made = { unrepresentable: 'any', override: override as never } as const;

/** Answers may grow (docs/guide/versions.md), so the document closes none of them. */
function overrideOpen(context: Context): void {
  override(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
}
const nameless = z.registry<{ id?: string }>();
const outputs = new WeakMap<z.ZodType, JsonSchema>();

/** For the writer of answers, whole and without names: a field that is not listed cannot leak. */
export function outputJsonSchema(schema: z.ZodType): JsonSchema {
  let known = outputs.get(schema);
  if (!known) {
    known = z.toJSONSchema(schema, { ...made, io: 'output', metadata: nameless }) as JsonSchema;
    delete known.$schema;
    outputs.set(schema, known);
  }
  return known;
}

/** The schemas of the document. One that was named where it is declared (`.meta({ id })`) is written once and referred to. */
export class Schemas {
  readonly named = new Map<string, JsonSchema>();
  /** Those among them that are the body of a call. */
  readonly bodies = new Set<string>();

  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // Inside of a list, so that a name of its own is seen as well.
    const how = { ...made, io, ...(io === 'output' ? { override: overrideOpen as never } : {}) };
    const { items, $defs } = z.toJSONSchema(z.array(schema), how) as {
      items: JsonSchema;
      $defs?: Record<string, JsonSchema>;
    };
    for (const [name, { id: _, ...part }] of Object.entries($defs ?? {})) this.add(name, pointing(part));
    return explained(pointing(items));
  }

  /** The first example of a named schema is told with the schema. True where the parts show the whole; else it must be told beside them. */
  hasExample({ $ref, items, properties, anyOf }: Reference, example: unknown): boolean {
    if ($ref !== undefined) {
      this.named.get($ref.replace('#/components/schemas/', ''))!.examples ??= [example];
      return true;
    }
    if (anyOf) return example !== null && this.hasExample(anyOf[0]!, example);
    if (items) return Array.isArray(example) && example.length > 0 && this.hasExample(items, example[0]);
    const shown = Object.entries(example ?? {});
    return properties !== undefined && shown.every(([name, part]) => this.hasExample(properties[name]!, part));
  }

  addBody(name: string, schema: JsonSchema): JsonSchema {
    this.bodies.add(name);
    return this.add(name, schema);
  }

  add(name: string, schema: JsonSchema): JsonSchema {
    const whole = explained(schema);
    const before = this.named.get(name);
    const { examples: _, ...known } = before ?? whole;
    if (JSON.stringify(known) !== JSON.stringify(whole)) throw new Error(`two schemas are named ${name}`);
    if (!before) this.named.set(name, whole);
    return { $ref: `#/components/schemas/${name}` };
  }
}

interface Reference {
  readonly $ref?: string;
  readonly items?: Reference;
  readonly properties?: Readonly<Record<string, Reference>>;
  readonly anyOf?: readonly Reference[];
}

/** From zod's own place for named schemas to OpenAPI's. */
function pointing(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}

/** A field that says nothing of itself means what the glossary says. */
function explained(schema: JsonSchema): JsonSchema {
  const { properties, ...rest } = schema as { properties?: Record<string, JsonSchema> };
  const deeper = Object.entries(rest).map(([key, value]) => [key, isSchemaPlace.has(key) ? inside(value) : value]);
  if (!properties) return Object.fromEntries(deeper);
  const explainedProperties = Object.entries(properties).map(([name, part]) => {
    const about = part.description === undefined && Object.hasOwn(glossary, name) ? glossary[name] : undefined;
    return [name, { ...explained(part), ...(about ? { description: about } : {}) }];
  });
  return { ...Object.fromEntries(deeper), properties: Object.fromEntries(explainedProperties) };
}

const isSchemaPlace = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']);

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside);
  return typeof value === 'object' && value !== null ? explained(value as JsonSchema) : value;
}
