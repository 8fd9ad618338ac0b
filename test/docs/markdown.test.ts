import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../packages/server/src/cli/commands.ts';
import { formerNames } from '../../packages/server/src/config/former-names.ts';
import { settingRows } from '../../packages/server/src/config.ts';
import { servedRoutes } from '../../packages/server/src/http/v1/index.ts';
import { readProfile } from '../../packages/server/src/registries/read-profile.ts';
import { projectRoot } from '../support/service.ts';
import { type Page, readPages } from './pages.ts';

const pages = readPages();
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: projectRoot, encoding: 'utf8' })
  .split('\n')
  .filter((path) => existsSync(join(projectRoot, path)));

/** Code in a page: fenced blocks line by line, and spans. Continued lines are joined. */
function codeOf({ text }: Page): string[] {
  const fenced = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm)].flatMap(([, block]) =>
    block!.replaceAll(/ \\\n\s*/g, ' ').split('\n'),
  );
  const spans = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
  return [...fenced, ...spans];
}

const everywhere = (find: (page: Page) => string[]): string[] =>
  pages.flatMap((page) => find(page).map((problem) => `${page.path}: ${problem}`));

/** The anchor of a heading. */
const anchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );

test('every relative link has a target', () => {
  const problems = everywhere(({ path, text }) =>
    [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].flatMap(
      ([, link]) => {
        const [target = '', anchor] = link!.split('#') as [string, string?];
        const file = target === '' ? path : normalize(join(dirname(path), target));
        if (!existsSync(join(projectRoot, file))) return [`no file ${link}`];
        if (anchor === undefined) return [];
        return anchors(readFileSync(join(projectRoot, file), 'utf8')).includes(anchor) ? [] : [`no heading ${link}`];
      },
    ),
  );
  expect(problems).toEqual([]);
});

test('every npm script in a page exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const problems = everywhere((page) =>
    codeOf(page).flatMap((line) =>
      [...line.matchAll(/\bnpm (start|test|run ([\w:-]+))/g)].flatMap(([whole, word, script]) =>
        scripts[script ?? word!] ? [] : [whole],
      ),
    ),
  );
  expect(problems).toEqual([]);
});

test('every namehold command in a page exists, with its options', () => {
  const byLength = [...commands].sort((a, b) => b.name.length - a.name.length);
  const problems = everywhere((page) =>
    codeOf(page).flatMap((line) => {
      const words = /(?:^ *|npx )namehold ((?:[^|&;#]|\|(?=\w))+)/.exec(line)?.[1]?.trim();
      if (words === undefined || words.startsWith('--help') || /^[A-Z]/.test(words)) return [];
      const alternatives = words.split(' / ');
      const first = byLength.find((command) => `${alternatives[0]} `.startsWith(`${command.name} `));
      if (!first) return [`namehold ${words}`];
      const known = new Set([...Object.keys(first.options ?? {}), 'json', 'help']);
      const unknown = [...words.matchAll(/ --([\w-]+)/g)].map(([, option]) => option!).filter((o) => !known.has(o));
      return unknown.map((option) => `namehold ${first.name} has no --${option}`);
    }),
  );
  expect(problems).toEqual([]);
});

test('every setting that is named exists', () => {
  const known = new Set(settingRows().map((row) => row.name));
  // Only the page of the settings and the changelog name former names of settings.
  const mayNameFormer = (path: string) => path === 'docs/operate/settings.md' || path === 'CHANGELOG.md';
  const problems = everywhere((page) =>
    [...page.text.matchAll(/\bNAMEHOLD_[A-Z_]+[A-Z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !known.has(name) && !(mayNameFormer(page.path) && Object.hasOwn(formerNames, name))),
  );
  expect(problems).toEqual([]);
});

test('every route that is named exists', () => {
  const served = servedRoutes.map(({ method, path }) => ({
    method,
    expression: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]*')}/?$`),
  }));
  const known = (method: string, path: string) =>
    served.some((each) => each.method === method && each.expression.test(path.replaceAll(/\{\w+\}/g, 'x')));
  const problems = everywhere((page) =>
    page.path.startsWith('docs/guide/contract-coverage')
      ? []
      : codeOf(page).flatMap((line) =>
          [...line.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) \/v1(\/[^\s`'",?]+)/g)].flatMap(([whole, method, path]) =>
            known(method!, path!.replace(/[.,;:]$/, '')) ? [] : [whole],
          ),
        ),
  );
  expect(problems).toEqual([]);
});

test('every source file in a page exists', () => {
  const problems = everywhere((page) =>
    page.path.startsWith('packages/')
      ? []
      : codeOf(page).flatMap((line) =>
          /^[\w./-]+\/[\w.-]+\.(ts|mjs|sql)$/.test(line) &&
          !files.some((file) => file === line || file.endsWith(`/${line}`))
            ? [line]
            : [],
        ),
  );
  expect(problems).toEqual([]);
});

test('the registry profile in the documents can be read', () => {
  const page = pages.find(({ path }) => path === 'docs/operate/registry-profile-reference.md')!;
  const profile = /<!-- profile -->\n```json\n([\s\S]*?)```/.exec(page.text)![1]!;
  const read = readProfile(profile, 'example');
  expect(read.limits.sessions).toBeGreaterThan(0);
  expect(read.namespaces.domain).toMatch(/^urn:/);
});
