import { Worker } from 'node:worker_threads';
import { loadSchemas, parseXml, readCommand, readResponse, writeCommand, writeResponse } from '@namehold/epp';
import { testAuthority } from '../packages/epp/test/support/certificates.ts';
import { answer, answerXml, namespaces, request, requestXml } from './epp/frames.ts';
import { netEppRate } from './epp/net-epp.ts';
import { commandRate, echoRate, type Rate, roundMs, serverName } from './epp/rates.ts';
import type { Ports } from './epp/servers.ts';

/**
 * The cost of our EPP client: commands a second over 1, 2 and 4 connections, as a ratio to a plain TLS echo of the same frame sizes in
 * the same run. With prepared answers only the client is measured; with our server both are, because they wait for each other. Then the
 * same compared with Net::EPP, and frames written and read a second.
 */
const counts = [1, 2, 4];

async function besideEcho(ports: Ports, ca: string): Promise<void> {
  const table: Record<string, string | number>[] = [];
  for (const connections of counts) {
    const echo = await echoRate(ports.echo, ca, connections);
    const ready = await commandRate(ports.ready, ca, connections);
    const epp = await commandRate(ports.epp, ca, connections);
    const strict = await commandRate(ports.strict, ca, connections);
    const rateText = ({ perSecond }: Rate) => `${Math.round(perSecond)} (${(perSecond / echo.perSecond).toFixed(2)})`;
    table.push({
      connections,
      'TLS echo/s': Math.round(echo.perSecond),
      'ready answers/s': rateText(ready),
      'our server/s': rateText(epp),
      'with schemas/s': rateText(strict),
      'us of the client: echo': Math.round(echo.clientMicros),
      'command ': Math.round(ready.clientMicros),
    });
  }
  console.table(table);
}

/** One session each, one command after another, alternating at the same two servers. */
async function besideNetEpp(ports: Ports, ca: string): Promise<void> {
  const table: Record<string, string | number>[] = [];
  for (const at of ['ready', 'epp'] as const) {
    const theirs = await netEppRate(ports[at]);
    if (!theirs) return;
    const ours = await commandRate(ports[at], ca, 1);
    table.push({
      server: at === 'ready' ? 'ready answers' : 'our server',
      'Net::EPP/s': Math.round(theirs.perSecond),
      'ours/s': Math.round(ours.perSecond),
      ratio: (ours.perSecond / theirs.perSecond).toFixed(2),
      'us of the client: Net::EPP': Math.round(theirs.clientMicros),
      'ours ': Math.round(ours.clientMicros),
    });
  }
  console.table(table);
}

function rate(run: () => void): number {
  for (let warm = 0; warm < 500; warm += 1) run();
  let done = 0;
  const startMs = performance.now();
  while (performance.now() - startMs < roundMs / 2) {
    for (let batch = 0; batch < 50; batch += 1) run();
    done += 50;
  }
  return done / ((performance.now() - startMs) / 1000);
}

async function codecs(): Promise<void> {
  const schemas = await loadSchemas();
  const requestBytes = Buffer.from(requestXml);
  const answerBytes = Buffer.from(answerXml);
  // A comment is sufficient: libxml2 then parses the document.
  const oddBytes = Buffer.from(answerXml.replace('<response>', '<!-- --><response>'));
  const rows: [string, () => void][] = [
    ['write request', () => void writeCommand(request, 'NH-1', namespaces)],
    ['write answer', () => void writeResponse(answer, { svTRID: 'SV-1' }, namespaces)],
    ['read request', () => void readCommand(parseXml(requestBytes), namespaces)],
    ['read answer', () => void readResponse(parseXml(answerBytes), namespaces)],
    ['read answer that needs libxml2', () => void readResponse(parseXml(oddBytes), namespaces)],
    ['validate answer against the schemas', () => void schemas.validator(answerBytes)],
  ];
  console.table(rows.map(([what, run]) => ({ what, 'frames/s': Math.round(rate(run)).toLocaleString('en') })));
}

const authority = await testAuthority();
const { cert, key } = await authority.issue(serverName);
const worker = new Worker(new URL('./epp/servers.ts', import.meta.url), { workerData: { cert, key } });
const ports = await new Promise<Ports>((resolve) => worker.once('message', resolve));
console.log(
  `frames: request ${requestXml.length} bytes, answer ${answerXml.length} bytes; ${roundMs / 1000} s a round`,
);
await besideEcho(ports, authority.ca);
await besideNetEpp(ports, authority.ca);
await codecs();
await worker.terminate();
