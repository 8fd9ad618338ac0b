import type { RequestProtocol } from './protocol-server.ts';

/** Attributes of a request of Postfix's policy delegation (SMTPD_POLICY_README). */
export type Attributes = ReadonlyMap<string, string>;

const endOfRequest = '\n\n';
const mostAttributes = 100;

/** `decide` returns an action of access(5). */
export function policy(decide: (attributes: Attributes) => string): RequestProtocol {
  return {
    read(received) {
      const at = received.indexOf(endOfRequest);
      return at < 0 ? undefined : { request: received.toString('utf8', 0, at), end: at + endOfRequest.length };
    },
    answer: (text) => `action=${decide(attributesOf(text))}\n\n`,
  };
}

function attributesOf(text: string): Attributes {
  const attributes = new Map<string, string>();
  for (let [begin, lines] = [0, 1]; begin <= text.length; lines++) {
    const found = text.indexOf('\n', begin);
    const end = found < 0 ? text.length : found;
    const at = text.indexOf('=', begin);
    if (at <= begin || at >= end) throw new Error('no attribute');
    if (lines > mostAttributes) throw new Error('too many attributes');
    attributes.set(text.slice(begin, at), text.slice(at + 1, end));
    begin = end + 1;
  }
  return attributes;
}
