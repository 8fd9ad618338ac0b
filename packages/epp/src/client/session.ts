import type { TLSSocket } from 'node:tls';
import type { WallClock } from '../clock.ts';
import { writeCommand, writeHelloFrame } from '../command/command.ts';
import { readResponse } from '../command/response.ts';
import { readGreeting } from '../command/session/greeting.ts';
import { EppError, EppUnsentError } from '../errors.ts';
import { encodeFrame, FrameDecoder } from '../frame.ts';
import type { EppResponse } from '../model/response.ts';
import type { Greeting } from '../model/session.ts';
import type { RegistryProfile } from '../profile.ts';
import { LOGIN_STOP_CODES, SESSION_ENDING_CODES, SESSION_LIMIT_CODE } from '../results.ts';
import { loadLibxml2 } from '../xml/libxml2.ts';
import { parseXml } from '../xml/parse.ts';
import { child } from '../xml/read.ts';
import { connect } from './connect.ts';
import { loginRequest } from './login-request.ts';
import { reasonsOf } from './outcome.ts';
import type { EppClientEvent, EppCredentials, EppEndpoint } from './ports.ts';

/** The result of one exchange of frames. `unsent`: no byte was sent. `lost`: bytes were sent and no usable answer came. */
export type ExchangeResult =
  | { readonly kind: 'answered'; readonly response: EppResponse; readonly frame: string }
  | {
      readonly kind: 'lost';
      readonly why: 'timeout' | 'socket-died' | 'unreadable-answer' | 'closed-by-us';
      readonly text: string;
    }
  | { readonly kind: 'unsent'; readonly text: string };

export type SessionOptions = {
  readonly endpoint: EppEndpoint;
  readonly credentials: EppCredentials;
  readonly profile: RegistryProfile;
  readonly clock: WallClock;
  newClTRID(): string;
  onEvent(event: EppClientEvent): void;
  /** Called once, when the session can no longer be used. */
  onDead(session: EppSession, why: string): void;
};

/** A server that cannot parse our frame cannot read its clTRID either, and has executed nothing. */
const UNREAD_CODES: ReadonlySet<number> = new Set([2000, 2001, 2002, 2003, 2005, 2100, 2101, 2102, 2103, 2307]);

type Waiter = { readonly clTRID: string | undefined; settle(end: ExchangeResult): void };

/** One connection to a registry: one command in flight, answers matched by clTRID, never used again after a fault. */
export class EppSession {
  readonly greeting: Greeting;
  readonly #options: SessionOptions;
  readonly #socket: TLSSocket;
  readonly #openedAtMs: number;
  #decoder: FrameDecoder;
  #waiter: Waiter | undefined;
  #greetingWaiter: ((greeting: Greeting | undefined) => void) | undefined;
  #helloInFlight: Promise<void> | undefined;
  #stopKeepAlive: () => void = () => {};
  #commands = 0;
  #deadWhy: string | undefined;

  private constructor(options: SessionOptions, socket: TLSSocket, greeting: Greeting, decoder: FrameDecoder) {
    this.#options = options;
    this.#socket = socket;
    this.#decoder = decoder;
    this.greeting = greeting;
    this.#openedAtMs = options.clock.nowMs();
    socket.on('data', (piece: Buffer) => this.#take(piece));
    socket.on('error', (error) => this.#die(`socket error: ${error.message}`, 'socket-died'));
    socket.on('close', () => this.#die('closed by the registry', 'socket-died'));
    socket.on('end', () => this.#die('closed by the registry', 'socket-died'));
    socket.resume();
  }

  /** Connects, reads the greeting and logs in. @throws EppUnsentError */
  static async open(options: SessionOptions): Promise<EppSession> {
    const { profile, clock } = options;
    await loadLibxml2();
    const socket = await connect(options.endpoint, profile.timeouts.connectMs, clock);
    const decoder = new FrameDecoder(profile.limits.maxFrameBytes);
    const greeting = await firstGreeting(socket, decoder, profile, clock);
    const session = new EppSession(options, socket, greeting, decoder);
    await session.#login();
    options.onEvent({ type: 'session-opened', svID: greeting.svID, greeting });
    return session;
  }

  get alive(): boolean {
    return this.#deadWhy === undefined;
  }

  get busy(): boolean {
    return this.#waiter !== undefined;
  }

  /** Too old or used too often: it is closed after the current command, and another is opened. */
  get isUsedUp(): boolean {
    const { limits } = this.#options.profile;
    const ageMs = this.#options.clock.nowMs() - this.#openedAtMs;
    // One command is reserved for the logout.
    return this.#commands >= limits.maxCommandsPerSession - 1 || ageMs >= limits.maxSessionAgeMs;
  }

  /**
   * Sends one frame and waits for its answer. After a timeout the connection is destroyed, because a late answer would be taken for
   * that of the next command.
   */
  async exchange(xml: string, clTRID: string, timeoutMs: number, onSent?: () => void): Promise<ExchangeResult> {
    await this.#helloInFlight;
    if (this.#deadWhy !== undefined) return { kind: 'unsent', text: this.#deadWhy };
    if (this.#waiter !== undefined) return { kind: 'unsent', text: 'another command is in flight' };
    const bytes = encodeFrame(xml, this.#options.profile.limits.maxFrameBytes);
    this.#stopKeepAlive();
    const end = await new Promise<ExchangeResult>((resolve) => {
      const stopTimer = this.#options.clock.after(timeoutMs, () => {
        this.#die(`no answer within ${timeoutMs} ms`, 'timeout');
      });
      this.#waiter = {
        clTRID,
        settle: (result) => {
          stopTimer();
          this.#waiter = undefined;
          resolve(result);
        },
      };
      this.#commands += 1;
      this.#socket.write(bytes);
      onSent?.();
    });
    if (end.kind === 'answered') {
      const code = end.response.results[0].code;
      if (SESSION_ENDING_CODES.has(code)) this.#die(`the registry answered ${code}`, 'socket-died');
    }
    this.#scheduleKeepAlive();
    return end;
  }

  /** RFC 5730 2.9.1.2; without an answer the connection is closed after the profile's timeout. */
  async logout(): Promise<void> {
    if (this.#deadWhy !== undefined) return;
    const clTRID = this.#options.newClTRID();
    const { namespaces, timeouts } = this.#options.profile;
    const xml = writeCommand({ object: 'session', verb: 'logout' }, clTRID, namespaces);
    await this.exchange(xml, clTRID, timeouts.logoutMs);
    this.#die('logged out', 'closed-by-us');
  }

  destroy(why: string): void {
    this.#die(why, 'closed-by-us');
  }

  async #login(): Promise<void> {
    const { options, greeting } = { options: this.#options, greeting: this.greeting };
    const clTRID = options.newClTRID();
    let xml: string;
    try {
      xml = writeCommand(
        loginRequest(options.credentials, greeting, options.profile),
        clTRID,
        options.profile.namespaces,
      );
    } catch (error) {
      this.#die('the login cannot be written', 'closed-by-us');
      throw error;
    }
    const end = await this.exchange(xml, clTRID, options.profile.timeouts.loginMs);
    if (end.kind !== 'answered') {
      this.#die('login failed', 'closed-by-us');
      throw new EppUnsentError('login-failed', end.text);
    }
    const { code } = end.response.results[0];
    const events = end.response.ext.loginSec?.events ?? [];
    if (events.length > 0) options.onEvent({ type: 'login-security', events });
    if (code === 1000) return;
    const text = refusedWith(end.response, options.credentials);
    options.onEvent({ type: 'login-refused', code, text });
    this.#die(`login refused with ${code}`, 'closed-by-us');
    const why = LOGIN_STOP_CODES.has(code)
      ? 'login-refused'
      : code === SESSION_LIMIT_CODE
        ? 'session-limit'
        : 'login-failed';
    throw new EppUnsentError(why, `${code} ${text}`, code);
  }

  #take(piece: Buffer): void {
    try {
      const decoder = this.#decoder;
      for (const body of decoder.push(piece)) this.#read(body);
      decoder.check();
    } catch (error) {
      if (!(error instanceof EppError)) throw error;
      this.#die(error.message, 'unreadable-answer');
    }
  }

  #read(body: Buffer): void {
    const { namespaces } = this.#options.profile;
    const root = parseXml(body);
    if (child(root, namespaces.epp, 'greeting') !== undefined) {
      this.#greetingWaiter?.(readGreeting(root, namespaces));
      return;
    }
    const response = readResponse(root, namespaces, true);
    const waiter = this.#waiter;
    if (waiter === undefined) {
      this.#die('an answer without a command', 'unreadable-answer');
      return;
    }
    const unread = response.clTRID === undefined && UNREAD_CODES.has(response.results[0].code);
    if (response.clTRID !== waiter.clTRID && !unread) {
      this.#die('an answer with another clTRID', 'unreadable-answer');
      return;
    }
    waiter.settle({ kind: 'answered', response, frame: body.toString('utf8') });
  }

  #die(text: string, why: 'timeout' | 'socket-died' | 'unreadable-answer' | 'closed-by-us'): void {
    if (this.#deadWhy !== undefined) return;
    this.#deadWhy = text;
    this.#stopKeepAlive();
    this.#decoder = new FrameDecoder();
    this.#socket.destroy();
    this.#greetingWaiter?.(undefined);
    this.#waiter?.settle({ kind: 'lost', why, text });
    this.#options.onEvent({ type: 'session-closed', why: text });
    this.#options.onDead(this, text);
  }

  /** Sends hello at half the registry's idle limit. It does not count as a command and proves that the connection works. */
  #scheduleKeepAlive(): void {
    this.#stopKeepAlive();
    if (this.#deadWhy !== undefined) return;
    const { profile, clock } = this.#options;
    this.#stopKeepAlive = clock.after(profile.limits.idleMs / 2, () => {
      if (this.#waiter !== undefined) return;
      if (this.isUsedUp) void this.logout();
      else this.#helloInFlight = this.#hello();
    });
  }

  async #hello(): Promise<void> {
    const { profile, clock } = this.#options;
    const answer = await new Promise<Greeting | undefined>((resolve) => {
      const stopTimer = clock.after(profile.timeouts.queryMs, () => resolve(undefined));
      this.#greetingWaiter = (greeting) => {
        stopTimer();
        resolve(greeting);
      };
      this.#socket.write(encodeFrame(writeHelloFrame(profile.namespaces)));
    });
    this.#greetingWaiter = undefined;
    this.#helloInFlight = undefined;
    if (answer === undefined) this.#die('no answer to hello', 'timeout');
    else this.#scheduleKeepAlive();
  }
}

function firstGreeting(
  socket: TLSSocket,
  decoder: FrameDecoder,
  profile: RegistryProfile,
  clock: WallClock,
): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    const settle = (result: Greeting | string) => {
      stopTimer();
      socket.off('data', onData).off('error', onError).off('close', onClose);
      if (typeof result !== 'string') {
        socket.pause();
        return resolve(result);
      }
      socket.on('error', () => {});
      socket.destroy();
      reject(new EppUnsentError('greeting-failed', result));
    };
    const onData = (piece: Buffer) => {
      try {
        const [body] = decoder.push(piece);
        if (body !== undefined) settle(readGreeting(parseXml(body), profile.namespaces));
      } catch (error) {
        settle(error instanceof EppError ? error.message : 'the greeting cannot be read');
      }
    };
    const onError = (error: Error) => settle(error.message);
    const onClose = () => settle('closed before the greeting');
    const { greetingMs } = profile.timeouts;
    const stopTimer = clock.after(greetingMs, () => settle(`no greeting within ${greetingMs} ms`));
    socket.on('data', onData).on('error', onError).on('close', onClose);
  });
}

/** The registry's reasons ("password expired"), without secrets. */
function refusedWith(response: EppResponse, { pw, newPW }: EppCredentials): string {
  const reasons = [...new Set([response.results[0].msg, ...reasonsOf(response)])].join('; ').slice(0, 300);
  return [pw, newPW].reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '***') : text), reasons);
}
