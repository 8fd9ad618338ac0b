import type { ResponseSpec } from '@namehold/epp';
import { settleDue } from '../clockwork/settle.ts';
import { createDomain } from '../domain/create.ts';
import { transferDomain } from '../domain/transfer.ts';
import { accountIds } from '../identity/accounts.ts';
import { readDomainName } from '../registry/names.ts';
import { type Call, noRipples } from '../registry/registry.ts';
import { type ControlCall, ControlError } from './control.ts';
import { domainDump } from './domains.ts';

const acts = ['register', 'request', 'cancel', 'approve', 'reject'] as const;
type Act = (typeof acts)[number];

/**
 * What the rival registrar does, by its own account and by the same commands that it would send: it registers a name (`register`, with an
 * auth code), asks for one of ours (`request`, `cancel`), or answers a request for one of its own (`approve`, `reject`).
 */
export const actAsRival: ControlCall = async (control, { body }) => {
  const { registry } = control;
  const act = acts.find((each) => each === body.action);
  if (act === undefined) throw new ControlError(400, `action must be one of ${acts.join(', ')}`);
  const name = String(body.name ?? '').toLowerCase();
  const authCode = typeof body.auth_code === 'string' && body.auth_code !== '' ? body.auth_code : undefined;
  if (authCode === undefined && (act === 'register' || act === 'request'))
    throw new ControlError(400, 'auth_code is missing');
  const call: Call = {
    registry,
    clientId: accountIds[1],
    clTRID: null,
    svTRID: registry.ids.next('NH'),
    at: await settleDue(registry),
    ripples: noRipples(),
  };
  await carryOut(call, act, name, authCode);
  for (const clientId of call.ripples.mailFor) registry.mailCounts.changed(clientId);
  for (const dueAt of call.ripples.dueAt) registry.horizon.note(dueAt);
  const { sponsor, statuses, transfer } = await domainDump(control, name);
  return { name, action: act, sponsor, statuses, transfer };
};

function carryOut(call: Call, act: Act, name: string, authCode = ''): Promise<ResponseSpec> {
  if (act === 'register') return register(call, name, authCode);
  const authInfo = act === 'request' ? { authInfo: { pw: authCode } } : {};
  return transferDomain(call, { object: 'domain', verb: 'transfer', op: act, name, ...authInfo });
}

function register(call: Call, name: string, pw: string): Promise<ResponseSpec> {
  const { tld } = readDomainName(call.registry.tlds, name);
  if (tld.rules.requiredContacts.length > 0 || tld.rules.minNameServers > 0 || tld.rules.dataModel === 'maximum')
    throw new ControlError(
      400,
      `the rival registers names without contacts only, such as those of .com; .${tld.tld} wants some`,
    );
  return createDomain(call, { object: 'domain', verb: 'create', name, authInfo: { pw } });
}
