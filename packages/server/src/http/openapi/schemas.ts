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
  // `type: [string, null]` is faster to serialise and easier to read than a choice of two schemas.
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
  // These hold for every integer and every key of JSON.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  delete jsonSchema.propertyNames;
}

const made = { unrepresentable: 'any', override: override as never } as const;

/** Responses may gain fields (docs/guide/versions.md), so their schemas are not closed. */
function overrideOpen(context: Context): void {
  override(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
}
const nameless = z.registry<{ id?: string }>();
const outputs = new WeakMap<z.ZodType, JsonSchema>();

/** For the response writer: one schema without references. A field that is not listed cannot leak. */
export function outputJsonSchema(schema: z.ZodType): JsonSchema {
  let known = outputs.get(schema);
  if (!known) {
    known = z.toJSONSchema(schema, { ...made, io: 'output', metadata: nameless }) as JsonSchema;
    delete known.$schema;
    outputs.set(schema, known);
  }
  return known;
}

/** The schemas of the document. A schema that has a name (`.meta({ id })`) is written once and referred to. */
export class Schemas {
  readonly named = new Map<string, JsonSchema>();
  /** Names of the schemas that are request bodies. */
  readonly bodies = new Set<string>();

  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    // Wrapped in an array, because zod names only nested schemas.
    const how = { ...made, io, ...(io === 'output' ? { override: overrideOpen as never } : {}) };
    const { items, $defs } = z.toJSONSchema(z.array(schema), how) as {
      items: JsonSchema;
      $defs?: Record<string, JsonSchema>;
    };
    for (const [name, { id: _, ...part }] of Object.entries($defs ?? {})) this.add(name, pointing(part));
    return explained(pointing(items));
  }

  /**
   * Moves the first example to the named schema. Returns false if the parts do not show the whole example, which is then shown beside
   * them.
   */
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

/** Replaces zod's references by those of OpenAPI. */
function pointing(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}

/** Fields without a description get the one in the glossary. */
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
