import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below the range of ephemeral ports (32768 and above, `ip_local_port_range`): a port from that range could be used by another
 * connection before the program opens it.
 */
const first = 10_000;
const last = 32_000;

/** A port of 127.0.0.1 that is free for UDP and TCP, and reserved on this machine while this process lives. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const port = first + Math.floor(Math.random() * (last - first));
    if ((await claim(port)) && (await canListen(port)) && (await canBind(port))) return port;
  }
  throw new Error(`no port between ${first} and ${last} is free`);
}

/** The reservation is a socket in Linux's abstract namespace: other processes of the run see it, and it ends with its process. */
function claim(port: number): Promise<boolean> {
  const mark = createServer().unref();
  return new Promise((resolve) => {
    mark.once('error', () => resolve(false));
    mark.listen(`\0namehold-test-port-${port}`, () => resolve(true));
  });
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function canBind(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}
