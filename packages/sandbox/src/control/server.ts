import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseDurationMs } from '@namehold/base';
import { FaultError, readFault } from '../faults/read-fault.ts';
import { Refusal } from '../registry/refusal.ts';
import { registryTenant } from '../registry/registry.ts';
import { settleDue } from '../scheduler/settle.ts';
import { zoneFile } from '../zone/zone-file.ts';
import { setAccount, showAccounts } from './accounts.ts';
import { type Control, type ControlAnswer, type ControlCall, ControlError } from './control.ts';
import { reviewDomain, showDomain } from './domains.ts';
import { countRows, pingDatabase } from './health.sql.ts';
import { queueMessage } from './messages.ts';
import { showNames } from './names.ts';
import { showStatement } from './statement.ts';
import { tamperDomain } from './tamper.ts';
import { actAsOtherRegistrar } from './transfers.ts';

const listFaults: ControlCall = async ({ faultInjector }) => ({ faults: faultInjector.list() });

const addFault: ControlCall = async ({ faultInjector }, { body }) => faultInjector.activate(readFault(body));

/** `DELETE /faults` ends all of them, `DELETE /faults/3` that one. */
const clearFaults: ControlCall = async ({ faultInjector }, { parts }) => {
  faultInjector.clear(parts[0]);
  return { faults: faultInjector.list() };
};

/** Held commands: those that still wait, and the results of the others. */
const listHeld: ControlCall = async ({ held }) => ({ held: held.list() });

/** `POST /held`: all are executed now, one after another; `POST /held/3`: that one. */
const deliverHeld: ControlCall = async ({ held }, { parts }) => {
  await held.deliver(parts[0]);
  return { held: held.list() };
};

/** `DELETE /held`: they are never executed. */
const loseHeld: ControlCall = async ({ held }, { parts }) => {
  held.lose(parts[0]);
  return { held: held.list() };
};

/** The delegations of a TLD as a zone file: NS, glue, DS. */
const showZone: ControlCall = async ({ registry }, { parts }) => {
  const tld = (parts[0] ?? '').toLowerCase();
  if (!registry.tlds.has(tld)) throw new ControlError(404, `.${tld} is not served`);
  return zoneFile(registry.db, tld, registry.clock.now());
};

const showHealth: ControlCall = async ({ registry }) => {
  await pingDatabase(registry.db.as(registryTenant));
  return { status: 'ok', now: registry.clock.now().toISOString() };
};

const showStats: ControlCall = async ({ registry, counters }) => {
  const counts = await countRows(registry.db.as(registryTenant));
  return {
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
    sessions: counters.sessions(),
    broken_frames: counters.brokenFrames(),
    answers: counters.answers(),
    rss_bytes: process.memoryUsage().rss,
  };
};

const shown = ({ clock }: Control) => ({ now: clock.now().toISOString(), offset_ms: clock.offsetMs() });

const showClock: ControlCall = async (control) => shown(control);

/** `{"move": "+30d"}`. Answers after all due changes were made. */
const moveClock: ControlCall = async (control, { body }) => {
  const byMs = parseDurationMs(String(body.move ?? ''));
  if (byMs === undefined) throw new ControlError(400, 'move must be like "+30d", "-2h", "90s"');
  control.clock.move(byMs);
  await settleDue(control.registry);
  return shown(control);
};

const maxBodyBytes = 1_000_000;
/** With the usual five seconds, a caller that paused that long would write to a connection that is just being closed. */
const keepAliveMs = 600_000;

const routes: readonly (readonly [string, RegExp, ControlCall])[] = [
  ['GET', /^\/healthz$/, showHealth],
  ['GET', /^\/stats$/, showStats],
  ['GET', /^\/clock$/, showClock],
  ['POST', /^\/clock$/, moveClock],
  ['GET', /^\/faults$/, listFaults],
  ['POST', /^\/faults$/, addFault],
  ['DELETE', /^\/faults$/, clearFaults],
  ['DELETE', /^\/faults\/([^/]+)$/, clearFaults],
  ['GET', /^\/held$/, listHeld],
  ['POST', /^\/held(?:\/([^/]+))?$/, deliverHeld],
  ['DELETE', /^\/held(?:\/([^/]+))?$/, loseHeld],
  ['GET', /^\/accounts$/, showAccounts],
  ['POST', /^\/accounts\/([^/]+)$/, setAccount],
  ['GET', /^\/statement$/, showStatement],
  ['GET', /^\/names$/, showNames],
  ['GET', /^\/domains\/([^/]+)$/, showDomain],
  ['POST', /^\/domains\/([^/]+)\/tamper$/, tamperDomain],
  ['POST', /^\/domains\/([^/]+)\/review$/, reviewDomain],
  ['POST', /^\/messages$/, queueMessage],
  ['POST', /^\/transfers$/, actAsOtherRegistrar],
  ['GET', /^\/zones\/([^/]+)$/, showZone],
];

/** HTTP on loopback for users, tests and the command line. It is not part of a registry's services. */
export async function openControl(control: Control, port: number, host: string) {
  const server = createServer((request, response) => {
    answer(control, request).then(
      (body) => send(response, body),
      (error: unknown) => sendError(response, error),
    );
  });
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(control: Control, request: IncomingMessage): Promise<ControlAnswer> {
  refuseNonLoopback(request);
  const url = new URL(request.url ?? '/', 'http://control');
  const onPath = routes.filter(([, pattern]) => pattern.test(url.pathname));
  if (onPath.length === 0) throw new ControlError(404, 'no such call');
  const route = onPath.find(([method]) => method === request.method);
  if (route === undefined) throw new ControlError(405, 'no such method here');
  const [, pattern, call] = route;
  const segments = (pattern.exec(url.pathname) ?? []).slice(1);
  const parts = segments.filter((word) => word !== undefined).map(decodeURIComponent);
  return call(control, { parts, query: url.searchParams, body: await readBody(request) });
}

/** Web pages in a local browser must not reach this server, neither by DNS rebinding nor by a form. */
function refuseNonLoopback(request: IncomingMessage): void {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (host !== '127.0.0.1' && host !== 'localhost') throw new ControlError(403, 'loopback only');
  if (request.headers.origin !== undefined) throw new ControlError(403, 'not from a browser');
}

async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBodyBytes) throw new ControlError(413, 'too long');
    pieces.push(piece);
  }
  if (size === 0) return {};
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    throw new ControlError(400, 'the body is not JSON');
  }
  throw new ControlError(400, 'the body is not an object');
}

async function send(response: ServerResponse, body: ControlAnswer): Promise<void> {
  if (!(Symbol.asyncIterator in body)) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  try {
    for await (const piece of body) {
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  } catch (error) {
    response.destroy(error as Error);
  }
}

function sendError(response: ServerResponse, error: unknown): void {
  const known = error instanceof ControlError || error instanceof FaultError || error instanceof Refusal;
  const status = error instanceof ControlError ? error.status : known ? 400 : 500;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: error instanceof Error ? error.message : 'failed' }));
}
