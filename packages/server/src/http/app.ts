import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { AppContext } from '../core/app-context.ts';
import { ConnectionLimits, limitHandshakes } from '../core/connection-limits.ts';
import { bodyLimitOf, bodyLimits, installBodyParsers } from './body.ts';
import { installConfirmPage } from './confirm-page.ts';
import { installBrandFiles } from './console/brand-files.ts';
import { installConsole } from './console/pages.ts';
import { installCors } from './cors.ts';
import { deprecationHeaders } from './deprecation.ts';
import { Drain } from './drain.ts';
import { installErrorPages } from './error-pages.ts';
import { WireRefusal } from './errors.ts';
import { installHealth } from './health.ts';
import { listNamesOf } from './input.ts';
import { httpLimits } from './limits.ts';
import type { Load } from './load-gauge.ts';
import { respondToMalformedRequest } from './malformed-request.ts';
import type { HttpMetrics } from './metrics.ts';
import { openApiOf } from './openapi/document.ts';
import { RequestPipeline } from './request-pipeline.ts';
import type { Answer, Caller, Route } from './route.ts';
import { installSafeHeaders } from './safe-headers.ts';
import type { StreamLimits } from './streams/event-streams.ts';
import { installSwagger } from './swagger.ts';
import { installPaymentWebhook } from './v1/payments/webhook.ts';
import { writerOf } from './writer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    rawBody?: string;
    bodyValues?: number;
    /** Parameters that may be repeated. */
    listNames?: ReadonlySet<string>;
    routePath?: string;
  }
}

const newRequestId = () => `req_${randomUUIDv7().replaceAll('-', '')}`;

export interface App {
  readonly fastify: FastifyInstance;
  publicUrl: string;
  /** Drops cached keys and sessions. */
  purgeKeys(): void;
  /** Writes counters now instead of with the next periodic flush. */
  flushCounts(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly ctx: AppContext;
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
  readonly load: Load;
  /** Why this process is not ready, as a keyword. */
  readonly unreadyReason: () => Promise<string | undefined>;
  /** Shorter times for tests. */
  readonly streams?: Partial<StreamLimits> | undefined;
  /** Answers a request whose Idempotency-Key belongs to an operation with the current state of that operation. */
  readonly answerOperation: (ctx: AppContext, caller: Caller, operationId: string) => Promise<Answer>;
}

/** Load balancers usually check every one or two seconds and react to the second failure. */
const leaveMs = 5_000;

/** How long a stopping process still accepts connections. */
export const announceMs = ({ shutdownDelayMs, mode }: Pick<Config, 'shutdownDelayMs' | 'mode'>): number =>
  shutdownDelayMs ?? (mode === 'production' ? leaveMs : 0);

/** Builds the HTTP server: everything between the socket and the use cases. */
export function buildApp(options: AppOptions): App {
  const { ctx, routes, logger } = options;
  const { config } = ctx;
  const fastify = createFastify(
    config,
    logger,
    (error, request, reply) => pipeline.refuse(error, request, reply),
    () => app.publicUrl,
  );
  limitConnections(fastify, config, options.metrics);
  const pipeline = new RequestPipeline(options, () => app.publicUrl);
  const app: App = {
    fastify,
    publicUrl: config.publicUrl ?? '',
    purgeKeys: () => pipeline.evictKeys(),
    flushCounts: () => pipeline.flushCounts(),
    close: async () => {
      await drain.announce(announceMs(config));
      pipeline.endStreams();
      await drain.end();
      await fastify.close();
      await pipeline.close();
    },
  };
  const drain = new Drain(fastify);
  installSafeHeaders(fastify);
  installBodyParsers(fastify);
  installCors(fastify, config.corsOrigins);
  installHealth(fastify, async () => (drain.isDraining ? 'draining' : options.unreadyReason()));
  installErrorPages(fastify);
  installConfirmPage(fastify, ctx, (request) => pipeline.takeAddressBudget(request));
  installPaymentWebhook(fastify, ctx, {
    take: (request) => pipeline.takeAddressBudget(request),
    miss: (request) => pipeline.recordFailedAttempt(request),
  });
  installSwagger(fastify, async () => ({ ...(await openApiOf(routes)), servers: [{ url: `${app.publicUrl}/v1` }] }));
  installBrandFiles(fastify, ctx, (request) => pipeline.takeAddressBudget(request));
  installConsole(fastify);
  fastify.setErrorHandler((error, request, reply) => pipeline.refuse(error, request, reply));
  fastify.setNotFoundHandler((request, reply) => pipeline.notFound(routes, request, reply));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (hasTwoHosts(request)) pipeline.refuse(twoHosts(), request, reply).catch(done);
    else if (request.is404) pipeline.notFound(routes, request, reply).catch(done);
    else done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    pipeline.finish(request, reply);
    done();
  });
  addRoutes(fastify, routes, pipeline);
  return app;
}

function addRoutes(fastify: App['fastify'], routes: AppOptions['routes'], pipeline: RequestPipeline): void {
  for (const definition of routes) {
    const announced = deprecationHeaders(definition.deprecated);
    fastify.route({
      method: definition.method,
      url: `/v1${definition.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      bodyLimit: bodyLimitOf(definition),
      config: {
        routePath: definition.path,
        listNames: listNamesOf(definition),
        ...(definition.rawBody ? { rawBody: definition.rawBody } : {}),
        ...(definition.bodyValues ? { bodyValues: definition.bodyValues } : {}),
      },
      schema: { response: { 200: {}, ...(definition.accepted ? { 202: {} } : {}) } },
      serializerCompiler: ({ httpStatus }) =>
        writerOf(httpStatus === '202' && definition.accepted ? definition.accepted : definition.output),
      onRequest: (request, reply) => {
        reply.headers(announced);
        return pipeline.runBeforeBody(definition, request, reply);
      },
      preParsing: (request, _reply, body, done) => done(null, pipeline.meter(request, body as IncomingMessage)),
      handler: (request, reply) => pipeline.runAfterBody(request, reply),
    });
  }
}

/** RFC 9112 section 3.2: with two Host headers, each pipeline could pick another one. */
const hasTwoHosts = ({ raw: { rawHeaders } }: FastifyRequest): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
};

const twoHosts = () => new WireRefusal('invalid_body', 'The request has more than one Host header.');

type Refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function createFastify(config: Config, logger: Logger, refuse: Refuse, publicUrl: () => string): FastifyInstance {
  const server = {
    maxHeaderSize: httpLimits.headerBytes,
    headersTimeout: httpLimits.headersTimeoutMs,
    requestTimeout: httpLimits.requestTimeoutMs,
    connectionsCheckingInterval: httpLimits.connectionsCheckMs,
  };
  const fastify = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimits.bytes,
    requestTimeout: httpLimits.requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: httpLimits.keepAliveMs,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    genReqId: newRequestId,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 1_024 },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      // No error response is possible any more.
      refuse(error, request, reply).catch(() => reply.raw.destroy()),
    clientErrorHandler: (error: Error, socket: Socket) =>
      respondToMalformedRequest(error, socket, newRequestId(), publicUrl()),
    // Open connections get real responses while the server drains.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    ...(config.tlsCertFile && config.tlsKeyFile
      ? {
          https: {
            ...server,
            cert: readFileSync(config.tlsCertFile),
            key: readFileSync(config.tlsKeyFile),
            minVersion: 'TLSv1.2',
          },
        }
      : { http: server }),
  } as Parameters<typeof Fastify>[0]) as unknown as FastifyInstance;
  // Log lines contain the request id. A child logger for each request would cost more than the line.
  return fastify.setChildLoggerFactory((parent) => parent);
}

function limitConnections({ server }: FastifyInstance, config: Config, metrics: HttpMetrics): void {
  const connections = new ConnectionLimits({
    perNetwork: config.connectionsPerNetwork,
    inAll: httpLimits.connections,
    exempt: config.trustedProxies,
  });
  server.maxConnections = httpLimits.connections;
  server.on('connection', (socket: Socket) => {
    if (!connections.admit(socket)) metrics.shed('connections');
  });
  if (config.tlsCertFile) limitHandshakes(server, httpLimits.headersTimeoutMs);
}
