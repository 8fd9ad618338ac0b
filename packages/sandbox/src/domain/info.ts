import type { AuthInfo, DomainInfData, DomainInfoRequest, ResponseSpec } from '@namehold/epp';
import { authHashOf } from '../contact/contact.sql.ts';
import { keysysInfo } from '../keysys/fields.ts';
import { authInfoMatches } from '../registry/auth-info.ts';
import { readDomainName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { findDomain } from './domain.sql.ts';
import { type DomainRecord, roidOf } from './record.ts';
import { domainInfo, infoExtensions } from './view.ts';

/** RFC 5731 3.1.2. */
export async function infoDomain(call: Call, command: DomainInfoRequest): Promise<ResponseSpec> {
  const { name } = readDomainName(call.registry.tlds, command.name);
  const domain = await findDomain(call.registry.db.as(registryTenant), name);
  // An upstream shows a domain of another account only with its auth code.
  const isHidden = call.registry.endpoint.keysys && domain?.sponsor !== call.clientId && !command.authInfo;
  if (domain === undefined || isHidden) refuse(2303, `${name} does not exist`);
  const authorised = command.authInfo !== undefined && (await knowsAuthInfo(call, domain, command.authInfo));
  // RFC 9154 4.3: the sponsor may also check whether a value is the current one.
  if (command.authInfo !== undefined && !authorised) refuse(2202, 'the authInfo does not match');
  const full = authorised || domain.sponsor === call.clientId;
  const keysys = keysysInfo(call.registry.endpoint, domain);
  return {
    results: [{ code: 1000 }],
    data: upstreamForm(call, domainInfo(domain, { hosts: command.hosts, full })),
    ext: { ...infoExtensions(domain, call.at, full), ...(full && keysys ? { keysys } : {}) },
  };
}

/** CentralNic Reseller writes nameservers in capitals. */
function upstreamForm({ registry }: Call, data: DomainInfData): DomainInfData {
  if (registry.endpoint.keysys === undefined || data.ns?.model !== 'objects') return data;
  return { ...data, ns: { ...data.ns, hosts: data.ns.hosts.map((host) => host.toUpperCase()) } };
}

/** RFC 5731 3.1.2: with a roid it is the secret of that contact of the domain; otherwise the domain's own. */
export async function knowsAuthInfo(call: Call, domain: DomainRecord, authInfo: AuthInfo): Promise<boolean> {
  if (authInfo.roid === undefined || authInfo.roid === roidOf('D', domain.id)) {
    return authInfoMatches(domain.authHash, authInfo.pw);
  }
  if (domain.registrantId === null || authInfo.roid !== roidOf('C', domain.registrantId)) return false;
  const hash = await authHashOf(call.registry.db.as(registryTenant), domain.registrantId);
  return authInfoMatches(hash, authInfo.pw);
}
