import { expect, test } from 'vitest';
import { servedRoutes } from '../../src/http/v1/index.ts';
import { makeWriter, writingSchema } from '../../src/http/writer.ts';

function choicesIn(part: unknown, path: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    ['anyOf', 'oneOf', 'allOf', 'if'].includes(key) ? [path] : choicesIn(value, `${path}/${key}`),
  );
}

test('needs no validator that the first request would compile', () => {
  expect(
    servedRoutes.flatMap((route) => choicesIn(writingSchema(route.output), `${route.method} ${route.path}`)),
  ).toEqual([]);
});

test('keeps every field of the route examples in merged schemas', () => {
  const missing = servedRoutes.flatMap(({ method, path, output, example }) => {
    const { properties, additionalProperties } = writingSchema(output) as {
      properties?: object;
      additionalProperties?: unknown;
    };
    const shown = example.output;
    if (!properties || typeof additionalProperties === 'object' || typeof shown !== 'object' || Array.isArray(shown))
      return [];
    return Object.keys(shown ?? {}).flatMap((key) => (key in properties ? [] : `${method} ${path} ${key}`));
  });
  expect(missing).toEqual([]);
});

test('compiles every response schema', () => {
  for (const { method, path, output, accepted } of servedRoutes)
    for (const schema of accepted ? [output, accepted] : [output])
      expect(makeWriter(schema), `${method} ${path}`).toBeTypeOf('function');
});
