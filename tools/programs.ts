import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sandboxMain = '@namehold/sandbox/main';
/** Entry points of processes and threads, and modules that are loaded later. */
const sources = {
  server: join(root, 'packages/server/src/main.ts'),
  'command-line': join(root, 'packages/server/src/command-line.ts'),
  sandbox: fileURLToPath(import.meta.resolve(sandboxMain)),
  nameserver: join(root, 'packages/server/src/nameserver.ts'),
  'answer-thread': join(root, 'packages/server/src/nameservers/responder/answer-thread.ts'),
  workers: join(root, 'packages/server/src/workers/worker.ts'),
  watchdog: join(root, 'packages/base/src/watchdog/thread.ts'),
};
type Name = keyof typeof sources;
const names = Object.keys(sources) as Name[];
const fileOf = (name: Name) => join(root, `node_modules/.cache/programs/${name}.mjs`);
const addressOf = (name: Name) => JSON.stringify(pathToFileURL(fileOf(name)).href);

/** Packages that need files beside them, or that few processes load: they are loaded from node_modules. */
const outside = [
  '@embedpdf/',
  '@fontsource/',
  '@simplewebauthn/',
  'libxml2-wasm',
  'pdfkit',
  'pg-native',
  'swagger-ui-dist',
];

/** Processes and threads that a program starts are bundled too. */
export const startsMade: Plugin = {
  name: 'starts-made',
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    // An earlier tool may have changed the quotes.
    return code
      .replace(/import\.meta\.resolve\(['"]([^'"]+)['"]\)/g, (call, wanted) =>
        wanted === sandboxMain ? addressOf('sandbox') : call,
      )
      .replace(/new URL\(['"](\.[^'"]+\.ts)['"], import\.meta\.url\)/g, (call, wanted) => {
        const name = names.find((each) => sources[each] === join(dirname(id), wanted));
        return name ? `new URL(${addressOf(name)})` : call;
      })
      .replace(/import\(['"](\.[^'"]+\.ts)['"]\)/g, (call, wanted) => {
        const name = names.find((each) => sources[each] === join(dirname(id), wanted));
        return name ? `import(${addressOf(name)})` : call;
      });
  },
};

/** Each module still finds the files beside it: migrations, texts. Only the first is the program. */
const knowsWhereItLay = (name: Name): Plugin => ({
  name: 'knows-where-it-lay',
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    return code
      .replaceAll('import.meta.main', String(id === sources[name]))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
});

/**
 * An import of node:http makes Node load all of undici for three exports that we never use, 50 ms of each process. `require` does not,
 * and neither does the `require` of packages.
 */
const httpAlone: Plugin = {
  name: 'http-alone',
  resolveId: (id, _importer, { kind }) => (id === 'node:http' && kind === 'import-statement' ? '\0node:http' : null),
  load(id) {
    if (id !== '\0node:http') return null;
    const names = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, each]) => 'value' in each);
    return `const http = process.getBuiltinModule('node:http');
      export default http;
      export const { ${names.map(([name]) => name).join(', ')} } = http;`;
  },
};

/**
 * Bundles the service and its processes, each into one file. Loading their thousand modules is most of the cost of a start, and the
 * tests start a few hundred; the code is unchanged.
 */
export async function makePrograms(): Promise<string> {
  await Promise.all(names.map(make));
  return fileOf('server');
}

async function make(name: Name): Promise<void> {
  const build = await rolldown({
    input: sources[name],
    platform: 'node',
    plugins: [startsMade, knowsWhereItLay(name), httpAlone],
    external: (id) => id.startsWith('file:') || outside.some((each) => id.startsWith(each)),
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  keep(fileOf(name), output[0].code);
}

/** Another run may be using the file: it gets this one or the previous one, complete. */
function keep(file: string, code: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === code) return;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, file);
}

if (import.meta.main) await makePrograms();
