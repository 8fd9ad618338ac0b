import { listenTcp, type TcpListener, type TcpOptions } from './tcp.ts';
import { listenUdp, type UdpListener, type UdpOptions } from './udp.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly connectionCount: () => number;
  close(): Promise<void>;
}

interface EndpointOptions {
  readonly host: string;
  /** 0: a port that is free for both. */
  readonly port: number;
  /** Allows other sockets of this process on the same port. */
  readonly sharesPort?: boolean;
  /** See UdpOptions. */
  readonly batches?: boolean;
  readonly limits: TcpOptions['limits'];
  readonly answerUdp: UdpOptions['answer'];
  readonly answerTcp: TcpOptions['answer'];
  onError(error: unknown): void;
}

/** The system chooses a free TCP port, whose UDP port may be in use; then another is tried. */
const PORT_TRIES = 20;

/** UDP and TCP on one port. */
export async function openEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const { host, onError } = options;
  for (let tries = 1; ; tries++) {
    const tcp = await listenTcp({
      host,
      port: options.port,
      sharesPort: options.sharesPort ?? false,
      limits: options.limits,
      answer: options.answerTcp,
      onError,
    });
    try {
      const udp = await listenUdp({
        host,
        port: tcp.port,
        sharesPort: options.sharesPort ?? false,
        batches: options.batches ?? false,
        answer: options.answerUdp,
        onError,
      });
      return joined(host, tcp, udp);
    } catch (error) {
      await tcp.close();
      const isTaken = (error as { code?: string }).code === 'EADDRINUSE';
      if (!isTaken || options.port !== 0 || tries >= PORT_TRIES) throw error;
    }
  }
}

function joined(host: string, tcp: TcpListener, udp: UdpListener): Endpoint {
  return {
    host,
    port: tcp.port,
    connectionCount: tcp.connectionCount,
    async close() {
      await Promise.all([tcp.close(), udp.close()]);
    },
  };
}
