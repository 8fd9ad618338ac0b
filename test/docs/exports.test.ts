import { expect, it } from 'vitest';
import { findUnusedExports } from '../../tools/exports.ts';

const namesIn = (files: Record<string, string>): string[] =>
  findUnusedExports(new Map(Object.entries(files)), '.').map((line) =>
    /^(\S+): no other file imports (\w+);/.exec(line)!.slice(1).join(' '),
  );

it('finds values and types that no other file imports', () => {
  const files = {
    'a.ts':
      'export const used = 1;\nexport function unused(): void {}\nexport interface Shape {}\nexport type Also = Shape;\n',
    'b.ts': "import {\n  type Also,\n  used as other,\n} from './a.ts';\nconst unused = other;\n",
  };
  expect(namesIn(files)).toEqual(['a.ts unused', 'a.ts Shape']);
});

it('follows lists of exports: a name is used if somebody imports it from the list', () => {
  const files = {
    'a.ts': 'export const one = 1;\nexport const two = 2;\nexport const three = 3;\n',
    'list.ts': "export { one, two as second } from './a.ts';\n",
    'all.ts': "export * from './a.ts';\n",
    'b.ts': "import { one } from './list.ts';\nimport { three } from './all.ts';\n",
  };
  expect(namesIn(files)).toEqual(['list.ts second']);
});

it('counts modules that are loaded while the program runs', () => {
  const files = {
    'page/pages.ts': "export const pages = [() => import('../view.tsx')];\n",
    'view.tsx': 'export default function View() {}\nexport const rest = 1;\n',
    'all.ts': "const found = import.meta.glob<{ pages: unknown }>('./*/pages.ts', { eager: true });\n",
  };
  expect(namesIn(files)).toEqual(['view.tsx rest']);
});
