import { createSocket } from 'node:dgram';
import { createServer, isIPv6 } from 'node:net';

/** A port that cannot be opened, reported in one sentence before anything is started. */
class PortTaken extends Error {
  override name = 'PortTaken';
}

export interface WantedPort {
  readonly host: string;
  readonly port: number;
  /** The setting with which the operator chooses another port. */
  readonly setting: string;
  readonly protocols: readonly ('tcp' | 'udp')[];
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use by another program: end that program, or choose another port by',
  EACCES: 'may not be opened by this user: choose a port from 1024 on by',
  EADDRNOTAVAIL: 'cannot be opened, because this machine does not have the address: check the address that goes with',
};

/** Opens the port exclusively: with SO_REUSEPORT it would succeed beside another nameserver. */
export async function requireFreePort({ host, port, setting, protocols }: WantedPort): Promise<void> {
  if (port === 0) return;
  for (const protocol of protocols) {
    const code = await (protocol === 'tcp' ? tryTcp(host, port) : tryUdp(host, port));
    if (code) throw portTaken(code, host, port, setting);
  }
}

/** The same message for a port that was taken between the check and the start. */
function portTaken(code: string, host: string, port: number, setting: string): PortTaken {
  const [reason = `cannot be opened (${code}):`] = [reasons[code]];
  return new PortTaken(`port ${port} on ${host} ${reason} ${setting}`);
}

function tryTcp(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function tryUdp(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      resolve(error.code ?? error.message);
    });
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(undefined)));
  });
}
