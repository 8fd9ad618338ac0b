import { describe, expect, test } from 'vitest';
import { seedAt } from '../sim/seeds.ts';
import { rows } from './bad-input/rows.ts';
import { badInputAt } from './bad-input/table.ts';
import { dialectsOverEpp, foldersIn } from './simulators/upstreams.ts';

test('every dialect has a row', () => {
  expect(Object.keys(rows).sort()).toEqual([...foldersIn('upstream/dialects'), ...dialectsOverEpp()].sort());
});

/** The long run tests all dialects; each commit one of them. */
const dialects = Object.keys(rows);
const dialect = process.env.BAD_INPUT_DIALECT ?? dialects[seedAt(0) % dialects.length]!;

describe(`bad input and trouble at BAD_INPUT_DIALECT=${dialect}`, () => badInputAt(dialect));
