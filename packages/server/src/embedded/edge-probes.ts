import { readFile } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { systemClock } from '@namehold/base';
import type { Config } from '../config.ts';
import type { Probe } from './probes.ts';

const answerMs = 5_000;
const mostBytes = 100_000;
/** A Date header has whole seconds and has a delay. */
const maxClockSkewMs = 5_000;

type EdgeFacts = Pick<Config, 'redirectAddresses' | 'acmeDirectory' | 'acmeSecondDirectory' | 'acmeCaFile'>;

/** Checks of `namehold doctor`: edges, as seen from this machine, and the certificate authority. */
export async function probeEdge(config: EdgeFacts, ports = { http: 80, https: 443 }): Promise<Probe[]> {
  const { redirectAddresses, acmeDirectory, acmeSecondDirectory } = config;
  const directories = [acmeDirectory, acmeSecondDirectory].filter((url) => url !== undefined);
  const ca =
    config.acmeCaFile === undefined ? undefined : await readFile(config.acmeCaFile, 'utf8').catch(() => undefined);
  const found = await Promise.all([
    ...redirectAddresses.map((address) => probeWeb(address, ports.http)),
    ...(acmeDirectory === undefined ? [] : redirectAddresses.map((address) => probeTlsPort(address, ports.https))),
    ...directories.map((url) => probeAuthority(url, ca)),
  ]);
  return found.flat();
}

async function probeWeb(address: string, port: number): Promise<Probe> {
  const name = `edge at ${address}`;
  const host = address.includes(':') ? `[${address}]` : address;
  const answer = await get(`http://${host}:${port}/`, { host: 'namehold.invalid' });
  const ok = answer?.status === 404 && answer.body.includes('Nothing is forwarded from this address');
  if (ok) return { name, ok, text: 'answers' };
  const fix = answer
    ? 'another program uses the port: let namehold edge listen there (NAMEHOLD_REDIRECT_HOST, NAMEHOLD_REDIRECT_PORT), or forward requests to it with their Host header'
    : 'run namehold edge there, and open port 80 to the public';
  return {
    name,
    ok,
    text: answer ? `port ${port} answers, but is not the edge (${answer.status})` : `does not answer at port ${port}`,
    fix,
  };
}

/** A handshake without a known host is refused, so this only shows that the port is open. */
async function probeTlsPort(address: string, port: number): Promise<Probe> {
  const name = `edge HTTPS at ${address}`;
  const ok = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: address, port, timeout: answerMs });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false)).on('error', () => end(false));
  });
  const fix =
    'run namehold edge there with NAMEHOLD_ACME_DIRECTORY and the master key, and open port 443 to the public';
  return { name, ok, text: ok ? 'listens' : `nothing listens at port ${port}`, fix };
}

/** Signed requests and certificates depend on the time, so the clock is compared with that of the authority. */
async function probeAuthority(url: string, ca: string | undefined): Promise<Probe[]> {
  const name = `certificate authority ${new URL(url).host}`;
  const said = await get(url, {}, ca);
  const isDirectory = said?.status === 200 && /"newOrder"/.test(said.body);
  const probe = {
    name,
    ok: isDirectory,
    text: isDirectory ? 'answers' : said ? `returns ${said.status} and no ACME directory` : 'does not answer',
    fix: 'check NAMEHOLD_ACME_DIRECTORY and NAMEHOLD_ACME_CA_FILE, and that this machine can make HTTPS requests',
  };
  const serverTime = Date.parse(said?.date ?? '');
  if (!isDirectory || Number.isNaN(serverTime)) return [probe];
  const skew = Math.abs(systemClock.now().getTime() - serverTime);
  return [
    probe,
    {
      name: `clock and ${new URL(url).host}`,
      ok: skew <= maxClockSkewMs,
      text: `differ by ${Math.round(skew / 1_000)} s`,
      fix: 'run NTP on this machine',
    },
  ];
}

interface Answer {
  readonly status: number;
  readonly date: string | undefined;
  readonly body: string;
}

/** Undefined: no answer. */
function get(url: string, headers: Record<string, string>, ca?: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const request = url.startsWith('https:') ? requestTls : requestPlain;
    const options = { headers, signal: AbortSignal.timeout(answerMs), ...(ca === undefined ? {} : { ca }) };
    const sent = request(url, options, (response) => {
      let body = '';
      response.on('data', (piece: Buffer) => {
        body += piece.toString('latin1');
        if (body.length > mostBytes) response.destroy();
      });
      response.on('error', () => resolve(undefined));
      response.on('close', () => resolve({ status: response.statusCode ?? 0, date: response.headers.date, body }));
    });
    sent.on('error', () => resolve(undefined));
    sent.end();
  });
}
