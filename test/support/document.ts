type Json = Record<string, unknown>;

/**
 * The document without shared parts: each reference is replaced by its target with its siblings merged over it,
 * `allOf` becomes one object, and the parameters of a path are copied to each of its calls.
 */
export function resolved<T extends { paths: object }>(document: T): T {
  const known = new Map<string, unknown>();
  const at = (reference: string): unknown => {
    if (!known.has(reference)) {
      const keys = reference.slice(2).split('/');
      const found = keys.reduce<unknown>((part, key) => (part as Json | undefined)?.[key], document);
      if (found === undefined) throw new Error(`${reference} leads nowhere`);
      known.set(reference, walk(found));
    }
    return known.get(reference);
  };
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...rest } = part as Json;
    const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, walk(value)]));
    return inOne(typeof $ref === 'string' ? { ...(at($ref) as Json), ...own } : own);
  };
  const { paths, ...rest } = walk(document) as Json & { paths: Record<string, Json> };
  return {
    ...rest,
    paths: Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, withCommon(methods)])),
  } as unknown as T;
}

interface Whole {
  readonly properties?: object;
  readonly required?: readonly string[];
}

function inOne({ allOf, ...rest }: Json): Json {
  if (!Array.isArray(allOf)) return rest;
  const parts = allOf as Whole[];
  return {
    type: 'object',
    ...rest,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function withCommon({ parameters: common = [], ...methods }: Json): Json {
  return Object.fromEntries(
    Object.entries(methods as Record<string, Json>).map(([method, { parameters: own = [], ...rest }]) => [
      method,
      { ...rest, parameters: [...(common as unknown[]), ...(own as unknown[])] },
    ]),
  );
}

/** The same schema without additional properties: an answer must not have undocumented fields, although clients must expect new ones. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside: Json = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inside.type === 'object' && inside.properties ? { additionalProperties: false, ...inside } : inside;
}
