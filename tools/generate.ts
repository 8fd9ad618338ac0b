import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TLD_EXTENSIONS } from '../packages/epp/src/index.ts';
import { formerNames } from '../packages/server/src/config/former-names.ts';
import { settingRows } from '../packages/server/src/config.ts';
import { catalogue, type ErrorCode } from '../packages/server/src/http/errors.ts';
import { buildOpenApi } from '../packages/server/src/http/openapi/document.ts';
import { routes, servedRoutes } from '../packages/server/src/http/v1/index.ts';
import { jobs } from '../packages/server/src/jobs/index.ts';
import { coverageFiles } from '../test/contract/coverage.ts';
import { layers } from './layers.ts';
import { statesPage } from './pages/domain-states.ts';
import { eventsPage } from './pages/events.ts';
import { noticesPage } from './pages/notices.ts';
import { scopesPage } from './pages/scopes.ts';
import { securityPage } from './pages/security.ts';
import { testResultsPage } from './pages/test-results.ts';
import { transferOutPage } from './pages/transferring-out.ts';
import { processesTable } from './processes.ts';
import { stepsTable } from './steps-table.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Every file of the repository that is generated from code: path to content. */
function produced(): Map<string, string> {
  const files = new Map<string, string>();
  files.set('openapi.json', linesOf(buildOpenApi(servedRoutes)));
  const extensions = readFileSync(join(root, 'docs/operate/tld-extensions.md'), 'utf8');
  files.set('docs/operate/tld-extensions.md', withExtensions(extensions));
  files.set(
    'ARCHITECTURE.md',
    withProcesses(withSteps(withLayers(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')))),
  );
  files.set('docs/operate/settings.md', settingsPage());
  files.set(
    'docs/operate/test-results.md',
    `${notice('test/recorded-results')}${testResultsPage(join(root, 'test/recorded-results'))}`,
  );
  files.set('docs/operate/background-jobs.md', jobsPage());
  files.set('docs/errors/README.md', errorIndex());
  files.set('docs/events/README.md', `${notice('packages/server/src/core/events/catalogue.ts')}${eventsPage()}`);
  files.set('docs/guide/domain-states.md', statesPage());
  files.set(
    'docs/guide/transferring-out.md',
    `${notice('packages/server/src/core/policy/denial.ts')}${transferOutPage()}`,
  );
  files.set('docs/guide/notices.md', `${notice('packages/server/src/core/notices/kinds.ts')}${noticesPage()}`);
  const paths = 'tools/pages/credential-paths.ts';
  files.set('docs/operate/security-model.md', `${notice(paths)}${securityPage(routes)}`);
  files.set('docs/guide/scopes.md', `${notice('the routes')}${scopesPage(routes)}`);
  for (const code of Object.keys(catalogue) as ErrorCode[]) files.set(`docs/errors/${code}.md`, errorPage(code));
  for (const [path, content] of coverageFiles(routes)) files.set(path, content);
  return files;
}

/** The table of core's layers, from the top. */
function withLayers(page: string): string {
  const rows = layers.toReversed().map(({ name, about, folders }) => {
    const listed = folders.filter((folder) => !folder.endsWith('.ts')).map((folder) => `\`${folder}/\``);
    const files = folders.filter((folder) => folder.endsWith('.ts')).map((file) => `\`${file}\``);
    return `| ${name} | ${about} | ${[...files, ...listed].join(', ')} |`;
  });
  const table = `| layer | contents | files and folders |\n|---|---|---|\n${rows.join('\n')}`;
  return withTable(page, 'layers', table);
}

/** The table of the steps of a request. */
const withSteps = (page: string): string => withTable(page, 'steps', stepsTable(root));

const withProcesses = (page: string): string => withTable(page, 'processes', processesTable());

const withTable = (page: string, name: string, table: string): string =>
  page.replace(
    new RegExp(`(<!-- ${name}[^>]*-->\\n)[\\s\\S]*?(\\n<!-- /${name} -->)`),
    (_, begin, end) => `${begin}\n${table}\n${end}`,
  );

function withExtensions(page: string): string {
  const rows = TLD_EXTENSIONS.map(({ name, part, uri, carrier, documentation, schema }) => {
    const required = (schema.required ?? []).map((field) => `\`${field}\``).join(', ');
    return `| \`${name}\` | \`${part}\`: \`${uri}\` | ${carrier} | ${documentation} | ${required} |`;
  });
  const head = '| name | key in `namespaces`, and namespace | carried by | purpose | required fields |';
  return withTable(page, 'extensions', `${head}\n|---|---|---|---|---|\n${rows.join('\n')}`);
}

/** One line per operation and component: small, but a change shows where it was made. */
function linesOf(document: object, depth = 0): string {
  const parts = Object.entries(document).map(([key, value]) => {
    const isOpen = typeof value === 'object' && !Array.isArray(value) && depth < 2;
    return `${JSON.stringify(key)}:${isOpen ? linesOf(value as object, depth + 1) : JSON.stringify(value)}`;
  });
  return `{\n${parts.join(',\n')}\n}${depth === 0 ? '\n' : ''}`;
}

const notice = (source: string) => `<!-- Made by \`npm run generate\` from ${source}; do not edit. -->\n`;

function settingsPage(): string {
  const rows = settingRows().map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning} |`,
  );
  const former = Object.entries(formerNames).map(([name, current]) => `| \`${name}\` | \`${current}\` |`);
  return `${notice('packages/server/src/config.ts')}# Settings\n\nThis page lists every setting. All settings are environment variables: of systemd in /etc/namehold/env, which the unit \`deploy/namehold.service\` reads. An unknown variable that begins with \`NAMEHOLD_\`, or an invalid value, stops the start with a message that names it.\n\n| setting | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n\n## Former names\n\nThese names still work. Each start with one logs a warning that names the current setting. If both are set to different values, the start stops.\n\n| former name | setting |\n|---|---|\n${former.join('\n')}\n`;
}

function jobsPage(): string {
  const rows = jobs
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, everyMs, description }) => `| \`${name}\` | ${intervalText(everyMs)} | ${description} |`);
  return `${notice('packages/server/src/jobs/index.ts')}# Background jobs

This page lists every background job. \`namehold jobs\`, the metrics \`namehold_job_...\` and the alarm \`job:<name>\` use these names. [Monitoring](monitoring.md) explains them.

Every process runs all jobs. A job that only one process may run at a time takes a lease.

| job | interval | task |
|---|---|---|
${rows.join('\n')}
`;
}

function intervalText(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return `${ms / 1_000} s`;
}

function errorIndex(): string {
  const rows = Object.entries(catalogue).map(
    ([code, { status, sentence }]) => `| [\`${code}\`](${code}.md) | ${status} | ${sentence} |`,
  );
  return `${notice('packages/server/src/http/errors.ts')}# Error codes\n\nThis page lists all error codes of the API. Every error has the same flat body: \`type\`, \`code\`, \`message\`, \`request_id\`, and \`errors\` (field, code, message) for invalid input. The [guide](../guide/errors.md) explains the format and when to retry.\n\n| code | status | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function errorPage(code: ErrorCode): string {
  const { status, sentence, fix } = catalogue[code];
  const uses = routes
    .filter((route) => route.errors.includes(code))
    .map((route) => `- \`${route.method} /v1${route.path}\``);
  const where = uses.length > 0 ? `\n## Calls that return it\n\n${uses.join('\n')}\n` : '';
  return `${notice('packages/server/src/http/errors.ts')}# ${code}\n\nStatus ${status}. ${sentence}\n\n**What to do:** ${fix}\n${where}`;
}

const check = process.argv.includes('--check');
const files = produced();
const stale: string[] = [];
for (const [path, content] of files) {
  const full = join(root, path);
  if (existsSync(full) && readFileSync(full, 'utf8') === content) continue;
  stale.push(path);
  if (!check) {
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }
}
for (const name of existsSync(join(root, 'docs/errors')) ? readdirSync(join(root, 'docs/errors')) : []) {
  if (files.has(`docs/errors/${name}`)) continue;
  stale.push(`docs/errors/${name}`);
  if (!check) rmSync(join(root, 'docs/errors', name));
}
if (check && stale.length > 0) {
  console.error(`not up to date (npm run generate): ${stale.join(', ')}`);
  process.exit(1);
}
if (!check) console.log(stale.length === 0 ? 'all up to date' : `written: ${stale.join(', ')}`);
