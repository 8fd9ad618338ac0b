import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../core/errors.ts';
import { WireRefusal } from './errors.ts';
import { renderError } from './render-error.ts';

interface ParserError extends Error {
  readonly code?: string;
}

/** Bytes that are no HTTP request have no route and no reply object. They get the usual error body. */
export function respondToMalformedRequest(
  error: ParserError,
  socket: Socket,
  requestId: string,
  publicUrl: string,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, body } = renderError(refusalFor(error.code), requestId, publicUrl);
  const text = JSON.stringify(body);
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
  } else {
    socket.destroy();
  }
}

function refusalFor(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new WireRefusal('request_timeout');
  if (code === 'HPE_INVALID_URL')
    return new Refusal(
      'invalid_argument',
      'The URL contains characters that must be percent-encoded as UTF-8 (ü is %C3%BC). Domain names can be sent in ASCII form (xn--...).',
    );
  if (code === 'HPE_HEADER_OVERFLOW') return new WireRefusal('headers_too_large');
  return new WireRefusal('invalid_body', 'This is not a valid HTTP request.');
}
