import { createServer, type TLSSocket } from 'node:tls';
import { ALL_NAMESPACES, encodeFrame, FrameDecoder, writeGreetingFrame, writeResponse } from '../../src/index.ts';
import { testAuthority } from './certificates.ts';

const NS = ALL_NAMESPACES;

/** A registry that answers every command after the login with the bytes of a script. */
export async function scriptedRegistry(script: (clTRID: string, number: number) => Buffer): Promise<{
  readonly port: number;
  readonly ca: string;
  close(): void;
}> {
  const authority = await testAuthority();
  const identity = await authority.issue('registry.test');
  const sockets = new Set<TLSSocket>();
  let number = 0;
  const server = createServer({ key: identity.key, cert: identity.cert }, (socket) => {
    sockets.add(socket);
    const decoder = new FrameDecoder();
    const greeting = { svID: 'Scripted', svDate: new Date(), versions: ['1.0'], langs: ['en'] };
    const services = { objURIs: [NS.domain], extURIs: [] };
    socket.write(encodeFrame(writeGreetingFrame({ ...greeting, ...services }, NS)));
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      for (const body of decoder.push(piece)) {
        const xml = body.toString();
        const clTRID = /<clTRID>(.*)<\/clTRID>/.exec(xml)?.[1] ?? '';
        const isSession = /<(login|logout)/.test(xml);
        socket.write(isSession ? okFrame(clTRID) : script(clTRID, number++));
      }
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    port,
    ca: authority.ca,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export function okFrame(clTRID: string, code = 1000): Buffer {
  return encodeFrame(writeResponse({ results: [{ code }] }, { clTRID, svTRID: 'SV-1' }, NS));
}
