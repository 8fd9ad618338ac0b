import type { JsonSchema } from '../field.ts';

type Paths = Record<string, Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  parameters?: Parameter[];
  readonly responses: Record<string, Response>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
}
interface Response {
  readonly $ref?: string;
  readonly content?: Record<string, { readonly schema: SchemaRef }>;
}
interface SchemaRef extends JsonSchema {
  readonly $ref?: string;
  readonly items?: SchemaRef;
}

/** A place in the document, the name for it if it is shared, and a setter for the reference. */
interface Slot {
  readonly value: object;
  readonly name: string | undefined;
  put(reference: never): void;
}

const operationsOf = (paths: Paths) => Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[]);

/** Writes parameters that several calls have in common once. Changes the paths, and returns the shared parameters. */
export function shareParameters(paths: Paths): Record<string, object> {
  const slots = operationsOf(paths).flatMap(({ parameters = [] }) =>
    parameters.map((value, place): Slot => {
      const put = (reference: never) => (parameters[place] = reference);
      return { value, name: value.name && inCapitals(value.name), put };
    }),
  );
  return share(slots, 'parameters');
}

/** Moves parameters of all calls of a path to the path. Runs last, because a path then contains more than calls. */
export function shareWithinPaths(paths: Paths): void {
  for (const methods of Object.values(paths)) {
    const operations = Object.values(methods) as Operation[];
    const forms = operations.map(({ parameters = [] }) => new Set(parameters.map((each) => JSON.stringify(each))));
    const isCommon = (parameter: Parameter) =>
      operations.length > 1 && forms.every((form) => form.has(JSON.stringify(parameter)));
    const common = (operations[0]!.parameters ?? []).filter(isCommon);
    if (common.length > 0) methods.parameters = common;
    for (const operation of operations) {
      const own = (operation.parameters ?? []).filter((each) => !isCommon(each));
      if (own.length > 0) operation.parameters = own;
      else delete operation.parameters;
    }
  }
}

/** The same for responses. They are named after their content, or after the first call that returns them. */
export function shareAnswers(paths: Paths): Record<string, object> {
  const slots = operationsOf(paths).flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, value]): Slot => {
      const put = (reference: never) => (responses[status] = reference);
      return { value, name: value.$ref ? undefined : (nameOf(value) ?? inCapitals(operationId)), put };
    }),
  );
  return share(slots, 'responses');
}

/** The schemas of all responses, shared or not. */
export function answerSchemas(paths: Paths, answers: Record<string, object>): SchemaRef[] {
  const own = operationsOf(paths).flatMap(({ responses }) => Object.values(responses));
  return [...own, ...(Object.values(answers) as Response[])].flatMap(({ content = {} }) =>
    Object.values(content).map(({ schema }) => schema),
  );
}

function nameOf({ content }: Response): string | undefined {
  const schema = Object.values(content ?? {})[0]?.schema;
  const held = schema?.$ref ?? schema?.items?.$ref;
  return held && `${held.split('/').at(-1)!}${schema?.$ref ? '' : 'List'}`;
}

export const inCapitals = (name: string) =>
  name
    .split(/[_-]/)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

function share(slots: readonly Slot[], section: string): Record<string, object> {
  const shared: Record<string, object> = {};
  for (const [, same] of Map.groupBy(slots, ({ value }) => JSON.stringify(value))) {
    const { name, value } = same[0]!;
    // A name has one meaning. A second part of the same name stays where it is used.
    if (name === undefined || same.length < 2 || shared[name] !== undefined) continue;
    shared[name] = value;
    for (const { put } of same) put({ $ref: `#/components/${section}/${name}` } as never);
  }
  return shared;
}
