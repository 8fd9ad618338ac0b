import { createServer, type IncomingHttpHeaders, request } from 'node:http';

/** A request as it was sent, to be sent again without the driver. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends it over a connection of its own, as the driver does, and reads the whole answer. */
export function sendBare(port: number, { method, path, headers, body }: Recorded): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve(Buffer.concat(parts)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Passes requests on to this port, and keeps them. */
export async function startRecorder(port: number) {
  const recorded: Recorded[] = [];
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', async () => {
      const { method = 'GET', url: path = '/', headers } = incoming;
      const each = { method, path, headers, body: Buffer.concat(parts) };
      recorded.push(each);
      response.end(await sendBare(port, each));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    recorded,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
