import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clockFromFile, parseDurationMs } from '@namehold/base';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { readConfig } from '../../packages/server/src/config.ts';
import type { AppContext } from '../../packages/server/src/core/app-context.ts';
import type { Load } from '../../packages/server/src/http/load-gauge.ts';
import type { StreamLimits } from '../../packages/server/src/http/streams/event-streams.ts';
import { createLogger } from '../../packages/server/src/logger.ts';
import { openParts } from '../../packages/server/src/parts.ts';
import { type Service, type ServiceOptions, startService } from '../../packages/server/src/service.ts';
import { bringCertificates } from './certificates.ts';
import { migratedDatabase, registryDatabase } from './database.ts';
import { closed, resolved } from './document.ts';
import { expectCatalogued } from './events.ts';
import { registryHere } from './registry.ts';

export interface CallOptions {
  readonly query?: Record<string, string> | string;
  readonly form?: Record<string, string> | string;
  readonly json?: unknown;
  readonly multipart?: Record<string, string>;
  readonly raw?: { type: string; body: string | Uint8Array<ArrayBuffer> };
  readonly headers?: Record<string, string>;
  /** `reseller:key`; null sends no credentials. Default: the demo reseller. */
  readonly as?: string | null;
  /** The cookie of a session, sent like a page of the service; instead of `as`. */
  readonly session?: string;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  readonly body: any;
  readonly text: string;
}

export interface TestService {
  readonly url: string;
  readonly service: Service;
  readonly ctx: AppContext;
  readonly demo: string;
  readonly operator: string;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly openApi: OpenApi;
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
  /** The HTTP control API of the sandbox registry. */
  control(method: string, path: string, json?: unknown): Promise<Called>;
  /** `+30d`: moves the business clock of service and registry. */
  moveClock(by: string): void;
  /** A second process of the service on the same database and registry. */
  second(env?: Record<string, string>): Promise<TestService>;
  stop(): Promise<void>;
}

export interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, DescribedResponse> }>>;
  components: object;
}

interface DescribedResponse {
  content?: Record<string, { schema: object }>;
  headers?: object;
  /** For other responses: the statuses that are expected. */
  'x-statuses'?: readonly number[];
}

interface TestServiceOptions {
  /** Starts a sandbox registry; as a separate process if a test kills or suspends it. */
  readonly sandbox?: true | 'process';
  readonly env?: Record<string, string>;
  readonly databaseUrl?: string;
  readonly folder?: string;
  /** The load, in place of the measured one. */
  readonly load?: Load;
  /** A shorter timeout for clients of event streams. */
  readonly streams?: Partial<StreamLimits>;
  /** The background jobs to run. Default: all; none if a test triggers the work itself. */
  readonly jobs?: ServiceOptions['jobs'];
  /** The registry of another process of the service. */
  readonly openRegistry?: ServiceOptions['openRegistry'];
}

/** The whole service in this process, on a database of its own, with sandbox settings. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.databaseUrl ? undefined : await migratedDatabase();
  const databaseUrl = options.databaseUrl ?? database!.url;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'namehold-service-'));
  const registry = options.sandbox ? await registryDatabase() : undefined;
  if (registry && !options.folder) await bringCertificates(folder);
  const env = { ...options.env, ...(registry ? { NAMEHOLD_SANDBOX_DATABASE_URL: registry.url } : {}) };
  const config = readConfig({
    NAMEHOLD_DATA_DIR: folder,
    NAMEHOLD_PORT: '0',
    NAMEHOLD_SANDBOX_PORT: '0',
    // A separate process: only for tests that request it.
    NAMEHOLD_DNS_PORT: 'off',
    NAMEHOLD_PRIMARY_PORT: '0',
    NAMEHOLD_REDIRECT_PORT: 'off',
    NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
    NAMEHOLD_LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    NAMEHOLD_DATABASE_CONNECTIONS: '8',
    NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_COST_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_MAIL_PER_ACCOUNT: '1000000',
    NAMEHOLD_MAIL_PER_MAILBOX: '1000000',
    // On a busy machine a purchase must still complete at once, and requests must not be shed.
    NAMEHOLD_WAIT_MS: '60000',
    // Domains are put on hold for missing verification only in tests about verification.
    NAMEHOLD_VERIFY_REGISTRANTS: 'off',
    NAMEHOLD_SHED_WAIT_MS: '0',
    NAMEHOLD_SHED_MEMORY_MB: '0',
    DATABASE_URL: databaseUrl,
    ...env,
  });
  const openRegistry = options.openRegistry ?? (options.sandbox === true ? registryHere(config) : undefined);
  const parts = await openParts(config, createLogger(config.logLevel));
  const service = await startService(config, parts, {
    ...(options.load ? { load: options.load } : {}),
    ...(options.streams ? { streams: options.streams } : {}),
    ...(options.jobs ? { jobs: options.jobs } : {}),
    ...(openRegistry ? { openRegistry } : {}),
  });
  const credentials = service.credentials!;
  const { openApi, validate } = await published(config.mode, service.url);
  const demo = `${credentials.reseller_id}:${credentials.api_key}`;
  const operator = `${credentials.operator.reseller_id}:${credentials.operator.api_key}`;
  return {
    url: service.url,
    service,
    ctx: parts.ctx,
    demo,
    operator,
    folder,
    databaseUrl,
    openApi,
    async call(method, path, callOptions = {}) {
      const called = await send(service.url, method, path, demo, callOptions);
      if (path.startsWith('/v1/')) validate(method, path, called);
      return called;
    },
    control(method, path, json) {
      const port = service.sandbox?.state.control_port;
      if (port === undefined)
        throw new Error('this test service has no sandbox registry: startTestService({ sandbox: true })');
      return send(`http://127.0.0.1:${port}`, method, path, demo, {
        as: null,
        ...(json === undefined ? {} : { json }),
      });
    },
    moveClock(by) {
      clockFromFile(join(folder, 'clock')).move(parseDurationMs(by)!);
    },
    second: (more) =>
      startTestService({
        databaseUrl,
        folder,
        env: { ...env, ...more },
        ...(openRegistry
          ? { openRegistry: async () => ({ ...service.sandbox!, disconnect: async () => undefined }) }
          : {}),
      }),
    async stop() {
      try {
        if (database) await expectCatalogued(databaseUrl);
      } finally {
        await service.stop();
        if (!options.databaseUrl) await service.stopEmbedded();
        if (registry) await registry.drop();
        if (database) await database.drop();
        if (!options.folder) rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

export async function send(
  url: string,
  method: string,
  path: string,
  demo: string,
  options: CallOptions,
): Promise<Called> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.session !== undefined) {
    const page = { Cookie: options.session, 'Namehold-Console': '1', Origin: url };
    Object.assign(headers, page, options.headers);
  }
  const as = options.as === undefined ? (options.session === undefined ? demo : null) : options.as;
  if (as !== null) headers.Authorization = `Basic ${Buffer.from(as).toString('base64')}`;
  let body: string | FormData | Uint8Array<ArrayBuffer> | undefined;
  if (options.form !== undefined) {
    headers['Content-Type'] = 'application/x-www-form-urlencoded';
    body = typeof options.form === 'string' ? options.form : new URLSearchParams(options.form).toString();
  } else if (options.json !== undefined) {
    headers['Content-Type'] = 'application/json';
    body = JSON.stringify(options.json);
  } else if (options.raw !== undefined) {
    headers['Content-Type'] = options.raw.type;
    body = options.raw.body;
  } else if (options.multipart !== undefined) {
    const data = new FormData();
    for (const [name, value] of Object.entries(options.multipart)) data.append(name, value);
    body = data;
  }
  const query =
    options.query === undefined
      ? ''
      : `?${typeof options.query === 'string' ? options.query : new URLSearchParams(options.query)}`;
  const response = await fetch(`${url}${path}${query}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await textOf(response);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** A stream never ends: only its first events are awaited. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
}

interface Published {
  readonly openApi: OpenApi;
  readonly validate: ReturnType<typeof answerValidator>;
}

const documents = new Map<string, Promise<Published>>();

/** The services of a worker publish the same document in the same mode, except for their address: it is made, read and compiled once. */
function published(mode: string, url: string): Promise<Published> {
  return documents.getOrInsertComputed(mode, async () => {
    const document = (await (await fetch(`${url}/swagger/openapi.json`)).json()) as OpenApi;
    const openApi = resolved(document);
    return { openApi, validate: answerValidator(openApi) };
  });
}

/** Every answer in every test is validated against the published document, whose references are resolved. */
export function answerValidator(document: OpenApi): (method: string, path: string, called: Called) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const operations = Object.keys(document.paths)
    .map((template) => ({
      template,
      expression: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*')}/?$`),
      weight: (template.match(/\{/g) ?? []).length,
    }))
    // A fixed path has priority over one with parameters, as in the router.
    .sort((a, b) => a.weight - b.weight);
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (method, path, called) => {
    const inside = path.slice(3);
    const found = operations.find(({ expression }) => expression.test(inside));
    const operation = found && document.paths[found.template]?.[method.toLowerCase()];
    if (!found || !operation || called.body === undefined) return;
    // The path does not exist for a customer.
    if (called.body?.code === 'route_not_found') return;
    const otherwise = operation.responses.default;
    const response =
      operation.responses[String(called.status)] ??
      (otherwise?.['x-statuses']?.includes(called.status) ? otherwise : undefined);
    expect(
      response,
      `${method} ${found.template} answered ${called.status}, which its document does not list: ${called.text.slice(0, 300)}`,
    ).toBeDefined();
    const key = `${method} ${found.template} ${called.status}`;
    for (const name of ['X-Total-Count', 'Link', 'Retry-After'])
      if (called.headers.has(name)) expect(response?.headers, `${key} sends ${name}`).toHaveProperty(name);
    let check = compiled.get(key);
    if (!check) {
      const schema = response?.content?.['application/json']?.schema ?? {};
      check = ajv.compile(called.status < 300 ? (closed(schema) as object) : schema);
      compiled.set(key, check);
    }
    expect(check(called.body), `${key}: ${ajv.errorsText(check.errors)} in ${called.text.slice(0, 500)}`).toBe(true);
    // The only exception: a transfer that waits for another auth code, which panels must show to their users.
    const isCodeWanted = called.status === 202 && called.body?.status === 'Auth Code Required';
    if (called.status < 300 && !isCodeWanted && !Array.isArray(called.body) && typeof called.body === 'object') {
      expect(
        called.body,
        'a success never contains "message", because clients treat it as an error',
      ).not.toHaveProperty('message');
    }
  };
}

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
