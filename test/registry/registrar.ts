import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { FarRegistry } from './far-registry.ts';

const ietf = 'urn:ietf:params:xml:ns';
const usual = [`${ietf}:secDNS-1.1`, `${ietf}:rgp-1.0`, `${ietf}:epp:fee-1.0`];

interface Said {
  readonly code: number;
  readonly xml: string;
}

/** A registrar at the far registry that writes its frames by hand and shares nothing with the library under test. */
export class Registrar {
  readonly #socket: TLSSocket;
  #got = Buffer.alloc(0);
  #wake: () => void = () => {};
  isClosed = false;
  #last = 0;
  readonly #stamp = `r${process.pid}-${performance.now()}`;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('data', (piece: Buffer) => {
      this.#got = Buffer.concat([this.#got, piece]);
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  /** Connected, with the greeting received, not logged in. */
  static async reach(registry: FarRegistry): Promise<{ registrar: Registrar; greeting: string }> {
    const socket = connect({ host: '127.0.0.1', port: registry.port, ca: registry.ca, servername: 'localhost' });
    const registrar = new Registrar(socket);
    await once(socket, 'secureConnect');
    return { registrar, greeting: (await registrar.#frame())! };
  }

  static async login(registry: FarRegistry, account: { id: string; password: string }): Promise<Registrar> {
    const { registrar } = await Registrar.reach(registry);
    const loginAnswer = await registrar.say(loginOf(account));
    if (loginAnswer?.code !== 1000) throw new Error(`login answered ${loginAnswer?.xml}`);
    return registrar;
  }

  /** The next whole frame, or undefined if the connection ended first. A partial frame is in `rest`. */
  async #frame(): Promise<string | undefined> {
    for (;;) {
      const length = this.#got.length >= 4 ? this.#got.readUInt32BE(0) : Number.POSITIVE_INFINITY;
      if (this.#got.length >= length) {
        const xml = this.#got.subarray(4, length).toString();
        this.#got = this.#got.subarray(length);
        return xml;
      }
      if (this.isClosed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  get rest(): Buffer {
    return this.#got;
  }

  /** Sends `<check>...</check>` and further elements in a command, with a generated clTRID by default. */
  async say(command: string, trid = `${this.#stamp}-${++this.#last}`): Promise<Said | undefined> {
    return this.raw(`<epp xmlns="${ietf}:epp-1.0"><command>${command}<clTRID>${trid}</clTRID></command></epp>`);
  }

  async raw(xml: string): Promise<Said | undefined> {
    const body = Buffer.from(xml);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length + 4);
    this.#socket.write(Buffer.concat([head, body]));
    const answer = await this.#frame();
    return answer === undefined ? undefined : { code: Number(/code="(\d+)"/.exec(answer)?.[1] ?? 0), xml: answer };
  }

  close(): void {
    this.#socket.destroy();
  }
}

export const loginOf = (
  { id, password }: { id: string; password: string },
  objects: readonly string[] = [`${ietf}:domain-1.0`, `${ietf}:contact-1.0`],
  extensions: readonly string[] = usual,
): string =>
  `<login><clID>${id}</clID><pw>${password}</pw><options><version>1.0</version><lang>en</lang></options><svcs>${objects
    .map((uri) => `<objURI>${uri}</objURI>`)
    .join(
      '',
    )}<svcExtension>${extensions.map((uri) => `<extURI>${uri}</extURI>`).join('')}</svcExtension></svcs></login>`;

/** `ofDomain('info', '<d:name>a.far</d:name>')` */
export const ofDomain = (verb: string, inside: string, extension = '', op = ''): string =>
  `<${verb}${op ? ` op="${op}"` : ''}><d:${verb} xmlns:d="${ietf}:domain-1.0">${inside}</d:${verb}></${verb}>${
    extension ? `<extension>${extension}</extension>` : ''
  }`;

const ofContact = (verb: string, inside: string): string =>
  `<${verb}><c:${verb} xmlns:c="${ietf}:contact-1.0">${inside}</c:${verb}></${verb}>`;

export const feeOf = (verb: string, fee: string): string =>
  `<${verb} xmlns="${ietf}:epp:fee-1.0"><currency>USD</currency><fee>${fee}</fee></${verb}>`;

export const secret = 'ab3.defgh';

export const newContact = (id: string, auth = secret): string =>
  ofContact(
    'create',
    `<c:id>${id}</c:id><c:postalInfo type="int"><c:name>Ada Holder</c:name><c:addr><c:street>1 Way</c:street><c:city>Leeds</c:city><c:pc>LS1</c:pc><c:cc>GB</c:cc></c:addr></c:postalInfo><c:voice>+44.123456</c:voice><c:email>ada@example.org</c:email><c:authInfo><c:pw>${auth}</c:pw></c:authInfo>`,
  );

export const newDomain = (
  name: string,
  contact: string,
  more: { auth?: string; extension?: string; ns?: string } = {},
): string =>
  ofDomain(
    'create',
    `<d:name>${name}</d:name><d:period unit="y">1</d:period>${more.ns ?? ''}<d:registrant>${contact}</d:registrant><d:contact type="admin">${contact}</d:contact><d:contact type="tech">${contact}</d:contact><d:authInfo><d:pw>${more.auth ?? secret}</d:pw></d:authInfo>`,
    more.extension,
  );
