import type { PollAckRequest } from '../../model/poll.ts';
import { neededAttribute } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import type { VerbCodec } from '../codec.ts';

export const pollAck: VerbCodec<PollAckRequest> = {
  rfc: 'RFC 5730 2.9.2.3',
  writeRequest: (request, ns) => element(ns.epp, 'poll', { op: 'ack', msgID: request.msgID }),
  readRequest: (el) => ({ object: 'poll', verb: 'ack', msgID: neededAttribute(el, 'msgID') }),
};
