import { METHODS } from 'node:http';

/** A request with non-ASCII bytes in its target, which Node's parser refuses. */
interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Alternating names and values, as in `IncomingMessage.rawHeaders`. */
  readonly rawHeaders: readonly string[];
}

// Control characters are refused, as by Node's parser. U+00A0 is not a space here, because it is a byte of letters such as `à`.
const requestLine = /^([A-Z]{1,20}) ([^\x00-\x20\x7f]{1,8000}) HTTP\/1\.[01]$/;
const methods: ReadonlySet<string> = new Set(METHODS);
const field = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * RFC 9112 3.2 allows only ASCII, but links with letters such as `/café` are sent unescaped, and other servers accept them. Undefined:
 * the packet is not a whole request head, or is invalid in another way.
 */
export function readRawRequest(packet: Buffer): RawRequest | undefined {
  const end = packet.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = packet.toString('latin1', 0, end).split('\r\n');
  const [, method, target] = requestLine.exec(first) ?? [];
  const fields = lines.map((line) => field.exec(line));
  if (method === undefined || target === undefined || fields.includes(null)) return undefined;
  // Of a request line that was split between packets, only the end may be here.
  if (!methods.has(method)) return undefined;
  return { method, target, rawHeaders: fields.flatMap((match) => [match![1]!, match![2]!]) };
}
