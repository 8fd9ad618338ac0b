import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Shapes } from './shape.ts';

/** The file with the shapes of the simulator of a dialect. A test writes it. */
export const expectedShapesFile = (dialect: string): string =>
  fileURLToPath(new URL(`../dialects/${dialect}/shapes.json`, import.meta.url));

type Written = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** In the form of a file: `"/status": "null | text"`. */
export const written = (shapes: Shapes): Written =>
  mapped(shapes, (shape) => mapped(shape, (types) => types.join(' | ')));

/** Undefined: the dialect has no simulator. */
export function expectedShapes(dialect: string): Shapes | undefined {
  const file = expectedShapesFile(dialect);
  if (!existsSync(file)) return undefined;
  const read = JSON.parse(readFileSync(file, 'utf8')) as Written;
  return mapped(read, (shape) => mapped(shape, (types) => types.split(' | ')));
}

const mapped = <A, B>(of: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
