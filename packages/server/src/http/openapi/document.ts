import { setImmediate } from 'node:timers/promises';
import { areas } from '../../core/keys/key.ts';
import { neededScopes, pathParameters, type Route } from '../route.ts';
import { buildUpon } from './built-upon.ts';
import { headersOfSuccess, requestHeaders, responseHeaders } from './headers.ts';
import { operationId } from './operation-id.ts';
import { operationNames } from './operation-names.ts';
import { problemSchema, Refusals } from './refusals.ts';
import { requestOf } from './request.ts';
import { Schemas } from './schemas.ts';
import { answerSchemas, shareAnswers, shareParameters, shareWithinPaths } from './share.ts';
import { shareFields } from './share-fields.ts';
import { tryItOut } from './try-it-out.ts';

const tagMeanings: Record<Route['area'], string> = {
  users: 'Users and their sessions. Calls need the cookie that sign-in sets, and the header `Namehold-Console: 1`.',
  common: 'Countries, currencies, TLDs and their rules: the same for all accounts.',
  account: 'The calling account: profile, API keys, audit log and events.',
  customers: 'Customers of the account.',
  contacts: 'Contacts of customers, used as registrant, administrative, technical and billing contact of domains.',
  domains: 'Search, register, change, renew, delete and restore domains; quotes and operations.',
  dns: 'DNS records and zones.',
  billing: 'Balances, prices and transactions.',
  resellers: 'Accounts below the calling account.',
};

const documents = new WeakMap<readonly Route[], Promise<object>>();

/** The document of these routes, built once at the first request and shared by all servers of a process. */
export const openApiOf = (routes: readonly Route[]): Promise<object> =>
  documents.getOrInsertComputed(routes, buildBetweenRequests);

/** Building takes about a third of a second, so it yields between requests. */
async function buildBetweenRequests(routes: readonly Route[]): Promise<object> {
  const building = build(routes);
  for (;;) {
    const step = building.next();
    await setImmediate();
    if (step.done) return step.value;
  }
}

/** OpenAPI 3.1 from the same schemas that validate requests and write responses. */
export function buildOpenApi(routes: readonly Route[], names = operationNames): object {
  const building = build(routes, names);
  for (;;) {
    const step = building.next();
    if (step.done) return step.value;
  }
}

/** Yields after each step, so that the caller can do other work. */
function* build(routes: readonly Route[], names = operationNames): Generator<undefined, object> {
  const schemas = new Schemas();
  const refusals = new Refusals();
  schemas.add('Problem', problemSchema);
  const paths: Record<string, Record<string, unknown>> = {};
  const named = new Map<string, string>();
  for (const definition of routes) {
    // OpenAPI 3.1 4.8.8.2: paths that differ only in the names of their parameters are one path; the first one names them.
    const path = named.getOrInsert(definition.path.replaceAll(/\{\w+\}/g, '{}'), definition.path);
    paths[path] ??= {};
    paths[path]![definition.method.toLowerCase()] = operation(
      definition,
      names,
      pathParameters(path),
      schemas,
      refusals,
    );
    yield;
  }
  const parameters = shareParameters(paths);
  yield;
  const answers = shareAnswers(paths);
  yield;
  const shapes = Object.fromEntries(schemas.named);
  buildUpon(shapes, schemas.bodies);
  yield;
  yield* shareFields(shapes, answerSchemas(paths, answers));
  yield;
  shareWithinPaths(paths);
  yield;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Namehold',
      version: '1',
      summary: 'HTTP interface of a domain registrar, for resellers',
      description:
        'Search, register, transfer, renew and manage domains, with their customers, contacts and DNS. Manage the account, its API keys and its money. Press Authorize: the user name is the account ID (`reseller_id`), the password is an API key.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ basic: [] }],
    tags: (['common', ...areas, 'users'] as const).map((name) => ({ name, description: tagMeanings[name] })),
    paths,
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'reseller_id:API_KEY' } },
      schemas: sorted(Object.entries(shapes)),
      parameters: { ...requestHeaders, ...parameters },
      headers: inUse(responseHeaders, [paths, answers, ...refusals.named.values()]),
      responses: { ...answers, ...sorted([...refusals.named]) },
    },
  };
}

/** Some headers belong to deprecated calls only, and there may be none. */
function inUse(headers: Record<string, object>, document: object): Record<string, object> {
  const text = JSON.stringify(document);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => text.includes(`/headers/${name}"`)));
}

const sorted = (named: [string, object][]): Record<string, object> =>
  Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));

function operation(
  definition: Route,
  names: typeof operationNames,
  shownNames: readonly string[],
  schemas: Schemas,
  refusals: Refusals,
): object {
  const scopes = neededScopes(definition).map((scope) => `\`${scope}\``);
  const also = definition.alsoScope === undefined ? '' : ` and \`${definition.alsoScope}\``;
  const id = operationId(definition, names);
  return {
    operationId: id,
    tags: [definition.area],
    ...(definition.deprecated ? { deprecated: true } : {}),
    // The session cookie is not declared as a scheme: testers would prompt for it, but no browser lets a page set it.
    ...(definition.isPublic || definition.forUsers ? { security: [] } : {}),
    summary: definition.summary,
    description: `${definition.description}${tryItOut(definition)}${scopes.length > 0 ? `\n\nScope: ${scopes.join(' or ')}${also}.` : ''}`,
    ...requestOf(definition, id, shownNames, schemas),
    responses: Object.fromEntries([...successes(definition, schemas), ...refusals.of(definition)]),
  };
}

function successes(definition: Route, schemas: Schemas): [string, object][] {
  const schema = schemas.of(definition.output, 'output');
  const type = definition.answerType ?? 'application/json';
  const shown = schemas.hasExample(schema, definition.example.output) ? {} : { example: definition.example.output };
  const done = { description: 'Done.', headers: headersOfSuccess(definition, 200) };
  const also = definition.alsoAs ? { [definition.alsoAs]: { schema: { type: 'string' } } } : {};
  const answers: [string, object][] = [['200', { ...done, content: { [type]: { schema, ...shown }, ...also } }]];
  if (definition.accepted) {
    const goesOn = {
      description:
        'Accepted. The registry has not answered yet, or the request did not wait for it. The operation continues.',
      headers: headersOfSuccess(definition, 202),
    };
    const body = schemas.of(definition.accepted, 'output');
    answers.push(['202', { ...goesOn, content: { 'application/json': { schema: body } } }]);
  }
  return answers;
}
