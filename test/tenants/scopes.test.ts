import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopeNames } from '../../packages/server/src/core/keys/key.ts';
import { buildOpenApi } from '../../packages/server/src/http/openapi/document.ts';
import { routes } from '../../packages/server/src/http/v1/index.ts';
import { mixed } from '../sim/seeds.ts';
import { keyFor, makeReseller } from '../support/resellers.ts';
import { projectRoot, startTestService, type TestService } from '../support/service.ts';
import { times } from '../support/times.ts';
import { openSession } from '../support/users.ts';
import { missingIds } from './fixtures.ts';
import { operationsOf, requestOf } from './operations.ts';

const operations = operationsOf(JSON.parse(JSON.stringify(buildOpenApi(routes))) as { paths: object });
const page = readFileSync(join(projectRoot, 'docs/guide/scopes.md'), 'utf8');

/** The table of the page: each call with the scopes that allow it. */
const promised = new Map(
  [...page.matchAll(/^\| `(\w+ \/v1\S+)` \| (.+) \|$/gm)].map(([, call, scopes]) => [
    call!.replaceAll(/\{\w+\}/g, '{}'),
    scopes === 'users only, no API keys'
      ? []
      : scopes === 'every key'
        ? scopeNames
        : [...scopes!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!),
  ]),
);

/** Every scope that allows a call, and a fifth of the others: each commit draws others, the long run tries all. */
const drawn = mixed(scopeNames);
const asksWith = (scope: string, open: readonly string[], at: number) =>
  open.includes(scope) || (drawn.indexOf(scope) + at) % times(5, 1) === 0;

let t: TestService;
let reseller: string;
const keys = new Map<string, string>();
const sessions = new Map<string, string>();
beforeAll(async () => {
  t = await startTestService();
  reseller = (await makeReseller(t)).split(':')[0]!;
  for (const scope of scopeNames) keys.set(scope, await keyFor(t, reseller, [scope]));
  // Each doubles the calls: the two roles without scopes of their own, and two of staff.
  for (const scope of ['full', 'read', 'domains:write', 'billing:read']) {
    const role = scope === 'full' ? 'owner' : scope === 'read' ? 'read_only' : 'staff';
    sessions.set(scope, await openSession(t, reseller, { role, ...(role === 'staff' ? { scopes: [scope] } : {}) }));
  }
});
afterAll(() => t.stop());

test.each(operations.map((each, at) => [`${each.method} /v1${each.template}`, each, at] as const))(
  '%s is allowed by the scopes of the page and by no other',
  async (title, operation, at) => {
    const open = promised.get(title.replaceAll(/\{\w+\}/g, '{}'));
    expect(open, 'the page lacks it: npm run generate').toBeDefined();
    // Ids that do not exist, so that an allowed call changes nothing.
    const request = requestOf(operation, { nouns: missingIds });
    const opened: string[] = [];
    for (const [scope, as] of keys) {
      if (!asksWith(scope, open!, at)) continue;
      const { path, query, json, raw } = request;
      const called = await t.call(operation.method, path, {
        query,
        as,
        ...(json ? { json } : {}),
        ...(raw ? { raw } : {}),
      });
      // The sandbox registry is not started for this.
      if (!/^\/v1\/sandbox(\/|$)/.test(path)) expect(called.status, called.text).toBeLessThan(500);
      if (operation.isForUsers)
        expect(['session_required', 'invalid_argument', 'foreign_page']).toContain(called.body.code);
      else if (called.body?.code !== 'scope_missing') opened.push(scope);
      // A role is a set of scopes: a user with them has the same access.
      const person = sessions.get(scope);
      if (!person || operation.isForUsers) continue;
      const asUser = await t.call(operation.method, path, {
        query,
        session: person,
        ...(json ? { json } : {}),
        ...(raw ? { raw } : {}),
      });
      expect(asUser.body?.code === 'scope_missing', `${title} with ${scope}`).toBe(
        called.body?.code === 'scope_missing',
      );
    }
    expect(opened).toEqual(open);
  },
);

test('requires special scopes for calls that create access or remove a domain', () => {
  for (const [call, scopes] of promised) {
    if (/temp_password|auth_code/.test(call))
      expect(
        scopes.filter((scope) => scope.endsWith('read')),
        call,
      ).toEqual([]);
    // An invitation is accepted without a key.
    if (!call.startsWith('GET') && !call.includes('/quotes') && !call.endsWith('/invitations/accept'))
      expect(scopes.includes('read'), `${call} with the scope read`).toBe(false);
  }
});
