import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';

export interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

/** The mail servers of all other domains in one: accepts or refuses mail to any address. */
export class OtherMailServers {
  readonly arrived: Arrived[] = [];
  /** The reply to a refused recipient. */
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

export interface Message {
  readonly from: string;
  readonly to: string | readonly string[];
  readonly subject?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** Sends a message like another mail server: returns `250` or the first refusal. */
export async function sendMessage(port: number, message: Message): Promise<string> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    name: 'sender.example',
  });
  const head = [
    ...(message.headers ?? []),
    `From: <${message.from || 'mailer-daemon@sender.example'}>`,
    `To: <${[message.to].flat()[0]}>`,
    `Subject: ${message.subject ?? 'A letter'}`,
    'Date: Mon, 16 Nov 2026 12:00:00 +0000',
    `Message-ID: <${crypto.randomUUID()}@sender.example>`,
  ];
  try {
    const { response } = await transport.sendMail({
      envelope: { from: message.from, to: [message.to].flat() },
      raw: `${head.join('\r\n')}\r\n\r\n${message.body ?? 'Good day.'}\r\n`,
    });
    return response;
  } catch (error) {
    const { response, message } = error as { response?: string; message: string };
    return response ?? message;
  } finally {
    transport.close();
  }
}

/** SMTP line by line, each after the reply to the one before. */
export function sendSmtp(port: number, pieces: readonly string[]): Promise<string> {
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
