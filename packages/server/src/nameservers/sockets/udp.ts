import { createSocket, type RemoteInfo } from 'node:dgram';
import { isIPv6 } from 'node:net';

/** Room for a burst while the process is busy; the kernel may grant less. */
const RECEIVE_BUFFER_OCTETS = 4 * 1024 * 1024;

export interface UdpOptions {
  readonly host: string;
  readonly port: number;
  readonly sharesPort: boolean;
  /** Must not throw; calls `send` at most once, now or later. */
  answer(request: Buffer, from: RemoteInfo, send: (octets: Uint8Array) => void): void;
  onError(error: unknown): void;
}

export interface UdpListener {
  readonly port: number;
  close(): Promise<void>;
}

export async function listenUdp(options: UdpOptions): Promise<UdpListener> {
  const socket = createSocket({
    type: isIPv6(options.host) ? 'udp6' : 'udp4',
    recvBufferSize: RECEIVE_BUFFER_OCTETS,
    sendBufferSize: RECEIVE_BUFFER_OCTETS,
    reusePort: options.sharesPort,
    // Addresses come from datagrams: nothing is to be looked up, and no answer waits for a turn of the loop.
    lookup: (address, _options, found) => found(null, address, isIPv6(address) ? 6 : 4),
  });
  let isClosed = false;
  socket.on('message', (request, from) => {
    options.answer(request, from, (octets) => {
      // An answer that cannot be delivered is lost like any datagram: the client asks again.
      if (!isClosed) socket.send(octets, from.port, from.address);
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(options.port, options.host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
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
