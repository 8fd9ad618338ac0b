import type { PollRequestRequest } from '../../model/poll.ts';
import { element } from '../../xml/tree.ts';
import type { VerbCodec } from '../codec.ts';

/** The answer data can be of any object; the response codec reads it. */
export const pollRequest: VerbCodec<PollRequestRequest> = {
  rfc: 'RFC 5730 2.9.2.3',
  writeRequest: (_request, ns) => element(ns.epp, 'poll', { op: 'req' }),
  readRequest: () => ({ object: 'poll', verb: 'request' }),
};
