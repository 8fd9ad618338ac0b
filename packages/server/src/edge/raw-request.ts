/** A request that Node's parser refuses for bytes beyond ASCII in its target. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, as `IncomingMessage.rawHeaders` has them. */
  readonly rawHeaders: readonly string[];
}

// Control characters are refused here as Node's parser refuses them. U+00A0 is a byte of letters such as `à`, and no space.
const requestLine = /^([A-Z]{1,20}) ([^\x00-\x20\x7f]{1,8000}) HTTP\/1\.[01]$/;
const field = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * RFC 9112 3.2 allows ASCII alone, but links with letters such as `/café` reach servers as they were typed, and browsers and other
 * servers take them. Undefined: the packet is no whole request head, or it is broken in another way too.
 */
export function readRawRequest(packet: Buffer): RawRequest | undefined {
  const end = packet.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = packet.toString('latin1', 0, end).split('\r\n');
  const [, method, target] = requestLine.exec(first) ?? [];
  const fields = lines.map((line) => field.exec(line));
  if (method === undefined || target === undefined || fields.includes(null)) return undefined;
  return { method, target, rawHeaders: fields.flatMap((match) => [match![1]!, match![2]!]) };
}
