import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seedAt } from '../sim/seeds.ts';
import { rows } from './bad-input/rows.ts';
import { badInputAt } from './bad-input/table.ts';

const folders = (path: string) =>
  readdirSync(new URL(`../../packages/server/src/registries/${path}/`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Upstreams with EPP are registry profiles with a folder of their own. */
const overEpp: Readonly<Record<string, string>> = { keysys: 'centralnic-reseller' };

test('every dialect has a row', () => {
  const ofEpp = folders('epp').filter((name) => name !== 'side');
  const wanted = [...folders('upstream/dialects'), ...ofEpp.map((name) => overEpp[name] ?? name)];
  expect(Object.keys(rows).sort()).toEqual(wanted.sort());
});

/** The long run tests all dialects; each commit one of them. */
const dialects = Object.keys(rows);
const dialect = process.env.BAD_INPUT_DIALECT ?? dialects[seedAt(0) % dialects.length]!;

describe(`bad input and trouble at BAD_INPUT_DIALECT=${dialect}`, () => badInputAt(dialect));
