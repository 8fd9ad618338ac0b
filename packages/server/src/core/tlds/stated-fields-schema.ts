import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { StatedFields } from '../ports/tld-fields.ts';

const fieldName = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/;
const xmlName = '[A-Za-z_][\\w.-]{0,99}';
const elementPath = new RegExp(`^${xmlName}(/${xmlName}){0,4}$`, 'u');
const fieldPath = new RegExp(`^(${xmlName}(/${xmlName}){0,4}(/@${xmlName})?|@${xmlName})$`, 'u');
const mostFields = 50;

const path = (form: RegExp) => z.string().regex(form, 'must be a path of element names, such as owner/number');

/** The fields are one flat object of texts; Ajv checks the other keywords. */
const schema = z.looseObject({
  type: z.literal('object'),
  properties: z
    .record(
      z.string().regex(fieldName, 'must be a name in lower case with the name of the fields in front'),
      z.looseObject({ type: z.literal('string', 'must be string: registries get texts') }),
    )
    .refine((fields) => Object.keys(fields).length <= mostFields, `must have at most ${mostFields} fields`),
  required: z.array(z.string()).optional(),
});

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

/** A schema itself is checked against the meta-schema of JSON Schema 2020-12. */
function problemsOfSchema(given: object): Issue[] {
  const ajv = new Ajv2020({ strict: false });
  if (!ajv.validateSchema(given)) {
    const [error] = ajv.errors ?? [];
    return [{ path: (error?.instancePath ?? '').split('/').slice(1), message: error?.message ?? 'is not valid' }];
  }
  try {
    ajv.compile(given);
    return [];
  } catch (error) {
    return [{ path: [], message: (error as Error).message }];
  }
}

/** Compiling names no place, so expressions are tried one by one first. */
function problemsOfPatterns(properties: StatedFields['schema']['properties']): Issue[] {
  return Object.entries(properties).flatMap(([field, { pattern }]) => {
    try {
      if (typeof pattern === 'string') new RegExp(pattern, 'u');
      return [];
    } catch {
      return [{ path: ['properties', field, 'pattern'], message: 'must be a regular expression' }];
    }
  });
}

/** Fields that the catalogue states, and their form in EPP. */
const statedFields = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9]{1,19}$/, 'must have 2 to 20 lower-case letters or digits'),
    carrier: z.enum(['contact', 'domain']),
    namespace: z.string().min(1).max(500).regex(/^\S+$/, 'must be a URI without spaces'),
    elements: z.strictObject({ create: path(elementPath), update: path(elementPath).optional() }),
    // A list, because objects in the database do not keep the order of their members.
    mapping: z.array(z.strictObject({ field: z.string(), path: path(fieldPath) })).max(mostFields),
    schema,
  })
  .superRefine((stated, check) => {
    const at = (place: readonly PropertyKey[], message: string) =>
      check.addIssue({ code: 'custom', path: [...place], message });
    const { properties } = stated.schema;
    for (const issue of [...problemsOfPatterns(properties), ...problemsOfSchema(stated.schema)])
      return at(['schema', ...issue.path], issue.message);
    for (const field of Object.keys(properties)) {
      if (field === `${stated.name}_contact_id`)
        at(['schema', 'properties', field], 'is reserved. Choose another name');
      if (!field.startsWith(`${stated.name}_`)) at(['schema', 'properties', field], `must begin with ${stated.name}_`);
      if (!stated.mapping.some((each) => each.field === field)) at(['mapping'], `must have the field ${field}`);
    }
    for (const [index, { field }] of stated.mapping.entries())
      if (!Object.hasOwn(properties, field)) at(['mapping', index, 'field'], `must be a field of the schema: ${field}`);
    for (const [index, field] of (stated.schema.required ?? []).entries())
      if (!Object.hasOwn(properties, field))
        at(['schema', 'required', index], `must be a field of the schema: ${field}`);
    return undefined;
  });

const extensionName = z.string().min(1).max(20);

/** The name of a TLD extension, or fields that the catalogue states. A union would not report the place of an error. */
export const extraSchema = z.unknown().superRefine((given, check) => {
  const result = (typeof given === 'object' ? statedFields : extensionName).safeParse(given);
  for (const issue of result.error?.issues ?? []) check.addIssue({ ...issue, input: given } as never);
}) as unknown as z.ZodType<string | StatedFields>;
