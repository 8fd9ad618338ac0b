import { connect } from 'node:net';

const answerMs = 5_000;
const mostAnswer = 10_000;

/** Reads until the text matches or a timeout. Undefined: no connection. */
export function sendAndRead(
  host: string,
  port: number,
  request: string,
  isEnough: RegExp,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host, port, timeout: answerMs });
    const end = () => {
      socket.destroy();
      resolve(text === '' ? undefined : text);
    };
    const limit = setTimeout(end, 2 * answerMs);
    socket.on('close', () => clearTimeout(limit));
    socket.on('data', (piece) => {
      const isFirst = text === '';
      text += piece.toString('latin1');
      if (isFirst && /^220 /m.test(text)) socket.write(request);
      else if (isEnough.test(text) || text.length > mostAnswer) end();
    });
    // A mail server sends a greeting; a map server waits for a request.
    socket.on('connect', () => {
      if (!/^(EHLO|QUIT)/.test(request)) socket.write(request);
    });
    socket.on('error', end).on('timeout', end).on('end', end);
  });
}

/** Sends lines to a mail server, each after the reply to the one before. Returns the last reply, or the first negative one. */
export function sendLines(host: string, port: number, lines: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    let reply: string | undefined;
    const left = ['EHLO localhost', ...lines];
    const socket = connect({ host, port, timeout: 12 * answerMs });
    const end = () => {
      socket.destroy();
      resolve(reply);
    };
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      if (text.length > mostAnswer) return end();
      const whole = /^\d{3} .*\r\n$/m.exec(text);
      if (!whole || !text.endsWith('\r\n')) return;
      reply = whole[0].trim();
      text = '';
      const next = /^[23]/.test(reply) ? left.shift() : undefined;
      if (next !== undefined) return void socket.write(`${next}\r\n`);
      socket.end('QUIT\r\n');
      resolve(reply);
    });
    socket.on('error', end).on('timeout', end).on('close', end);
  });
}
