import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { keptAnswer, withFormerPaths } from '../../src/http/aliases.ts';
import { buildOpenApi } from '../../src/http/openapi/document.ts';
import { Answer, neededScopes, pathParameters, route } from '../../src/http/route.ts';
import { routes, servedRoutes } from '../../src/http/v1/index.ts';

let t: TestService;
let session: string;
beforeAll(async () => {
  t = await startTestService();
  session = await openSession(t, '1000', { email: 'owner@people.example' });
});
afterAll(() => t.stop());

const as = () => ({ as: t.operator });
const renamed = routes.flatMap((definition) => {
  const path = definition.former?.path;
  return path === undefined
    ? []
    : [{ definition, alias: servedRoutes.find((each) => each.path === path && each.method === definition.method)! }];
});

describe('former paths', () => {
  test('have the scopes, access and limits of the paths that replaced them', () => {
    expect(renamed.length).toBeGreaterThan(10);
    for (const { definition, alias } of renamed) {
      expect(neededScopes(alias)).toEqual(neededScopes(definition));
      for (const same of ['method', 'area', 'sudo', 'secret', 'customer', 'forUsers', 'cost', 'errors'] as const)
        expect(alias[same], alias.path).toEqual(definition[same]);
      expect(pathParameters(alias.path)).toHaveLength(pathParameters(definition.path).length);
    }
  });

  test('include no path of the wire contract', () => {
    for (const { definition } of renamed) expect(definition.style, definition.path).toBe('own');
  });

  test('are marked as deprecated in the document, with the replacement', () => {
    const { paths } = buildOpenApi(servedRoutes) as {
      paths: Record<string, Record<string, { deprecated?: boolean; description: string }>>;
    };
    expect(paths['/people']!.get).toMatchObject({ deprecated: true });
    expect(paths['/people']!.get!.description).toContain('Deprecated: use `GET /v1/users`.');
    expect(paths['/users']!.get!.deprecated).toBeUndefined();
  });

  test('have the header Deprecation on every response, errors included', async () => {
    const [old, current] = [
      await t.call('GET', '/v1/people', { session }),
      await t.call('GET', '/v1/users', { session }),
    ];
    expect(old.headers.get('deprecation')).toBe('@1794960000');
    expect(current.headers.get('deprecation')).toBeNull();
    const refused = await t.call('GET', '/v1/people');
    expect(refused.body.code).toBe('session_required');
    expect(refused.headers.get('deprecation')).toBe('@1794960000');
  });

  test('answer with their former field names', async () => {
    const old = await t.call('GET', '/v1/people', { session });
    const current = await t.call('GET', '/v1/users', { session });
    const [{ person_id, ...rest }] = old.body;
    expect(current.body).toEqual([{ user_id: person_id, ...rest }]);
    const read = await t.call('GET', `/v1/users/${person_id}`, { session });
    const before = await t.call('GET', `/v1/people/${person_id}`, { session });
    expect(read.body).toEqual(current.body[0]);
    expect(before.body).toEqual(old.body[0]);
    expect(read.headers.get('etag')).toBe(before.headers.get('etag'));
    expect((await t.call('GET', '/v1/users/per_none', { session })).status).toBe(404);
  });

  test('include /operator/books, which returns the last reconciliation with former names', async () => {
    const current = await t.call('GET', '/v1/operator/reconciliation', as());
    const old = await t.call('GET', '/v1/operator/books', as());
    expect([current.status, old.status], current.text).toEqual([200, 200]);
    const json = { key: 'books:none', reason: 'try' };
    for (const path of ['/v1/operator/reconciliation/repair', '/v1/operator/books/mend'])
      expect((await t.call('POST', path, { json, ...as() })).status, path).toBe(404);
  });

  test('share idempotency keys with the current paths and field names', async () => {
    const headers = { 'Idempotency-Key': 'one-change' };
    const put = (path: string, json: object) =>
      t.call('PUT', `/v1/operator/resellers/1000/${path}`, { json, headers, ...as() });
    const first = await put('registrants', { manages_registrants: true });
    expect(first.body, first.text).toMatchObject({ manages_registrants: true, looks_after_holders: true });
    for (const [path, json] of [
      ['holders', { looks_after_holders: true }],
      ['registrants', { looks_after_holders: true }],
      ['holders', { manages_registrants: true }],
    ] as const) {
      const again = await put(path, json);
      expect(again.headers.get('idempotency-replayed'), again.text).toBe('true');
      expect(again.body.looks_after_holders).toBe(true);
    }
    expect((await put('holders', { looks_after_holders: false })).body.code).toBe('idempotency_mismatch');
    await t.call('PUT', '/v1/operator/resellers/1000/holders', { json: { looks_after_holders: false }, ...as() });
  });
});

describe('former field names', () => {
  const change = (json: object) => t.call('PUT', '/v1/account/security', { json });

  test('are accepted in requests, and answers contain both names', async () => {
    for (const name of ['approvals', 'second_yes']) {
      const called = await change({ [name]: [] });
      expect(called.body, called.text).toMatchObject({ approvals: [], second_yes: [] });
    }
  });

  test('appear in a refusal if the request used them', async () => {
    for (const name of ['approvals', 'second_yes']) {
      const { body } = await change({ [name]: ['everything'] });
      expect(body.errors).toMatchObject([{ field: name }]);
      expect(body.message).toMatch(new RegExp(`^${name}: `));
    }
  });

  test('are refused together with the current name', async () => {
    const { body } = await change({ approvals: [], second_yes: [] });
    expect(body.errors).toMatchObject([{ field: 'second_yes', code: 'unknown' }]);
  });

  test('are added to a stored answer on both paths', () => {
    for (const path of ['registrants', 'holders'] as const) {
      const definition = servedRoutes.find((each) => each.path === `/operator/resellers/{reseller_id}/${path}`)!;
      expect(keptAnswer(definition, new Answer({ looks_after_holders: true })).body, path).toEqual({
        manages_registrants: true,
        looks_after_holders: true,
      });
    }
  });

  test('are added to an answer that was stored before the renaming', () => {
    const changing = routes.find(({ method, path }) => method === 'PUT' && path === '/account/security')!;
    const stored = new Answer({ second_yes: ['ds'], theft_protection: 'on' });
    expect(keptAnswer(changing, stored).body).toEqual({
      approvals: ['ds'],
      second_yes: ['ds'],
      theft_protection: 'on',
    });
  });
});

describe('a renamed route', () => {
  const seen: unknown[] = [];
  const both = withFormerPaths([
    route({
      method: 'POST',
      path: '/new/{thing_id}',
      former: {
        path: '/old/{item_id}',
        since: '2026-11-18',
        names: { thing_id: 'item_id', colour: 'hue' },
        values: { colour: { green: 'verdant' } },
        schemas: { Thing: 'Item' },
      },
      area: 'account',
      style: 'own',
      summary: 'Paint',
      description: 'Paints.',
      input: z.object({ thing_id: z.string(), colour: z.string() }),
      output: z.object({
        things: z.array(
          z
            .object({ thing_id: z.string(), colour: z.enum(['green', 'red']).nullable(), at: z.string().optional() })
            .meta({ id: 'Thing', description: 'A thing.' }),
        ),
      }),
      errors: [],
      example: { input: { thing_id: '1', colour: 'green' }, output: { things: [{ thing_id: '1', colour: 'green' }] } },
      answer: async (_ctx, _caller, input) => {
        seen.push(input);
        return { things: [{ ...input, at: 'now' }] };
      },
    }),
  ]);

  test('translates names and values of requests, answers, schemas and examples', async () => {
    const old = both[1]!;
    expect(old).toMatchObject({ path: '/old/{item_id}', deprecated: { instead: 'POST /v1/new/{thing_id}' } });
    const answer = await old.answer({} as never, {} as never, { item_id: '1', hue: 'verdant' });
    expect(seen).toEqual([{ thing_id: '1', colour: 'green' }]);
    expect(answer).toEqual({ things: [{ item_id: '1', hue: 'verdant', at: 'now' }] });
    expect(old.output.safeParse(answer).success).toBe(true);
    expect(old.output.safeParse(old.example.output).success).toBe(true);
    expect(Object.keys(old.input.shape)).toEqual(['item_id', 'hue']);
    expect(JSON.stringify(buildOpenApi(both, { 'POST /new/{thing_id}': 'paint' }))).toContain(
      '#/components/schemas/Item"',
    );
  });
});
