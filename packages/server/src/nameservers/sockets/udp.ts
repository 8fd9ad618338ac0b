import { type BindOptions, createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { UdpBatch } from './udp-batch.ts';

/** Buffer for bursts; the kernel may grant less. */
const BUFFER_OCTETS = 4 * 1024 * 1024;

export interface UdpFrom {
  readonly address: string;
  readonly port: number;
}

/** Must not throw; calls `send` at most once. */
export type UdpAnswer = (request: Buffer, from: UdpFrom, send: (octets: Uint8Array) => void) => void;

export interface UdpOptions {
  readonly host: string;
  readonly port: number;
  readonly sharesPort: boolean;
  /** Receives waiting datagrams in batches, if supported. Requires that `send` is called synchronously. */
  readonly batches: boolean;
  readonly answer: UdpAnswer;
  onError(error: unknown): void;
}

export interface UdpListener {
  readonly port: number;
  close(): Promise<void>;
}

export async function listenUdp(options: UdpOptions): Promise<UdpListener> {
  const { host, port, sharesPort, answer } = options;
  const batch = options.batches ? await UdpBatch.open(host, port, sharesPort) : undefined;
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    recvBufferSize: BUFFER_OCTETS,
    sendBufferSize: BUFFER_OCTETS,
    reusePort: sharesPort,
    // Addresses come from datagrams, so the lookup is skipped, which would delay the response by a tick.
    lookup: (address, _options, found) => found(null, address, isIPv6(address) ? 6 : 4),
  });
  let isClosed = false;
  socket.on('message', (request, from) => {
    answer(request, from, (octets) => {
      // A response that cannot be sent is lost like any datagram; the client retries.
      if (!isClosed) socket.send(octets, from.port, from.address);
    });
    if (batch && !isClosed) batch.answerWaiting(answer);
  });
  await bound(socket, batch ? { fd: batch.descriptor } : { port, address: host });
  batch?.keepPort();
  socket.on('error', (error) => options.onError(error));
  return {
    port: socket.address().port,
    close: () =>
      new Promise<void>((resolve) => {
        isClosed = true;
        socket.close(() => resolve());
      }),
  };
}

function bound(socket: Socket, to: BindOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(to, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}
