import {
  type Message,
  plainEdns,
  RCODE,
  type RRset,
  reply,
  rrsOf,
  signMessage,
  type TsigResult,
  writeMessage,
} from '@namehold/dns';

export type Signature = Extract<TsigResult, { state: 'valid' }> | undefined;

/** One complete response, signed if the request was. */
export function signed(message: Message, signature: Signature, nowSeconds: number): Uint8Array {
  const octets = writeMessage(message);
  if (!signature) return octets;
  return signMessage(octets, signature.key, { timeSeconds: nowSeconds, requestMac: signature.record.mac }).octets;
}

export function soaAnswer(request: Message, soa: RRset): Message {
  return withEdns(request, {
    ...reply(request, RCODE.NOERROR),
    flags: { ...reply(request, RCODE.NOERROR).flags, authoritative: true },
    answer: [...rrsOf(soa)],
  });
}

export function refusal(request: Message, rcode: number): Message {
  return withEdns(request, reply(request, rcode));
}

/** RFC 6891 6.1.1: a request with EDNS gets a response with EDNS. */
function withEdns(request: Message, answer: Message): Message {
  return request.edns ? { ...answer, edns: plainEdns() } : answer;
}
