import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sandboxMain = '@namehold/sandbox/main';
const sources = {
  server: join(root, 'packages/server/src/main.ts'),
  sandbox: fileURLToPath(import.meta.resolve(sandboxMain)),
};
const fileOf = (name: keyof typeof sources) => join(root, `node_modules/.cache/programs/${name}.js`);

/** Packages of many files that need none beside them. The others are loaded from where they lie. */
const included = [
  '@namehold/',
  'zod',
  'libphonenumber-js',
  'nodemailer',
  '@prometheus-io/client',
  '@opentelemetry/api',
];

/** The registry that a service starts is the one in one file too. */
export const startsMadeSandbox: Plugin = {
  name: 'starts-made-sandbox',
  transform(code) {
    const made = JSON.stringify(pathToFileURL(fileOf('sandbox')).href);
    return code.includes(sandboxMain) ? code.replaceAll(`import.meta.resolve('${sandboxMain}')`, made) : null;
  },
};

/** Each module still finds what lies beside it: migrations, texts, the programs of threads and other processes. */
const knowsWhereItLay: Plugin = {
  name: 'knows-where-it-lay',
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    return code
      .replaceAll('import.meta.main', String(Object.values(sources).includes(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/**
 * The service, and the sandbox registry, each in one file. Their thousand modules are most of what a process costs to start, and the
 * tests start a few hundred; what runs is the same.
 */
export async function makePrograms(): Promise<string> {
  await Promise.all([make('server'), make('sandbox')]);
  return fileOf('server');
}

async function make(name: keyof typeof sources): Promise<void> {
  const build = await rolldown({
    input: sources[name],
    platform: 'node',
    plugins: [startsMadeSandbox, knowsWhereItLay],
    external: (id) => /^[^./]/.test(id) && !included.some((each) => id.startsWith(each)),
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  keep(fileOf(name), output[0].code);
}

/** Another run may be using it: it gets this one or the one before, whole. */
function keep(file: string, code: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === code) return;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, file);
}
