import type { EppRequest } from '../model/request.ts';
import type { AnswerData } from '../model/response.ts';
import { balanceInfo } from './balance/info.ts';
import { contactCheck, domainCheck, hostCheck } from './check.ts';
import type { DataCodec, VerbCodec } from './codec.ts';
import { contactCreate } from './contact/create.ts';
import { contactInfo } from './contact/info.ts';
import { contactTransfer } from './contact/transfer.ts';
import { contactUpdate } from './contact/update.ts';
import { contactDelete, domainDelete, hostDelete } from './delete.ts';
import { domainCreate } from './domain/create.ts';
import { domainInfo } from './domain/info.ts';
import { domainRenew } from './domain/renew.ts';
import { domainTransfer } from './domain/transfer.ts';
import { domainUpdate } from './domain/update.ts';
import { hostCreate } from './host/create.ts';
import { hostInfo } from './host/info.ts';
import { hostUpdate } from './host/update.ts';
import { contactPending, domainPending, hostPending } from './pending.ts';
import { pollAck } from './poll/ack.ts';
import { lowBalance } from './poll/lowBalance.ts';
import { maintenance } from './poll/maintenance.ts';
import { pollRequest } from './poll/request.ts';
import { rgpPoll } from './poll/rgpPoll.ts';
import { login } from './session/login.ts';
import { logout } from './session/logout.ts';

type AnyVerbCodec = VerbCodec<EppRequest, AnswerData>;
type AnyDataCodec = DataCodec<AnswerData>;

// A codec only gets the request under whose key it was found, which the table's type cannot express.
const verb = <R extends EppRequest, D extends AnswerData>(codec: VerbCodec<R, D>) => codec as unknown as AnyVerbCodec;
const plain = <R extends EppRequest>(codec: VerbCodec<R>) => codec as unknown as AnyVerbCodec;
const data = <D extends AnswerData>(codec: DataCodec<D>) => codec as unknown as AnyDataCodec;

/** Every command, by `object:verb`. A new command needs a file and a line here. */
export const VERBS: Readonly<Record<string, AnyVerbCodec>> = {
  'domain:check': verb(domainCheck),
  'domain:info': verb(domainInfo),
  'domain:create': verb(domainCreate),
  'domain:renew': verb(domainRenew),
  'domain:transfer': verb(domainTransfer),
  'domain:update': plain(domainUpdate),
  'domain:delete': plain(domainDelete),
  'contact:check': verb(contactCheck),
  'contact:info': verb(contactInfo),
  'contact:create': verb(contactCreate),
  'contact:transfer': verb(contactTransfer),
  'contact:update': plain(contactUpdate),
  'contact:delete': plain(contactDelete),
  'host:check': verb(hostCheck),
  'host:info': verb(hostInfo),
  'host:create': verb(hostCreate),
  'host:update': plain(hostUpdate),
  'host:delete': plain(hostDelete),
  'balance:info': verb(balanceInfo),
  'poll:request': plain(pollRequest),
  'poll:ack': plain(pollAck),
  'session:login': plain(login),
  'session:logout': plain(logout),
};

const answerOf = (key: string): AnyDataCodec => VERBS[key]?.answer as AnyDataCodec;

/** Every kind of answer data, by `object:element`. */
export const DATA: Readonly<Record<string, AnyDataCodec>> = {
  'domain:chkData': answerOf('domain:check'),
  'domain:infData': answerOf('domain:info'),
  'domain:creData': answerOf('domain:create'),
  'domain:renData': answerOf('domain:renew'),
  'domain:trnData': answerOf('domain:transfer'),
  'domain:panData': data(domainPending),
  'contact:chkData': answerOf('contact:check'),
  'contact:infData': answerOf('contact:info'),
  'contact:creData': answerOf('contact:create'),
  'contact:trnData': answerOf('contact:transfer'),
  'contact:panData': data(contactPending),
  'host:chkData': answerOf('host:check'),
  'host:infData': answerOf('host:info'),
  'host:creData': answerOf('host:create'),
  'host:panData': data(hostPending),
  'balance:infData': answerOf('balance:info'),
  'lowBalance:pollData': data(lowBalance),
  'rgpPoll:pollData': data(rgpPoll),
  'maintenance:infData': data(maintenance),
};
