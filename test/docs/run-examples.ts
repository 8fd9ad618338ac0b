import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { bareEnv } from '../support/bare-env.ts';
import { program } from '../support/program.ts';
import { projectRoot, startTestService, type TestService } from '../support/service.ts';
import {
  answerText,
  curlOf,
  type Example,
  type ExampleValues,
  type HttpExample,
  type LetterExample,
  requestOf,
  type ShellExample,
  type User,
} from './example.ts';
import { examplesBegin, Normaliser } from './normalise.ts';

/** Not the waiting kind: the queried service runs in this process. */
const run = promisify(execFile);
const shownUrl = 'http://127.0.0.1:8080';
const shownDnsPort = '5300';

/** Runs all examples in order on one fresh service and returns the text of each, ready for a page. */
export async function runExamples(examples: readonly Example[]): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-docs-'));
  const wallAtStart = new Date();
  writeFileSync(join(folder, 'clock'), String(examplesBegin.getTime() - wallAtStart.getTime()));
  // The pages show a registry without chaos mode, which would change the answers.
  process.env.SANDBOX_CHAOS = '';
  const t = await startTestService({
    sandbox: 'process',
    folder,
    env: {
      NAMEHOLD_DNS_PORT: '0',
      NAMEHOLD_SANDBOX_SMTP_PORT: '0',
      NAMEHOLD_RATE_LIMIT_PER_MINUTE: '3000',
      NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '6000',
      // Longer than a caller waits by default: an unresponsive registry gives 202.
      NAMEHOLD_WAIT_MS: '10000',
      NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS: '11000',
    },
  });
  try {
    const normaliser = new Normaliser({
      wallAtStart,
      replace: [
        [t.url, shownUrl],
        [folder, '.namehold'],
        [`127.0.0.1:${t.service.sandbox?.state.port}`, '127.0.0.1:7000'],
      ],
    });
    const values: ExampleValues = {};
    const fragments = new Map<string, string>();
    for (const example of examples) {
      await example.before?.(t, values);
      const text = await textOf(t, example, values);
      await example.after?.(t, values);
      fragments.set(example.name, normaliser.apply(example.name, text));
    }
    return fragments;
  } finally {
    await t.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(t: TestService, example: Example, values: ExampleValues): Promise<string> {
  if (example.kind === 'http') return overHttp(t, example, values);
  return example.kind === 'letter' ? bySmtp(t, example) : inShell(t, example, values);
}

/** The receiver returns a temporary error until it knows of the consent. */
async function bySmtp(t: TestService, { from, to, subject, text }: LetterExample): Promise<string> {
  const command = (port: number) =>
    `printf 'Subject: ${subject}\\r\\n\\r\\n${text}\\r\\n' |\n  curl smtp://127.0.0.1:${port} --mail-from ${from} --mail-rcpt ${to} -T -`;
  await vi.waitFor(() => run('sh', ['-c', command(t.service.receiver!.port)]), { timeout: 300_000 });
  return `\`\`\`sh\n${command(2525)}\n\`\`\`\n`;
}

async function overHttp(t: TestService, example: HttpExample, values: ExampleValues): Promise<string> {
  const request = requestOf(example, values);
  const users: Record<User, string | null> = {
    demo: t.demo,
    operator: t.operator,
    wrong: '1000:wrong',
    nobody: null,
    reader: values.reader ?? '',
    child: values.child ?? '',
    second: values.second ?? '',
  };
  const [path, query] = request.path.split('?') as [string, string?];
  const called = await t.call(request.method, path, {
    as: users[example.as ?? 'demo'],
    headers: request.headers,
    ...(query === undefined ? {} : { query }),
    ...(request.form ? { form: request.form } : {}),
    ...(request.json === undefined ? {} : { json: request.json }),
  });
  expect(called.status, `${example.name}: ${called.text}`).toBe(example.status ?? 200);
  example.remember?.(called.body, values, called.headers);
  return `\`\`\`sh\n${curlOf(example, request, shownUrl)}\n\`\`\`\n${answerText(example, called)}\n`;
}

async function inShell(t: TestService, example: ShellExample, values: ExampleValues): Promise<string> {
  const args = typeof example.args === 'function' ? example.args(values) : [...example.args];
  const isDig = example.kind === 'dig';
  const shown = isDig ? `dig @127.0.0.1 -p ${shownDnsPort} ${args.join(' ')}` : `npx namehold ${args.join(' ')}`;
  const answer = await (isDig ? dig(t, args) : namehold(t, args));
  return `\`\`\`sh\n${shown}\n\`\`\`\n\`\`\`text\n${answer.trimEnd()}\n\`\`\`\n`;
}

async function dig(t: TestService, args: readonly string[]): Promise<string> {
  const { dns } = t.service.credentials!;
  return (await run('dig', [`@${dns!.host}`, '-p', String(dns!.port), ...args])).stdout;
}

async function namehold(t: TestService, args: readonly string[]): Promise<string> {
  const env = { ...bareEnv(), DATABASE_URL: t.databaseUrl, NAMEHOLD_DATA_DIR: t.folder };
  return (await run(process.execPath, [program, ...args], { cwd: projectRoot, env })).stdout;
}
