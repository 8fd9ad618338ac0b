import { connect, type TLSSocket } from 'node:tls';
import { encodeFrame, FrameDecoder, writeCommand } from '@namehold/epp';
import { sandboxNamespaces } from '@namehold/sandbox/tlds/index';
import { endpointOf, type State } from '../sandbox/stage.ts';

interface Limits {
  readonly connections: number;
  readonly ms: number;
  /** Of one check. */
  names(): string[];
}

/** Frames are written before the measurement starts; enough that names are not repeated soon. */
const framesKept = 64;

const { domain, contact, host, epp: _, ...extensions } = sandboxNamespaces;

/** The baseline: checks a second by a client that sends bytes and counts frames, one in flight per connection. */
export async function bareFrames(state: State, { connections, ms, names }: Limits): Promise<number> {
  const account = state.accounts[0]!;
  const login = encodeFrame(
    writeCommand(
      {
        object: 'session',
        verb: 'login',
        clID: account.client_id,
        pw: account.password,
        version: '1.0',
        lang: 'en',
        objURIs: [domain, contact, host],
        extURIs: Object.values(extensions),
      },
      'BARE-LOGIN',
      sandboxNamespaces,
    ),
  );
  const checks = Array.from({ length: framesKept }, (_, n) =>
    encodeFrame(writeCommand({ object: 'domain', verb: 'check', names: names() }, `BARE-${n}`, sandboxNamespaces)),
  );
  const sessions = await Promise.all(Array.from({ length: connections }, () => openBare(state, login)));
  const began = performance.now();
  const until = began + ms;
  let answered = 0;
  await Promise.all(
    sessions.map(async ({ socket, ask }) => {
      while (performance.now() < until) {
        await ask(checks[answered % framesKept]!);
        answered += 1;
      }
      socket.destroy();
    }),
  );
  return (answered * 1_000) / (performance.now() - began);
}

async function openBare(state: State, login: Uint8Array) {
  const socket: TLSSocket = connect(endpointOf(state));
  socket.setNoDelay(true);
  const decoder = new FrameDecoder();
  let pending: { resolve(frame: Buffer): void; reject(error: Error): void } | undefined;
  const next = () =>
    new Promise<Buffer>((resolve, reject) => {
      pending = { resolve, reject };
    });
  const greeting = next();
  socket.on('data', (piece: Buffer) => {
    for (const frame of decoder.push(piece)) pending?.resolve(frame);
  });
  socket.on('error', (error) => pending?.reject(error));
  socket.on('close', () => pending?.reject(new Error('the registry closed the connection')));
  const ask = (bytes: Uint8Array) => {
    const answer = next();
    socket.write(bytes);
    return answer;
  };
  await greeting;
  const answer = (await ask(login)).toString('utf8');
  if (!answer.includes('code="1000"')) throw new Error(answer);
  return { socket, ask };
}
