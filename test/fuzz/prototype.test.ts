import { afterAll, beforeAll, expect, test } from 'vitest';
import { provenSeed } from '../sim/seeds.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { times } from '../support/times.ts';
import { openSession } from '../support/users.ts';
import { type Operation, operationsOf } from './requests.ts';
import { someIds } from './run.ts';

/** Values with a meaning in the language: as a value, as a key, inside lists and objects. */
const objects = ['toString', 'valueOf', 'toJSON', 'constructor', 'then', 'length', 'hasOwnProperty', 'prototype'];
const words = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
/** JSON values in place of a text. */
const otherTypes: readonly unknown[] = [null, 7, -1.5, 1e308, true, [], {}, [null], { id: null }, 'x'.repeat(50_000)];
const hostile: readonly unknown[] = [
  ...objects.map((key) => ({ [key]: 1 })),
  ...objects.map((key) => [{ [key]: 1 }]),
  ...words,
  words,
  { toString: null, valueOf: null },
  [[[]]],
  ...otherTypes,
];

let t: TestService;
let ids: Record<string, readonly string[]>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_WAIT_MS: '60000' } });
  ids = await someIds(t);
});
afterAll(() => t.stop());

function pathOf(operation: Operation, strange?: string): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => strange ?? ids[name]?.[0] ?? 'com');
}

function sensible(operation: Operation): Record<string, unknown> {
  const known = operation.fields.filter(({ name, example }) => (ids[name] ?? example) !== undefined);
  return Object.fromEntries(known.map(({ name, example }) => [name, ids[name]?.[0] ?? example]));
}

const inFlight = 8;

test('returns no 500 for JavaScript property names and odd types in any field', async () => {
  const failures: string[] = [];
  const ask = async (operation: Operation, path: string, fields: Record<string, unknown>, as: string) => {
    const isQuery = operation.method === 'GET' || operation.takesText;
    const texts = Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      // The request line has a limit of its own.
      (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, isQuery ? 2_000 : undefined),
    ]);
    const called = await t.call(operation.method, `/v1${path}`, {
      ...(isQuery ? { query: new URLSearchParams(texts).toString() } : { json: fields }),
      as,
    });
    if (called.status >= 500 && called.body?.code !== 'registry_unavailable')
      failures.push(`${operation.method} ${path} ${JSON.stringify(fields).slice(0, 300)}: ${called.text}`);
  };
  const calls: (() => Promise<void>)[] = [];
  let turn = provenSeed([0, 11, 22]) % hostile.length;
  for (const operation of operationsOf(t.openApi)) {
    const base = sensible(operation);
    const word = words[turn % words.length]!;
    // As the operator, whose account is not used by the other requests.
    calls.push(() => ask(operation, pathOf(operation, word), base, t.operator));
    calls.push(() => ask(operation, pathOf(operation), JSON.parse(`{"${word}":1}`) as Record<string, unknown>, t.demo));
    for (const { name } of operation.fields) {
      // Alternating, chosen by the commit; the long run tries the word that once failed in every field too.
      const next = () => hostile[turn++ % hostile.length];
      for (const value of [next(), hostile[0], next(), next()].slice(0, times(1, 4)))
        calls.push(() => ask(operation, pathOf(operation), { ...base, [name]: value }, t.demo));
    }
  }
  for (let at = 0; at < calls.length; at += inFlight)
    await Promise.all(calls.slice(at, at + inFlight).map((each) => each()));
  console.log(`words of the language: ${calls.length} requests`);
  expect(failures).toEqual([]);
});

/** These need a session, or none, and stop a key before they read a field. */
const forUsers = /^\/(session|me|users|user_invitations|recovery|sign_in_rules)\b/;

test('returns no 500 for them in operations for users and in nested values', async () => {
  const failures: string[] = [];
  const own = await openSession(t, '1000');
  const inside = (value: unknown) => [value, { id: value }, { id: 'a', response: value }];
  const values = [
    ...[{ toString: 1 }, { toString: null, valueOf: null }, [{ toJSON: 1 }]].flatMap(inside),
    ...otherTypes,
  ];
  let calls = 0;
  for (const operation of operationsOf(t.openApi)) {
    if (!forUsers.test(operation.path) || ['GET', 'DELETE'].includes(operation.method)) continue;
    for (const { name } of operation.fields)
      for (const value of values) {
        const json = { ...sensible(operation), [name]: value };
        for (const session of [own, '']) {
          const called = await t.call(operation.method, `/v1${pathOf(operation)}`, { json, session });
          calls += 1;
          if (called.status >= 500)
            failures.push(
              `${operation.method} ${operation.path} ${JSON.stringify(json).slice(0, 300)}: ${called.text}`,
            );
        }
      }
  }
  console.log(`words of the language, for users: ${calls} requests`);
  expect(failures).toEqual([]);
});
