import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { encodeFrame, FrameDecoder } from '../../src/index.ts';

/** A client that sends any bytes. */
export class RawClient {
  readonly socket: TLSSocket;
  readonly #decoder = new FrameDecoder();
  readonly #frames: string[] = [];
  #wake: () => void = () => {};
  closed = false;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('data', (piece: Buffer) => {
      for (const body of this.#decoder.push(piece)) this.#frames.push(body.toString());
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  static open(port: number, ca: string, more: ConnectionOptions = {}): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, ca, servername: 'registry.test', ...more });
      const client = new RawClient(socket);
      socket.once('secureConnect', () => resolve(client));
      socket.once('error', reject);
    });
  }

  send(xml: string): void {
    this.socket.write(encodeFrame(xml));
  }

  /** The next frame, or undefined after the server has closed. */
  async next(): Promise<string | undefined> {
    while (this.#frames.length === 0 && !this.closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#frames.shift();
  }

  async ask(xml: string): Promise<string | undefined> {
    this.send(xml);
    return this.next();
  }

  async code(xml: string): Promise<number | undefined> {
    const match = /<result code="(\d+)"/.exec((await this.ask(xml)) ?? '');
    return match === null ? undefined : Number(match[1]);
  }
}
