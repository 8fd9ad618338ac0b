import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
  readonly body: any;
}

/** Sends exactly these bytes, which fetch would correct or refuse. Reads until the server closes. */
export function sendRaw(url: string, request: string | Buffer, waitMs = 10_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const pieces: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error('no end of the answer'));
    }, waitMs);
    const finish = () => {
      clearTimeout(timer);
      resolve(parseAnswer(Buffer.concat(pieces).toString('utf8')));
    };
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.once('end', finish);
    socket.once('close', finish);
    socket.on('error', () => undefined);
    socket.write(request);
  });
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = rest.join('\r\n\r\n');
  const isJson = headers['content-type']?.startsWith('application/json') && headers['transfer-encoding'] === undefined;
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    text: body,
    body: isJson && body !== '' ? JSON.parse(body) : undefined,
  };
}

export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** One request as text, closing the connection after it. */
export function rawRequest(
  credentials: string,
  method: string,
  target: string,
  headers: readonly string[] = [],
  body = '',
): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const all = [`Host: localhost`, `Authorization: ${basic(credentials)}`, 'Connection: close', ...length, ...headers];
  return `${method} ${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
}
