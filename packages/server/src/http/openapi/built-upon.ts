import type { JsonSchema } from '../field.ts';

interface Whole extends JsonSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** With fewer shared fields, the likeness of two schemas is chance. */
const leastSharedBytes = 800;

/**
 * Writes a response schema that contains all fields of another one as that one plus the rest. Changes the schemas. Bodies stay in one
 * piece, because many tools show no fields of a composed schema in a form.
 */
export function buildUpon(schemas: Record<string, JsonSchema>, bodies: ReadonlySet<string>): void {
  const wholes = Object.entries(schemas).filter(
    (entry): entry is [string, Whole] => entry[1].properties !== undefined && !bodies.has(entry[0]),
  );
  const formOf = forms();
  const sizeOf = ({ properties }: Whole) => formOf(properties).length;
  const built = wholes.flatMap(([name, whole]): [string, JsonSchema][] => {
    const bases = wholes.filter(
      ([, base]) => base !== whole && sizeOf(base) >= leastSharedBytes && holds(whole, base, formOf),
    );
    const [widest] = bases.sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
    return widest ? [[name, upon(whole, ...widest)]] : [];
  });
  Object.assign(schemas, Object.fromEntries(built));
}

/** Computed once, because each schema is compared with many others. */
function forms(): (part: object | undefined) => string {
  const written = new WeakMap<object, string>();
  return (part) => (part === undefined ? '' : written.getOrInsertComputed(part, (object) => JSON.stringify(object)));
}

const isRequired = ({ required = [] }: Whole, name: string) => required.includes(name);

function holds(whole: Whole, base: Whole, formOf: (part: object | undefined) => string): boolean {
  const fields = Object.entries(base.properties);
  return (
    fields.length < Object.keys(whole.properties).length &&
    fields.every(
      ([name, part]) =>
        formOf(whole.properties[name]) === formOf(part) && isRequired(whole, name) === isRequired(base, name),
    )
  );
}

function upon({ properties, required = [], type, ...rest }: Whole, name: string, base: Whole): JsonSchema {
  const isMore = (field: string) => base.properties[field] === undefined;
  const more = Object.fromEntries(Object.entries(properties).filter(([field]) => isMore(field)));
  const needed = required.filter(isMore);
  const own = { type, properties: more, ...(needed.length > 0 ? { required: needed } : {}) };
  return { ...rest, allOf: [{ $ref: `#/components/schemas/${name}` }, own] };
}
