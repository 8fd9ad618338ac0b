import { readFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import {
  ALL_NAMESPACES,
  type EppRequest,
  type EppResponse,
  encodeFrame,
  FrameDecoder,
  NAMESTORE,
  parseXml,
  readResponse,
  writeCommand,
} from '@namehold/epp';
import type { Sandbox } from '@namehold/sandbox';
import { sandboxNamespaces } from '@namehold/sandbox/tlds/index';
import { newTrid } from './sandbox.ts';

interface RawOptions {
  readonly index?: 0 | 1;
  readonly certificateOf?: 0 | 1 | 'none';
  readonly maxVersion?: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
}

/** A client that sends any text without checks. */
export interface RawClient {
  readonly socket: TLSSocket;
  readonly greeting: string;
  bytes(data: Uint8Array): void;
  /** The next frame, or undefined when the connection ends first. */
  frame(): Promise<string | undefined>;
  xml(text: string): Promise<string | undefined>;
  send(request: EppRequest, clTRID?: string): Promise<EppResponse>;
  login(change?: {
    clID?: string;
    pw?: string;
    newPW?: string;
    objURIs?: readonly string[];
    extURIs?: readonly string[];
  }): Promise<EppResponse>;
  closed(): Promise<void>;
  close(): void;
}

export async function openRaw(sandbox: Sandbox, options: RawOptions = {}): Promise<RawClient> {
  const index = options.index ?? 0;
  const account = sandbox.accounts[index] as Sandbox['accounts'][number];
  const certificate = options.certificateOf === 'none' ? undefined : sandbox.accounts[options.certificateOf ?? index];
  const socket = connect({
    host: sandbox.host,
    port: sandbox.port,
    ca: readFileSync(sandbox.caFile),
    ...(certificate && { cert: readFileSync(certificate.cert_file), key: readFileSync(certificate.key_file) }),
    ...(options.maxVersion && { minVersion: 'TLSv1', maxVersion: options.maxVersion }),
  });
  const decoder = new FrameDecoder();
  const frames: string[] = [];
  const waiting: ((frame: string | undefined) => void)[] = [];
  let ended = false;
  const whenClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (piece: Buffer) => {
    for (const frame of decoder.push(piece)) {
      const text = frame.toString('utf8');
      const reader = waiting.shift();
      if (reader) reader(text);
      else frames.push(text);
    }
  });
  const finish = () => {
    ended = true;
    for (const reader of waiting.splice(0)) reader(undefined);
  };
  socket.on('end', finish);
  socket.on('close', finish);
  let failure: Error | undefined;
  socket.on('error', (error) => {
    failure = error;
  });
  const frame = (): Promise<string | undefined> => {
    const held = frames.shift();
    if (held !== undefined || ended) return Promise.resolve(held);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const greeting = await frame();
  if (greeting === undefined) throw failure ?? new Error('closed before the greeting');
  const xml = (text: string) => {
    socket.write(encodeFrame(text));
    return frame();
  };
  const send = async (request: EppRequest, clTRID = newTrid()): Promise<EppResponse> => {
    const answer = await xml(writeCommand(request, clTRID, ALL_NAMESPACES));
    if (answer === undefined) throw new Error('closed without an answer');
    return readResponse(parseXml(answer), ALL_NAMESPACES);
  };
  return {
    socket,
    greeting,
    bytes: (data) => {
      socket.write(data);
    },
    frame,
    xml,
    send,
    login: (change = {}) => {
      const { domain, contact, host, lowBalancePoll, rgpPoll, epp: _, ...extensions } = sandboxNamespaces;
      return send({
        object: 'session',
        verb: 'login',
        clID: change.clID ?? account.client_id,
        pw: change.pw ?? account.password,
        ...(change.newPW === undefined ? {} : { newPW: change.newPW }),
        version: '1.0',
        lang: 'en',
        objURIs: [
          domain,
          contact,
          host,
          ...(change.objURIs ?? [lowBalancePoll, rgpPoll].filter((uri) => uri !== undefined)),
        ],
        extURIs: change.extURIs ?? [...Object.values(extensions), NAMESTORE.uri],
      });
    },
    closed: () => whenClosed,
    close: () => socket.destroy(),
  };
}

export const codeOf = (response: EppResponse): number => response.results[0].code;

/** Logged in. */
export async function openSession(sandbox: Sandbox, index: 0 | 1 = 0): Promise<RawClient> {
  const raw = await openRaw(sandbox, { index });
  const answer = await raw.login();
  if (codeOf(answer) !== 1000) throw new Error(`login: ${codeOf(answer)}`);
  return raw;
}
