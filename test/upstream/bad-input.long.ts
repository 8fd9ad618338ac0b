import { describe } from 'vitest';
import { rows } from './bad-input/rows.ts';
import { badInputAt } from './bad-input/table.ts';

describe.each(Object.keys(rows))('bad input and trouble at %s', badInputAt);
