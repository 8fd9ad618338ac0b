import type { TLSSocket } from 'node:tls';
import type { WallClock } from '../clock.ts';
import { type AnnouncedServices, writeResponse } from '../command/response.ts';
import { writeGreetingFrame } from '../command/session/greeting.ts';
import { EppReadError } from '../errors.ts';
import { encodeFrame, FrameDecoder } from '../frame.ts';
import type { ResponseSpec } from '../model/response.ts';
import type { LoginRequest } from '../model/session.ts';
import { CLOSING_CODES } from '../results.ts';
import { loadLibxml2 } from '../xml/libxml2.ts';
import { refuseServices, resolveLoginSec } from './login.ts';
import { refusal } from './refusal.ts';
import { type Screened, screenFrame } from './screen.ts';
import { greetingNow } from './services.ts';
import type { DispatchedCommand, EppServerOptions, ParsedCommand, Peer, ServerSession, WireFault } from './types.ts';
import { pause, writeFrame } from './wire.ts';

/** The parts of the server that a connection needs. */
export type ConnectionContext = {
  readonly options: EppServerOptions;
  readonly clock: WallClock;
  readonly maxFrameBytes: number;
  newSvTRID(): string;
  sessionsOf(clID: string): number;
  closed(connection: Connection, why: string): void;
};

const MAX_QUEUED_FRAMES = 8;
const CLOSE_LINGER_MS = 5_000;
const DEFAULT_MAX_FAILED_LOGINS = 3;

/** One client: frames in, one command at a time in the order sent (RFC 5734 section 3), answers out. */
export class Connection implements ServerSession {
  readonly id: string;
  readonly peer: Peer;
  readonly attributes = new Map<string, unknown>();
  clID: string | undefined;
  objURIs: readonly string[] = [];
  extURIs: readonly string[] = [];
  commandCount = 0;
  readonly #socket: TLSSocket;
  readonly #around: ConnectionContext;
  readonly #decoder: FrameDecoder;
  readonly #queue: Buffer[] = [];
  #working = false;
  #isSilent = false;
  #brokenBy: string | undefined;
  #failedLogins = 0;
  #stopIdleTimer: () => void = () => {};
  #closeWhy: string | undefined;

  constructor(id: string, socket: TLSSocket, peer: Peer, around: ConnectionContext) {
    this.id = id;
    this.peer = peer;
    this.#socket = socket;
    this.#around = around;
    this.#decoder = new FrameDecoder(around.maxFrameBytes);
    socket.on('data', (piece: Buffer) => this.#take(piece));
    socket.on('error', (error) => this.#note(error.message));
    socket.on('end', () => {
      this.#note('closed by client');
      if (!this.#working) socket.end();
    });
    socket.on('close', () => {
      this.#stopIdleTimer();
      around.closed(this, this.#closeWhy ?? 'closed');
    });
  }

  async greet(): Promise<void> {
    const { options, clock, maxFrameBytes } = this.#around;
    const greeting = writeGreetingFrame(greetingNow(options, clock.nowMs()), options.namespaces);
    const frame = encodeFrame(greeting, maxFrameBytes);
    await writeFrame(this.#socket, frame, undefined, clock);
    this.#restartIdleTimer();
  }

  destroy(why: string): void {
    this.#note(why);
    this.#socket.destroy();
  }

  /** Closes after written bytes were sent. */
  end(why: string): void {
    this.#note(why);
    this.#isSilent = true;
    this.#socket.end();
    // A client that never closes its half would keep the socket open for ever.
    this.#stopIdleTimer();
    this.#stopIdleTimer = this.#around.clock.after(CLOSE_LINGER_MS, () => this.#socket.destroy());
  }

  #note(why: string): void {
    this.#closeWhy ??= why;
  }

  #restartIdleTimer(): void {
    this.#stopIdleTimer();
    const idleMs = this.#around.options.idleMs;
    if (idleMs === undefined || this.#socket.destroyed) return;
    this.#stopIdleTimer = this.#around.clock.after(idleMs, () => {
      if (!this.#working) this.end('idle too long');
    });
  }

  #take(piece: Buffer): void {
    if (this.#isSilent || this.#brokenBy !== undefined) return;
    try {
      this.#queue.push(...this.#decoder.push(piece));
      this.#decoder.check();
    } catch (error) {
      this.#brokenBy = error instanceof EppReadError ? error.message : 'broken frame';
    }
    if (this.#queue.length >= MAX_QUEUED_FRAMES) this.#socket.pause();
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    try {
      for (let frame = this.#queue.shift(); frame !== undefined; frame = this.#queue.shift()) {
        this.#stopIdleTimer();
        await this.#serve(frame);
        if (this.#isSilent || this.#socket.destroyed || this.#socket.writableEnded) return;
        if (this.#queue.length < MAX_QUEUED_FRAMES) this.#socket.resume();
      }
      if (this.#brokenBy !== undefined) {
        this.#emitBroken(this.#brokenBy);
        this.end('broken frame');
      } else if (this.#socket.readableEnded) this.end('closed by client');
      else this.#restartIdleTimer();
    } catch (error) {
      this.#around.options.onEvent?.({ type: 'dispatch-failed', session: this.id, command: 'unknown', error });
      this.destroy('server fault');
    } finally {
      this.#working = false;
    }
  }

  #emitBroken(text: string): void {
    this.#around.options.onEvent?.({ type: 'broken-frame', session: this.id, text });
  }

  async #serve(frame: Buffer): Promise<void> {
    const { options, clock } = this.#around;
    const offered = greetingNow(options, clock.nowMs());
    await loadLibxml2();
    const screened = screenFrame(frame, options.namespaces, offered, await options.loadValidator?.());
    if (screened.kind === 'hello') {
      options.onEvent?.({ type: 'hello', session: this.id });
      return this.greet();
    }
    this.commandCount += 1;
    if (screened.kind === 'refused') {
      const reason = screened.response.results[0].extValues?.[0]?.reason;
      if (screened.response.results[0].code === 2001) this.#emitBroken(reason ?? 'syntax error');
      return this.#reply(screened.response, screened.clTRID, undefined, undefined);
    }
    const command = toParsed(screened, frame);
    const before = await options.hooks?.beforeCommand?.(command, this);
    if (before?.do === 'delay') await pause(clock, before.ms);
    else if (before !== undefined && before.do !== 'pieces') return this.#replyInstead(before, command);
    const response = await this.#carryOut(command, screened.extensionUris);
    const shaped = (await options.hooks?.shapeAnswer?.(command, this, response)) ?? { response };
    const after = await options.hooks?.beforeAnswer?.(command, this, shaped.response);
    const fault = after ?? (before?.do === 'pieces' ? before : undefined);
    const spec = fault?.do === 'answer' ? fault.response : shaped.response;
    return this.#reply(spec, shaped.clTRID ?? command.clTRID, command, fault, shaped.rewrite);
  }

  /** The command is not executed. Fault injection that needs an answer gets a 2400. */
  async #replyInstead(fault: WireFault, command: ParsedCommand): Promise<void> {
    const spec = fault.do === 'answer' ? fault.response : refusal(2400);
    return this.#reply(spec, command.clTRID, command, fault);
  }

  async #carryOut(command: ParsedCommand, extensionUris: readonly string[]): Promise<ResponseSpec> {
    const { options } = this.#around;
    try {
      if (command.object === 'session') {
        if (command.verb === 'login') return await this.#login(command);
        return this.clID === undefined ? refusal(2002, 'not logged in') : { results: [{ code: 1500 }] };
      }
      if (this.clID === undefined) return refusal(2002, 'not logged in');
      const notAnnounced = this.#refuseUnannounced(command, extensionUris);
      if (notAnnounced !== undefined) return notAnnounced;
      return await options.dispatch(command as DispatchedCommand, this);
    } catch (error) {
      options.onEvent?.({ type: 'dispatch-failed', session: this.id, command: nameOf(command), error });
      return refusal(2400);
    }
  }

  /** RFC 5730 2.9.1.1: a session may use only what its login announced. */
  #refuseUnannounced(command: ParsedCommand, extensionUris: readonly string[]): ResponseSpec | undefined {
    const ns = this.#around.options.namespaces;
    const { object } = command;
    if (object !== 'session' && object !== 'poll') {
      const own = ns[object];
      if (own === undefined || !this.objURIs.includes(own))
        return refusal(2307, `${object} was not announced at login`);
    }
    const missing = extensionUris.filter((uri) => !this.extURIs.includes(uri));
    if (missing.length > 0) return refusal(2103, ...missing.map((uri) => `${uri} was not announced at login`));
    return undefined;
  }

  async #login(raw: LoginRequest): Promise<ResponseSpec> {
    const { options, clock } = this.#around;
    if (this.clID !== undefined) return refusal(2002, 'already logged in');
    const refused = refuseServices(raw, greetingNow(options, clock.nowMs()));
    if (refused !== undefined) return refused;
    const login = resolveLoginSec(raw, options.namespaces);
    if ('results' in login) return login;
    const result = await options.authenticate(login, this);
    if (result.kind === 'refused') {
      this.#failedLogins += 1;
      const last = this.#failedLogins >= (options.maxFailedLogins ?? DEFAULT_MAX_FAILED_LOGINS);
      return last && result.response.results[0].code === 2200 ? refusal(2501) : result.response;
    }
    if (result.maxSessions !== undefined && this.#around.sessionsOf(login.clID) >= result.maxSessions) {
      return refusal(2502);
    }
    this.clID = login.clID;
    this.objURIs = login.objURIs;
    this.extURIs = login.extURIs;
    options.onEvent?.({ type: 'logged-in', session: this.id, clID: login.clID });
    return { results: [{ code: 1000 }], ...(result.ext === undefined ? {} : { ext: result.ext }) };
  }

  async #reply(
    spec: ResponseSpec,
    clTRID: string | undefined,
    command: ParsedCommand | undefined,
    fault: WireFault | undefined,
    rewrite?: (xml: string) => string,
  ): Promise<void> {
    const { options, clock } = this.#around;
    const frame = this.#encode(spec, clTRID, command, rewrite);
    const code = spec.results[0].code;
    options.onEvent?.({
      type: 'answered',
      session: this.id,
      ...(this.clID === undefined ? {} : { clID: this.clID }),
      command: command === undefined ? 'unreadable' : nameOf(command),
      code,
    });
    const end = await writeFrame(this.#socket, frame, fault, clock);
    if (end === 'silent') this.#isSilent = true;
    else if (spec.close === true || CLOSING_CODES.has(code)) this.end(`answered ${code}`);
  }

  #encode(
    spec: ResponseSpec,
    clTRID: string | undefined,
    command: ParsedCommand | undefined,
    rewrite: (xml: string) => string = (xml) => xml,
  ): Buffer {
    const { options, maxFrameBytes } = this.#around;
    const ids = { svTRID: spec.svTRID ?? this.#around.newSvTRID(), ...(clTRID === undefined ? {} : { clTRID }) };
    const write = (response: ResponseSpec) =>
      writeResponse(response, ids, options.namespaces, command?.verb, this.#announced());
    try {
      const xml = write(spec);
      const reasons = options.validateAnswers?.(Buffer.from(xml)) ?? [];
      if (reasons.length > 0) throw new EppReadError('schema', reasons.join('; '));
      return encodeFrame(rewrite(xml), maxFrameBytes);
    } catch (error) {
      const name = command === undefined ? 'unreadable' : nameOf(command);
      options.onEvent?.({ type: 'dispatch-failed', session: this.id, command: name, error });
      return encodeFrame(write(refusal(2400)), maxFrameBytes);
    }
  }

  #announced(): AnnouncedServices | undefined {
    if (this.clID === undefined) return undefined;
    const unhandled = this.#around.options.namespaces.unhandledNamespaces;
    const unhandledNamespaces = unhandled !== undefined && this.extURIs.includes(unhandled);
    return { objURIs: this.objURIs, extURIs: this.extURIs, unhandledNamespaces };
  }
}

function nameOf(command: ParsedCommand): string {
  return `${command.object}:${command.verb}`;
}

function toParsed(screened: Extract<Screened, { kind: 'command' }>, frame: Buffer): ParsedCommand {
  const id = screened.clTRID === undefined ? {} : { clTRID: screened.clTRID };
  return { ...screened.request, ...id, frame: frame.toString('utf8') };
}
