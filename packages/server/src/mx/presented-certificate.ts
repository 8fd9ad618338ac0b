import type { X509Certificate } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

const timeoutMs = 20_000;
const leaveMs = 2_000;
const mostOctets = 10_000;

/** The certificate that a mail server presents after STARTTLS. */
export interface PresentedCertificate {
  readonly certificate: X509Certificate;
  /** Why a sender that requires a valid certificate would refuse it. Undefined: it is valid. */
  readonly doubt: string | undefined;
}

export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Fetches the certificate of a mail server by STARTTLS and validates it for `name`, with the default roots or `roots` (PEM). Returns a
 * text if it presents none.
 */
export async function presentedCertificate(
  place: SmtpAddress,
  name: string,
  roots?: readonly string[],
): Promise<PresentedCertificate | string> {
  const socket = connect(place);
  const limit = setTimeout(() => socket.destroy(new Error('does not answer in time')), timeoutMs);
  try {
    const offered = await exchange(socket, undefined, 'EHLO namehold.invalid');
    if (!/^250[ -]STARTTLS\r?$/im.test(offered)) return 'offers no TLS';
    if (!/^220 /.test(await exchange(socket, 'STARTTLS', undefined))) return 'refuses TLS';
    const tls = await shake(socket, name, roots);
    const raw = tls.getPeerX509Certificate();
    const doubt = tls.authorized ? undefined : String(tls.authorizationError ?? 'not believed');
    await takeLeave(tls);
    return raw ? { certificate: raw, doubt } : 'presents no certificate';
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

/** Sends a line, or waits for the greeting first; returns the whole reply. */
function exchange(socket: Socket, line: string | undefined, afterGreeting: string | undefined): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  let isGreeted = afterGreeting === undefined;
  const onData = (piece: Buffer) => {
    text += piece.toString('latin1');
    if (text.length > mostOctets) return reject(new Error('does not speak SMTP'));
    if (!/^\d{3} [^\n]*\n$/m.test(text) || !text.endsWith('\n')) return;
    if (isGreeted) return resolve(text);
    isGreeted = true;
    text = '';
    socket.write(`${afterGreeting}\r\n`);
  };
  const end = () => reject(new Error('hangs up'));
  socket.on('data', onData).on('error', reject).on('close', end);
  if (line !== undefined) socket.write(`${line}\r\n`);
  return promise.finally(() => socket.off('data', onData).off('error', reject).off('close', end));
}

/** QUIT, because a closed connection is logged as an error there. */
function takeLeave(tls: TLSSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const limit = setTimeout(resolve, leaveMs);
  tls.once('close', resolve).resume().write('QUIT\r\n');
  return promise.finally(() => clearTimeout(limit));
}

function shake(socket: Socket, name: string, roots: readonly string[] | undefined): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const tls = connectTls({ socket, servername: name, rejectUnauthorized: false, ...(roots ? { ca: [...roots] } : {}) });
  tls.once('secureConnect', () => resolve(tls)).on('error', reject);
  tls.once('close', () => reject(new Error('hangs up')));
  return promise;
}
