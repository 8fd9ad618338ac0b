import type { JsonSchema } from '../field.ts';
import { pathParameters, type Route } from '../route.ts';
import { headersOfRequest } from './headers.ts';
import type { Schemas } from './schemas.ts';
import { inCapitals } from './share.ts';
import { whereFrom } from './try-it-out.ts';

/** Lists are arrays in JSON and comma-separated text elsewhere. */
const withCommas = { style: 'form', explode: false };
const isArray = (schema: JsonSchema | undefined) => schema?.type === 'array' && simple(schema.items as JsonSchema);
const simple = (items: JsonSchema) => items.type === 'string' || items.type === 'integer';

/** Parameters and body of a call. `shownNames`: the path parameters as the document writes them. */
export function requestOf(definition: Route, id: string, shownNames: readonly string[], schemas: Schemas): object {
  const inPath = pathParameters(definition.path);
  const { properties = {} } = schemas.of(definition.input, 'input') as { properties?: Record<string, JsonSchema> };
  const isRequired = (name: string) => !definition.input.shape[name]?.safeParse(undefined).success;
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name) && name !== definition.rawBody);
  const asQuery = definition.method === 'GET' || (definition.method === 'DELETE' && definition.style === 'contract');
  const example = definition.example.input ?? {};
  const parameter = (name: string, place: 'path' | 'query') => {
    const { description, examples: _, ...schema } = properties[name] ?? { type: 'string' };
    return {
      name,
      in: place,
      ...(place === 'path' || isRequired(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description: `${description}${place === 'path' ? whereFrom(name) : ''}` }),
      ...(isArray(schema) ? withCommas : {}),
      schema,
      ...(example[name] === undefined ? {} : { example: example[name] }),
    };
  };
  return {
    parameters: [
      ...inPath.map((name, place) => ({ ...parameter(name, 'path'), name: shownNames[place]! })),
      ...(asQuery || definition.rawBody ? rest.map((name) => parameter(name, 'query')) : []),
      ...headersOfRequest(definition),
    ],
    ...(asQuery ? {} : bodyOf(definition, id, pick(properties, rest), rest.filter(isRequired), schemas)),
  };
}

const pick = <T>(from: Record<string, T>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]!]));

function bodyOf(
  definition: Route,
  id: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[],
  schemas: Schemas,
): object {
  const example = definition.example.input ?? {};
  if (definition.rawBody) {
    const { description } = schemas.of(definition.input.shape[definition.rawBody]! as never, 'input');
    const media = { schema: { type: 'string', description }, example: example[definition.rawBody] };
    return { requestBody: { required: true, content: { 'text/dns': media } } };
  }
  const names = Object.keys(properties);
  if (names.length === 0) return {};
  // The example of the whole body replaces the examples of its fields.
  const plain = Object.entries(properties).map(([name, { examples, ...rest }]) => [
    name,
    example[name] === undefined && examples !== undefined ? { ...rest, examples } : rest,
  ]);
  const name = definition.bodyName ?? `${inCapitals(id)}Body`;
  const schema = schemas.addBody(name, {
    type: 'object',
    properties: Object.fromEntries(plain),
    ...(required.length > 0 ? { required } : {}),
    ...(definition.style === 'own' ? { additionalProperties: false } : {}),
  });
  const lists = names.filter((name) => isArray(properties[name]));
  const json = { schema, example: pick(example, names) };
  const encoding = lists.length > 0 ? { encoding: Object.fromEntries(lists.map((name) => [name, withCommas])) } : {};
  const form = { schema, ...encoding };
  const content =
    definition.style === 'own'
      ? { 'application/json': json }
      : { 'application/json': json, 'application/x-www-form-urlencoded': form, 'multipart/form-data': form };
  return { requestBody: { required: required.length > 0, content } };
}
