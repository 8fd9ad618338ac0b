import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { ConnectionLimits, limitHandshakes } from '../core/connection-limits.ts';
import type { House } from '../core/house.ts';
import { recordAnswers } from './answer-log.ts';
import { bodyLimitOf, bodyLimits, installBodyParsers } from './body.ts';
import { answerBrokenWire } from './broken-wire.ts';
import { installConfirmPage } from './confirm-page.ts';
import { installBrandFiles } from './console/brand-files.ts';
import { installConsole } from './console/pages.ts';
import { installCors } from './cors.ts';
import { deprecationHeaders } from './deprecation.ts';
import { Drain } from './drain.ts';
import { installErrorPages } from './error-pages.ts';
import { WireRefusal } from './errors.ts';
import { FrontDoor } from './front-door.ts';
import { installHealth } from './health.ts';
import { httpLimits } from './limits.ts';
import type { Load } from './load-gauge.ts';
import type { HttpMetrics } from './metrics.ts';
import { openApiOf } from './openapi/document.ts';
import type { Answer, Caller, Route } from './route.ts';
import { installSafeHeaders } from './safe-headers.ts';
import type { StreamLimits } from './streams/event-streams.ts';
import { installSwagger } from './swagger.ts';
import { installPaymentNotices } from './v1/payments/notice-door.ts';
import { writerOf } from './writer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    rawBody?: string;
    bodyValues?: number;
    routePath?: string;
  }
}

const newRequestId = () => `req_${randomUUIDv7().replaceAll('-', '')}`;

export interface App {
  readonly fastify: FastifyInstance;
  publicUrl: string;
  /** Keys and sessions are looked up anew. */
  forgetKeys(): void;
  /** Writes down what was counted since the last time, as time would within seconds. */
  flushCounts(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly house: House;
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
  readonly load: Load;
  /** What keeps this process from serving, in a word. */
  readonly whatIsMissing: () => Promise<string | undefined>;
  /** Tests have less patience. */
  readonly streams?: Partial<StreamLimits> | undefined;
  /** Answers a request whose Idempotency-Key belongs to an operation: what that operation says now. */
  readonly answerOperation: (house: House, caller: Caller, operationId: string) => Promise<Answer>;
}

/** Load balancers mostly ask every second or two, and believe the second no. */
const leaveMs = 5_000;

/** Everything between the socket and the use cases. */
export function buildApp(options: AppOptions): App {
  const { house, routes, logger } = options;
  const { config } = house;
  const fastify = createFastify(
    config,
    logger,
    (error, request, reply) => door.refuse(error, request, reply),
    () => app.publicUrl,
  );
  limitConnections(fastify, config, options.metrics);
  const door = new FrontDoor(options);
  const app: App = {
    fastify,
    publicUrl: config.publicUrl ?? '',
    forgetKeys: () => door.forget(),
    flushCounts: () => door.flushCounts(),
    close: async () => {
      await drain.announce(config.leaveMs ?? (config.mode === 'production' ? leaveMs : 0));
      door.endStreams();
      await drain.end();
      await fastify.close();
      await door.close();
    },
  };
  door.app = app;
  const drain = new Drain(fastify);
  installSafeHeaders(fastify);
  installBodyParsers(fastify);
  installCors(fastify, config.corsOrigins);
  installHealth(fastify, async () => (drain.isDraining ? 'draining' : options.whatIsMissing()));
  installErrorPages(fastify);
  installConfirmPage(fastify, house, (request) => door.takeAddressBudget(request));
  installPaymentNotices(fastify, house, {
    take: (request) => door.takeAddressBudget(request),
    miss: (request) => door.missAddress(request),
  });
  installSwagger(fastify, async () => ({ ...(await openApiOf(routes)), servers: [{ url: `${app.publicUrl}/v1` }] }));
  installBrandFiles(fastify, house, (request) => door.takeAddressBudget(request));
  installConsole(fastify);
  fastify.setErrorHandler((error, request, reply) => door.refuse(error, request, reply));
  fastify.setNotFoundHandler((request, reply) => door.notFound(routes, request, reply));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (hasTwoHosts(request)) door.refuse(twoHosts(), request, reply).catch(done);
    else if (request.is404) door.notFound(routes, request, reply).catch(done);
    else done();
  });
  recordAnswers(fastify, logger, options.metrics);
  addRoutes(fastify, routes, door);
  return app;
}

function addRoutes(fastify: App['fastify'], routes: AppOptions['routes'], door: FrontDoor): void {
  for (const definition of routes) {
    const announced = deprecationHeaders(definition.deprecated);
    fastify.route({
      method: definition.method,
      url: `/v1${definition.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      bodyLimit: bodyLimitOf(definition),
      config: {
        routePath: definition.path,
        ...(definition.rawBody ? { rawBody: definition.rawBody } : {}),
        ...(definition.bodyValues ? { bodyValues: definition.bodyValues } : {}),
      },
      schema: { response: { 200: {}, ...(definition.accepted ? { 202: {} } : {}) } },
      serializerCompiler: ({ httpStatus }) =>
        writerOf(httpStatus === '202' && definition.accepted ? definition.accepted : definition.output),
      onRequest: (request, reply) => {
        reply.headers(announced);
        return door.admit(definition, request, reply);
      },
      preParsing: (request, _reply, body, done) => done(null, door.meter(request, body as IncomingMessage)),
      handler: (request, reply) => door.serve(definition, request, reply),
    });
  }
}

/** RFC 9112 3.2: which of them counts would be for each proxy on the way to decide. */
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
      // There is nothing left that could answer it.
      refuse(error, request, reply).catch(() => reply.raw.destroy()),
    clientErrorHandler: (error: Error, socket: Socket) => answerBrokenWire(error, socket, newRequestId(), publicUrl()),
    // Whoever still has a connection while we drain gets a real answer.
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
  // Log lines carry the request id themselves; a logger for each request would cost more than the line.
  return fastify.setChildLoggerFactory((parent) => parent);
}

function limitConnections({ server }: FastifyInstance, config: Config, metrics: HttpMetrics): void {
  const connections = new ConnectionLimits(config.connectionsPerNetwork, config.trustedProxies);
  server.maxConnections = httpLimits.connections;
  server.on('connection', (socket: Socket) => {
    if (!connections.admit(socket)) metrics.shed('connections');
  });
  if (config.tlsCertFile) limitHandshakes(server, httpLimits.headersTimeoutMs);
}
