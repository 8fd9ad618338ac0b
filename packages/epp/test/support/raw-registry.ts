import { createServer, type TLSSocket } from 'node:tls';
import { ALL_NAMESPACES, encodeFrame, FrameDecoder, writeGreetingFrame } from '../../src/index.ts';
import { testAuthority } from './certificates.ts';
import { okFrame } from './scripted.ts';

const NS = ALL_NAMESPACES;

export interface Frame {
  readonly xml: string;
  readonly clTRID: string;
  readonly socket: TLSSocket;
}

interface Behaviour {
  /** Sent at connect. Default: a plain greeting. */
  greet(socket: TLSSocket): void;
  /** Answers every frame, logins included. Default: 1000. */
  answer(frame: Frame): void;
}

export const greetingBytes = (): Buffer =>
  encodeFrame(
    writeGreetingFrame(
      { svID: 'Raw', svDate: new Date(), versions: ['1.0'], langs: ['en'], objURIs: [NS.domain], extURIs: [] },
      NS,
    ),
  );

const usual: Behaviour = {
  greet: (socket) => socket.write(greetingBytes()),
  answer: ({ xml, clTRID, socket }) => socket.write(/<hello/.test(xml) ? greetingBytes() : okFrame(clTRID)),
};

/** A registry whose bytes the test chooses, from the greeting on. `behaviour` may be changed at any time. */
export async function rawRegistry() {
  const authority = await testAuthority();
  const identity = await authority.issue('registry.test');
  const sockets = new Set<TLSSocket>();
  const seen: string[] = [];
  let behaviour: Behaviour = usual;
  const server = createServer({ key: identity.key, cert: identity.cert }, (socket) => {
    sockets.add(socket);
    const decoder = new FrameDecoder();
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (piece: Buffer) => {
      for (const body of decoder.push(piece)) {
        const xml = body.toString();
        seen.push(/<(login|logout|hello|delete|check)\b/.exec(xml)?.[1] ?? 'other');
        behaviour.answer({ xml, socket, clTRID: /<clTRID>(.*)<\/clTRID>/.exec(xml)?.[1] ?? '' });
      }
    });
    behaviour.greet(socket);
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  return {
    endpoint: { host: '127.0.0.1', port, servername: 'registry.test', ca: authority.ca },
    /** The received commands, by name. */
    seen,
    sockets,
    behave(more: Partial<Behaviour>): void {
      behaviour = { ...usual, ...more };
    },
    close(): void {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
