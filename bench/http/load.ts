import { connect } from 'node:net';

export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  readonly errors: number;
}

/** Longer than any answer may take: a bench that waits for ever gives no result. */
const answerLimitMs = 30_000;

const headEnd = Buffer.from('\r\n\r\n');

/** A client with minimal cost: fixed bytes out, answers counted by their length. Stops by time or by count. */
export async function load(
  url: string,
  headers: readonly string[],
  limits: { connections: number; ms?: number; requests?: number; host?: string; status?: number },
): Promise<Measured> {
  const { hostname, port, pathname, search } = new URL(url);
  const bytes = Buffer.from(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${limits.host ?? `${hostname}:${port}`}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`,
  );
  const began = performance.now();
  const times: number[] = [];
  let [sent, errors] = [0, 0];
  const isOver = () =>
    (limits.ms !== undefined && performance.now() - began >= limits.ms) ||
    (limits.requests !== undefined && sent >= limits.requests);
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let held: Buffer = Buffer.alloc(0);
      let at = 0;
      const next = () => {
        if (isOver()) {
          socket.destroy();
          resolve();
          return;
        }
        sent += 1;
        at = performance.now();
        socket.write(bytes);
      };
      socket.on('data', (piece: Buffer) => {
        held = held.length === 0 ? piece : Buffer.concat([held, piece]);
        const end = held.indexOf(headEnd);
        if (end < 0) return;
        const head = held.toString('latin1', 0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (held.length < end + 4 + length) return;
        if (!head.startsWith(`HTTP/1.1 ${limits.status ?? 200}`)) errors += 1;
        times.push(performance.now() - at);
        held = held.subarray(end + 4 + length);
        next();
      });
      socket.setTimeout(answerLimitMs, () =>
        socket.destroy(new Error(`no answer from ${url} within ${answerLimitMs} ms`)),
      );
      socket.once('close', () => (isOver() ? resolve() : reject(new Error(`${url} closed the connection`))));
      socket.once('error', reject);
      socket.once('connect', next);
    });
  await Promise.all(Array.from({ length: limits.connections }, one));
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    perSecond: times.length / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    requests: times.length,
    errors,
  };
}
