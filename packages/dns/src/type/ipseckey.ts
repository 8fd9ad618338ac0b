import { ipv4Text, ipv6Text, parseIpv4, parseIpv6 } from '../address.ts';
import { NameError, RecordError, WireError } from '../error.ts';
import { type NameContext, parseName, ROOT } from '../name.ts';
import { base64Text, parseBase64 } from '../text.ts';
import { TokenCursor } from '../token.ts';
import type { Reader } from '../wire.ts';
import { inField, parseWhole } from './field.ts';
import { joinRest } from './octets-field.ts';
import type { RecordType } from './record-type.ts';

interface IpsecKeyRdata {
  readonly precedence: number;
  readonly gatewayType: number;
  readonly algorithm: number;
  /** As text: "." for none, an address, or a name. */
  readonly gateway: string;
  readonly key: Uint8Array;
}

// RFC 4025 2.3
const [NO_GATEWAY, IPV4_GATEWAY, IPV6_GATEWAY, NAMED_GATEWAY] = [0, 1, 2, 3];

function gatewayOf(type: number, text: string, context: NameContext): string {
  if (type === NO_GATEWAY) {
    if (text !== '.') throw new NameError('gateway type 0 takes "."');
    return ROOT;
  }
  if (type === IPV4_GATEWAY) return ipv4Text(parseIpv4(text));
  if (type === IPV6_GATEWAY) return ipv6Text(parseIpv6(text));
  return parseName(text, context);
}

function readGateway(type: number, reader: Reader): string {
  if (type === NO_GATEWAY) return ROOT;
  if (type === IPV4_GATEWAY) return ipv4Text(reader.bytes(4));
  if (type === IPV6_GATEWAY) return ipv6Text(reader.bytes(16));
  if (type === NAMED_GATEWAY) return reader.name();
  throw new WireError(`gateway type ${type} is unknown`, reader.offset);
}

/** RFC 4025 2 */
export const IPSECKEY: RecordType<IpsecKeyRdata> = {
  type: 'IPSECKEY',
  code: 45,
  check: (rdata) => {
    if (rdata.algorithm === 0 || rdata.key.length === 0) throw new RecordError('key', 'is missing');
  },
  warn: () => [],
  parseText: (tokens, context) => {
    const words = new TokenCursor(tokens);
    const precedence = parseWhole('precedence', words.word('precedence'), 0xff);
    const gatewayType = parseWhole('gatewayType', words.word('gatewayType'), NAMED_GATEWAY);
    const algorithm = parseWhole('algorithm', words.word('algorithm'), 0xff);
    const gateway = inField('gateway', () => gatewayOf(gatewayType, words.word('gateway'), context));
    // RFC 4025 2.4 allows algorithm 0 without a key; BIND does not load such a zone.
    if (algorithm === 0) throw new RecordError('algorithm', '0 says that there is no key');
    const key = inField('key', () => parseBase64(joinRest(words, 'key')));
    if (key.length === 0) throw new RecordError('key', 'is empty');
    return { precedence, gatewayType, algorithm, gateway, key };
  },
  toText: (rdata) => {
    const head = `${rdata.precedence} ${rdata.gatewayType} ${rdata.algorithm} ${rdata.gateway}`;
    return rdata.key.length === 0 ? head : `${head} ${base64Text(rdata.key)}`;
  },
  toWire: (rdata, writer) => {
    writer.u8(rdata.precedence);
    writer.u8(rdata.gatewayType);
    writer.u8(rdata.algorithm);
    if (rdata.gatewayType === IPV4_GATEWAY) writer.bytes(parseIpv4(rdata.gateway));
    else if (rdata.gatewayType === IPV6_GATEWAY) writer.bytes(parseIpv6(rdata.gateway));
    else if (rdata.gatewayType === NAMED_GATEWAY) writer.name(rdata.gateway);
    writer.bytes(rdata.key);
  },
  fromWire: (reader) => {
    const [precedence, gatewayType, algorithm] = [reader.u8(), reader.u8(), reader.u8()];
    return { precedence, gatewayType, algorithm, gateway: readGateway(gatewayType, reader), key: reader.rest() };
  },
};
