import { randomUUID } from 'node:crypto';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { systemClock } from '../clock.ts';
import { DEFAULT_MAX_FRAME_BYTES } from '../frame.ts';
import { Connection, type ConnectionContext } from './connection.ts';
import type { EppServer, EppServerOptions, Peer } from './types.ts';

const LOOPBACK = '127.0.0.1';
const HANDSHAKE_TIMEOUT_MS = 10_000;
const CLOSE_GRACE_MS = 1_000;

/** RFC 5734 over TLS 1.2 or newer: accepts connections, sends greetings and starts each connection. */
export function createEppServer(options: EppServerOptions): EppServer {
  const clock = options.clock ?? systemClock;
  const connections = new Set<Connection>();
  let nextNumber = 1;
  const around: ConnectionContext = {
    options,
    clock,
    maxFrameBytes: options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES,
    newSvTRID: options.newSvTRID ?? (() => `SV-${randomUUID()}`),
    sessionsOf: (clID) => [...connections].filter((each) => each.clID === clID).length,
    closed(connection, why) {
      connections.delete(connection);
      options.onEvent?.({ type: 'disconnected', session: connection.id, why });
    },
  };
  const listener = createServer(
    {
      key: options.tls.key,
      cert: options.tls.cert,
      ...(options.tls.clientCa === undefined ? {} : { ca: options.tls.clientCa }),
      requestCert: options.tls.clientCa !== undefined,
      rejectUnauthorized: options.tls.requireClientCert === true,
      minVersion: 'TLSv1.2',
      ...(options.tls.ciphers === undefined ? {} : { ciphers: options.tls.ciphers }),
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      allowHalfOpen: true,
    },
    (socket) => {
      if (connections.size >= (options.maxConnections ?? Number.POSITIVE_INFINITY)) {
        socket.destroy();
        return;
      }
      socket.setNoDelay(true);
      const connection = new Connection(`s${nextNumber++}`, socket, peerOf(socket), around);
      connections.add(connection);
      options.onEvent?.({ type: 'connected', session: connection.id, peer: connection.peer });
      void connection.greet();
    },
  );
  // A failed handshake affects that client only.
  listener.on('tlsClientError', (_error, socket) => socket.destroy());
  return {
    listen: (port, host = LOOPBACK) => listen(listener, port, host),
    get sessions() {
      return [...connections];
    },
    close: () => closeAll(listener, connections),
  };
}

function listen(listener: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, () => {
      listener.off('error', reject);
      const address = listener.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function closeAll(listener: Server, connections: ReadonlySet<Connection>): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      for (const connection of connections) connection.destroy('server closing');
    }, CLOSE_GRACE_MS);
    listener.close(() => {
      clearTimeout(force);
      resolve();
    });
    for (const connection of connections) connection.end('server closing');
  });
}

function peerOf(socket: TLSSocket): Peer {
  const certificate = socket.getPeerCertificate();
  const known = certificate !== null && typeof certificate === 'object' && certificate.fingerprint256 !== undefined;
  return {
    address: socket.remoteAddress ?? '',
    port: socket.remotePort ?? 0,
    tlsProtocol: socket.getProtocol() ?? '',
    // A certificate that our CA did not sign does not identify a client.
    ...(known && socket.authorized
      ? { certificateSha256: certificate.fingerprint256, certificateSubject: String(certificate.subject?.CN ?? '') }
      : {}),
  };
}
