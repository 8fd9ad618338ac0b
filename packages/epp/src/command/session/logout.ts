import type { LogoutRequest } from '../../model/session.ts';
import { element } from '../../xml/tree.ts';
import type { VerbCodec } from '../codec.ts';

export const logout: VerbCodec<LogoutRequest> = {
  rfc: 'RFC 5730 2.9.1.2',
  writeRequest: (_request, ns) => element(ns.epp, 'logout'),
  readRequest: () => ({ object: 'session', verb: 'logout' }),
};
