import { readFile } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect } from 'node:net';
import { systemClock } from '@namehold/base';
import type { Config } from '../config.ts';
import type { Probe } from './probes.ts';

const answerMs = 5_000;
const mostOctets = 100_000;
/** A date in a header has whole seconds, and is some of them old when it is read. */
const maxClockSkewMs = 5_000;

type EdgeFacts = Pick<Config, 'redirectAddresses' | 'acmeDirectory' | 'acmeSecondDirectory' | 'acmeCaFile'>;

/** What `namehold doctor` sees of edges, from where it runs, and of the authority that makes their certificates. */
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
  const said = await get(`http://${host}:${port}/`, { host: 'namehold.invalid' });
  const ok = said?.status === 404 && said.body.includes('Nothing is forwarded from this address');
  if (ok) return { name, ok, text: 'responds' };
  const fix = said
    ? 'another program uses the port: run namehold edge at that port (NAMEHOLD_REDIRECT_HOST, NAMEHOLD_REDIRECT_PORT), or forward requests to it with their Host header'
    : 'run namehold edge on that host, and open port 80 in the firewall';
  return {
    name,
    ok,
    text: said ? `port ${port} responds, but not as an edge (status ${said.status})` : `no response at port ${port}`,
    fix,
  };
}

/** A hello for no name of ours is refused: that somebody listens is all that can be seen without one. */
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
    'run namehold edge on that host with NAMEHOLD_ACME_DIRECTORY and the master key, and open port 443 in the firewall';
  return { name, ok, text: ok ? 'listens' : `no listener at port ${port}`, fix };
}

/** Orders are signed with times in them, and certificates hold from a second on: its clock is the one that counts. */
async function probeAuthority(url: string, ca: string | undefined): Promise<Probe[]> {
  const name = `certificate authority ${new URL(url).host}`;
  const said = await get(url, {}, ca);
  const isDirectory = said?.status === 200 && /"newOrder"/.test(said.body);
  const probe = {
    name,
    ok: isDirectory,
    text: isDirectory ? 'responds' : said ? `returns status ${said.status}, not an ACME directory` : 'no response',
    fix: 'check NAMEHOLD_ACME_DIRECTORY and NAMEHOLD_ACME_CA_FILE, and that this host may open outgoing HTTPS connections',
  };
  const told = Date.parse(said?.date ?? '');
  if (!isDirectory || Number.isNaN(told)) return [probe];
  const skew = Math.abs(systemClock.now().getTime() - told);
  return [
    probe,
    {
      name: `clock and ${new URL(url).host}`,
      ok: skew <= maxClockSkewMs,
      text: `differ by ${Math.round(skew / 1_000)} s`,
      fix: 'run NTP on this host',
    },
  ];
}

interface Answer {
  readonly status: number;
  readonly date: string | undefined;
  readonly body: string;
}

/** Undefined: nobody answers. */
function get(url: string, headers: Record<string, string>, ca?: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const request = url.startsWith('https:') ? requestTls : requestPlain;
    const options = { headers, signal: AbortSignal.timeout(answerMs), ...(ca === undefined ? {} : { ca }) };
    const sent = request(url, options, (response) => {
      let body = '';
      response.on('data', (piece: Buffer) => {
        body += piece.toString('latin1');
        if (body.length > mostOctets) response.destroy();
      });
      response.on('error', () => resolve(undefined));
      response.on('close', () => resolve({ status: response.statusCode ?? 0, date: response.headers.date, body }));
    });
    sent.on('error', () => resolve(undefined));
    sent.end();
  });
}
