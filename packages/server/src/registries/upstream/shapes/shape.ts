/** The shape of the answers of a call: each path with the types of its values. No value is part of it. */
export type Shape = Readonly<Record<string, readonly string[]>>;
/** By call. */
export type Shapes = Readonly<Record<string, Shape>>;

export interface FieldNames {
  has(key: string): boolean;
}

/** Stands for a key that is not a known field name, such as the number of a row or a domain name. */
const otherKey = '*';

/** A bound for answers with thousands of rows, which repeat the same shape. */
const mostRows = 200;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'text' : typeof value;
}

/**
 * Keys are written only if they are known field names (an allow-list), because an answer may have domain names, addresses or ids as
 * keys. `onOther` gets the others.
 */
export function shapeOf(body: unknown, fields: FieldNames, onOther: (key: string) => void = () => {}): Shape {
  const found = new Map<string, Set<string>>();
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      note(path, isList ? 'list' : 'object');
      const entries = isList
        ? value.slice(0, mostRows).map((each): [string, unknown] => ['[]', each])
        : Object.entries(value).slice(0, mostRows);
      for (const [key, inner] of entries) {
        const isKnown = isList || fields.has(key);
        if (!isKnown) onOther(key);
        visit(inner, `${path}/${isKnown ? key : otherKey}`);
      }
    } else note(path, typeOf(value));
  };
  const note = (path: string, type: string) => {
    const types = found.get(path) ?? new Set();
    found.set(path, types.add(type));
  };
  visit(body, '');
  return Object.fromEntries(
    [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, types]) => [path || '/', [...types].sort()]),
  );
}

/** The shape of several answers of one call. */
export function merged(a: Shape | undefined, b: Shape): Shape {
  if (!a) return b;
  const paths = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(paths.map((path) => [path, [...new Set([...(a[path] ?? []), ...(b[path] ?? [])])].sort()]));
}

/** The known field names of a service: those in its expected shapes. */
export const fieldsIn = (shapes: Shapes): FieldNames =>
  new Set(
    Object.values(shapes)
      .flatMap((shape) => Object.keys(shape))
      .flatMap((path) => path.split('/'))
      .filter((part) => part !== '' && part !== '[]' && part !== otherKey),
  );

export interface ShapeDifference {
  readonly call: string;
  readonly path: string;
  /** `missing`: only expected. `new`: only in the answer. `type`: other types. */
  readonly kind: 'missing' | 'new' | 'type';
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

/** Calls without a recorded answer are left out. */
export function compareShapes(expected: Shapes, found: Shapes): ShapeDifference[] {
  return Object.entries(found).flatMap(([call, shape]) => {
    const known = expected[call] ?? {};
    const paths = [...new Set([...Object.keys(known), ...Object.keys(shape)])].sort();
    return paths.flatMap((path): ShapeDifference[] => {
      const [theirs, ours] = [shape[path], known[path]];
      if (theirs && ours && theirs.every((type) => type === 'null' || ours.includes(type))) return [];
      const kind = !theirs ? 'missing' : !ours ? 'new' : 'type';
      if (kind === 'missing' && !isComparable(path, shape)) return [];
      if (kind === 'new' && !isComparable(path, known)) return [];
      return [{ call, path, kind, expected: ours ?? [], found: theirs ?? [] }];
    });
  });
}

/** Not if the side without the path lacks its parent too, or had an empty list: then only the outermost difference counts. */
function isComparable(path: string, other: Shape): boolean {
  const end = path.lastIndexOf('/');
  if (path === '/') return Object.keys(other).length === 0;
  const isRow = path.endsWith('/[]');
  return !isRow && other[path.slice(0, end) || '/'] !== undefined;
}
