import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';

export interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

/** Mail servers of everybody else, in one: takes what is sent to any address, or refuses it. */
export class World {
  readonly arrived: Arrived[] = [];
  /** What is answered to a recipient, where it is refused. */
  readonly refuses = new Map<string, { readonly code: number; readonly text: string }>();
  readonly #server: SMTPServer;

  constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      closeTimeout: 100,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onRcptTo: ({ address }, _session, callback) => {
        const no = this.refuses.get(address);
        callback(no ? Object.assign(new Error(no.text), { responseCode: no.code }) : undefined);
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.arrived.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString(),
          });
          callback();
        });
      },
    });
    this.#server.on('error', () => undefined);
  }

  async open(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', () => resolve()));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

export interface Letter {
  readonly from: string;
  readonly to: string | readonly string[];
  readonly subject?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** As another mail server hands a mail over: `250`, or what the first refusal says. */
export async function hand(port: number, letter: Letter): Promise<string> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    name: 'sender.example',
  });
  const head = [
    ...(letter.headers ?? []),
    `From: <${letter.from || 'mailer-daemon@sender.example'}>`,
    `To: <${[letter.to].flat()[0]}>`,
    `Subject: ${letter.subject ?? 'A letter'}`,
    'Date: Mon, 16 Nov 2026 12:00:00 +0000',
    `Message-ID: <${crypto.randomUUID()}@sender.example>`,
  ];
  try {
    const { response } = await transport.sendMail({
      envelope: { from: letter.from, to: [letter.to].flat() },
      raw: `${head.join('\r\n')}\r\n\r\n${letter.body ?? 'Good day.'}\r\n`,
    });
    return response;
  } catch (error) {
    const { response, message } = error as { response?: string; message: string };
    return response ?? message;
  } finally {
    transport.close();
  }
}

/** SMTP, piece by piece as it is, each after an answer to the one before. */
export function speak(port: number, pieces: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const left = [...pieces];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (piece) => {
      text += piece.toString();
      if (!/^\d{3} .*\r\n$/m.test(piece.toString())) return;
      const next = left.shift();
      if (next === undefined) socket.end();
      else socket.write(next);
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}
