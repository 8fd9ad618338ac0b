import type { ResponseSpec } from '@namehold/epp';
import { createContact } from '../contact/create.ts';
import { createDomain } from '../domain/create.ts';
import { transferDomain } from '../domain/transfer.ts';
import { accountIds } from '../identity/accounts.ts';
import { readDomainName } from '../registry/names.ts';
import { Refusal } from '../registry/refusal.ts';
import { type Call, noEffects } from '../registry/registry.ts';
import { settleDue } from '../scheduler/settle.ts';
import { type ControlCall, ControlError } from './control.ts';
import { domainDump } from './domains.ts';

const acts = ['register', 'request', 'cancel', 'approve', 'reject'] as const;
type Act = (typeof acts)[number];

/**
 * Acts as the other registrar (account `rival`), with the commands that it would send. It registers a name (`register`, with an
 * auth code), requests one of ours (`request`, `cancel`), or answers a request for one of its own (`approve`, `reject`).
 */
export const actAsOtherRegistrar: ControlCall = async (control, { body }) => {
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
    effects: noEffects(),
  };
  await carryOut(call, act, name, authCode);
  for (const clientId of call.effects.messagesFor) registry.messageCounts.changed(clientId);
  for (const dueAt of call.effects.dueAt) registry.horizon.note(dueAt);
  const { sponsor, statuses, transfer } = await domainDump(control, name);
  return { name, action: act, sponsor, statuses, transfer };
};

function carryOut(call: Call, act: Act, name: string, authCode = ''): Promise<ResponseSpec> {
  if (act === 'register') return register(call, name, authCode);
  const authInfo = act === 'request' ? { authInfo: { pw: authCode } } : {};
  return transferDomain(call, { object: 'domain', verb: 'transfer', op: act, name, ...authInfo });
}

const otherRegistrarHandle = 'RIVALHOLDER';
const nameservers = ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'];

/** With the extensions that most TLDs require; the registry reports further ones. */
async function register(call: Call, name: string, pw: string): Promise<ResponseSpec> {
  const { rules } = readDomainName(call.registry.tlds, name).tld;
  const isThick = rules.dataModel === 'maximum' || rules.dataModel === 'per-registrar';
  if (isThick) await makeRegistrant(call);
  return createDomain(call, {
    object: 'domain',
    verb: 'create',
    name,
    authInfo: { pw },
    ...(isThick
      ? {
          registrant: otherRegistrarHandle,
          contacts: rules.requiredContacts.map((type) => ({ type, id: otherRegistrarHandle })),
        }
      : {}),
    ns:
      rules.hostModel === 'objects'
        ? { model: 'objects', hosts: nameservers }
        : { model: 'attributes', hosts: nameservers.map((host) => ({ name: host, addresses: [] })) },
  });
}

async function makeRegistrant(call: Call): Promise<void> {
  try {
    await createContact(call, {
      object: 'contact',
      verb: 'create',
      id: otherRegistrarHandle,
      postal: [
        {
          type: 'int',
          name: 'Registrant at the other registrar',
          addr: { street: ['Elsewhere 1'], city: 'Jakarta', pc: '10110', cc: 'ID' },
        },
      ],
      voice: { number: '+62.215551234' },
      email: 'registrant@other.example',
      authInfo: { pw: 'A-secret-of-no-importance' },
    });
  } catch (error) {
    // RFC 5730 3, 2302: the object exists already.
    if (!(error instanceof Refusal && error.code === 2302)) throw error;
  }
}
