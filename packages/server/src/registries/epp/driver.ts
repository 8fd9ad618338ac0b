import {
  type DomainCreateRequest,
  type DomainInfoRequest,
  type DomainUpdateRequest,
  type EppPool,
  type FeeCheck,
  type KeysysFields,
  type RegistryProfile,
  rulesFor,
  type TldRules,
} from '@namehold/epp';
import type {
  Availability,
  CommandContext,
  DomainChange,
  DomainOrder,
  Registry,
  RegistryDomain,
  Reply,
} from '../../core/ports/registry.ts';
import { otherSponsorsDomain } from '../other-sponsors-domain.ts';
import { balanceCommands } from './balance.ts';
import { contactCommands } from './contacts.ts';
import { feesOf } from './fees.ts';
import { hostCommands } from './hosts.ts';
import {
  asKeysys,
  createFields,
  dateToSend,
  type Renewal,
  renewByMode,
  type Seen,
  updateFields,
  withStatedFields,
} from './keysys/commands.ts';
import { type KeysysSettings, keysysSettings, renewsByMode } from './keysys/settings.ts';
import { isRenewalOrdered } from './keysys/view.ts';
import { pollCommands } from './poll.ts';
import { claimKeys, claimsQuestion, registrationExtensions } from './registration.ts';
import { reply } from './reply.ts';
import { newSecret } from './secret.ts';
import { announcedUris, declarantOf, extensionsOf, extOf, statedElements } from './tld-fields.ts';
import { transferCommands } from './transfers.ts';
import { contactList, feeTransform, nameServers, secDnsRecords } from './translate.ts';
import { domainView } from './view.ts';

interface DriverParts {
  readonly id: string;
  readonly clientId: string;
  readonly profile: RegistryProfile & { readonly keysys?: unknown };
  readonly pool: EppPool<CommandContext>;
  /** Random text of this length. */
  readonly chance: (length: number, alphabet: string) => string;
  /** The registry assigned an id to a new contact, and its profile does not have `assignsIds`. */
  readonly onAssignedId?: (id: string) => void;
}

export interface Sender extends DriverParts {
  /** Undefined: the registry does not use the extension keysys. */
  readonly keysys: KeysysSettings | undefined;
  options(context: CommandContext | undefined): {
    context?: CommandContext;
    priority?: 'money' | 'interactive' | 'background';
  };
}

/** The registry port over EPP. */
export function eppRegistry(parts: DriverParts): Registry {
  const sender: Sender = {
    ...parts,
    keysys: keysysSettings(parts.profile),
    options: (context) => ({
      ...(context ? { context } : {}),
      ...(context?.priority ? { priority: context.priority } : {}),
    }),
  };
  return {
    id: parts.id,
    ...(sender.keysys ? { switchesAutoRenew: true, sellsPrivacy: true, takesPartiesWithTransfer: true } : {}),
    ...policy(sender),
    ...domainQueries(sender),
    ...domainTransforms(sender),
    ...transferCommands(sender),
    ...contactCommands(sender),
    ...hostCommands(sender),
    ...pollCommands(sender),
    ...balanceCommands(sender),
  };
}

function policy(s: Sender): Pick<Registry, 'capabilitiesOf' | 'newAuthCode'> {
  return {
    capabilitiesOf(name) {
      const rules = rulesFor(s.profile, name);
      return {
        hostModel: rules.hostModel,
        contactModel: rules.dataModel,
        dnssec: rules.dnssec,
        ...(rules.sentContacts ? { sentRoles: ['registrant', ...rules.sentContacts] as const } : {}),
        extensions: announcedUris(s.profile),
        supportsFees: s.profile.namespaces.fee !== undefined,
        authCode: {
          minLength: Math.max(1, rules.authInfoMinLength),
          maxLength: rules.authInfoMaxLength,
          isSecure: rules.secureAuthInfo === true,
        },
      };
    },
    newAuthCode: (name) => newSecret(rulesFor(s.profile, name), s.chance),
  };
}

function domainQueries(s: Sender): Pick<Registry, 'check' | 'claimsFor' | 'info' | 'infoWithCode'> {
  return {
    async check(names, fee) {
      const offersFee = s.profile.namespaces.fee !== undefined && fee !== undefined;
      const period = { value: fee?.years ?? 1, unit: 'y' as const };
      const feeCheck = offersFee
        ? {
            fee: {
              currency: fee.currency,
              commands: [
                { name: 'create' as const, period },
                { name: 'renew' as const, period: { value: 1, unit: 'y' as const } },
                { name: 'restore' as const },
                { name: 'transfer' as const, period: { value: 1, unit: 'y' as const } },
              ],
            },
          }
        : {};
      const found: Availability[] = [];
      // Single names: the pool combines them into as few frames as allowed and deduplicates equal ones.
      const answers = await Promise.all(
        names.map((name) =>
          reply({
            send: () => checkWithFees(s, name, feeCheck),
            read: (checked): Availability => ({
              name,
              available: checked.item.available,
              ...(checked.item.reason ? { reason: checked.item.reason } : {}),
              ...inCurrency(feesOf(checked.fee, checked.feeCurrency), fee?.currency),
            }),
          }),
        ),
      );
      for (const answer of answers) {
        if (answer.kind !== 'done') return answer;
        found.push(answer.data);
      }
      return { kind: 'done', data: found, pending: false, evidence: {} };
    },
    async info(name, context) {
      const info = await queryInfo(s, { object: 'domain', verb: 'info', name }, context);
      if (s.keysys && info.kind === 'done' && info.data === null) return freeOrElsewhere(s, name, info);
      const isHidden = info.kind === 'refused' && notSponsor.has(info.evidence.code ?? 0);
      return isHidden
        ? { kind: 'done', data: otherSponsorsDomain(name), pending: false, evidence: info.evidence }
        : info;
    },
    claimsFor: (name) =>
      reply({
        send: () => s.pool.send(claimsQuestion(name), s.options({ priority: 'interactive' })),
        read: (_data, answer) => claimKeys(answer.ext.launchCheck),
      }),
    infoWithCode: (name, authCode, context) =>
      queryInfo(s, { object: 'domain', verb: 'info', name, authInfo: { pw: authCode } }, context),
  };
}

function inCurrency(fees: ReturnType<typeof feesOf>, requested: string | undefined) {
  const reported = (fees.createFee ?? fees.renewFee ?? fees.transferFee ?? fees.restoreFee)?.currency;
  const isOther = reported !== undefined && requested !== undefined && reported !== requested;
  return { ...fees, ...(isOther ? ({ isOtherCurrency: true } as const) : {}) };
}

/** RFC 8748 3.2: a registry refuses a currency that it does not use (2004). Without one it answers in its own, which is then known. */
async function checkWithFees(s: Sender, name: string, { fee }: { readonly fee?: FeeCheck }) {
  const answer = await s.pool.checkName(name, fee ? { fee } : {});
  if (!fee || answer.kind !== 'refused' || answer.code !== outOfRange) return answer;
  const { currency: _, ...unpriced } = fee;
  return s.pool.checkName(name, { fee: unpriced });
}

const outOfRange = 2004;

/** RFC 5730 3, authorization errors: some registries show a domain only to its sponsor. This result means that it has another sponsor. */
const notSponsor: ReadonlySet<number> = new Set([2201, 2202]);

/** An upstream knows the domains of its own accounts only: another one may be free, or registered elsewhere. */
async function freeOrElsewhere(s: Sender, name: string, absent: Reply<RegistryDomain | null>) {
  const checked = await reply({ send: () => s.pool.checkName(name, {}), read: ({ item }) => item.available });
  if (checked.kind !== 'done') return checked;
  return checked.data ? absent : { ...checked, data: otherSponsorsDomain(name) };
}

function queryInfo(s: Sender, request: DomainInfoRequest, context: CommandContext | undefined) {
  return reply({
    send: () => s.pool.send(request, s.options(context)),
    absent: { value: null },
    read: (data, answer): RegistryDomain | null => (data ? domainView(s, data, answer.ext) : null),
  });
}

function domainTransforms(
  s: Sender,
): Pick<Registry, 'create' | 'renew' | 'remove' | 'restore' | 'restoreReport' | 'update'> {
  return {
    create: (order, context) =>
      reply({
        send: () => s.pool.send(createRequest(s, order), { ...s.options(context), order: order.extra }),
        read: (data) => (data ? { createdAt: data.crDate, expiresAt: data.exDate ?? null } : null),
      }),
    renew: (name, currentExpiry, years, fee, context) => renew(s, { name, currentExpiry, years, fee }, context),
    remove: (name, context) =>
      reply({
        send: () => s.pool.send({ object: 'domain', verb: 'delete', name }, s.options(context)),
        read: () => null,
      }),
    restore: (name, fee, context) =>
      reply({
        send: () =>
          s.pool.send(
            { object: 'domain', verb: 'update', name, ext: { rgp: { op: 'request' }, ...feeTransform(fee) } },
            s.options(context),
          ),
        read: () => null,
      }),
    restoreReport: (name, report, context) =>
      reply({ send: () => s.pool.send(reportRequest(name, report), s.options(context)), read: () => null }),
    update: (name, change, context) =>
      reply({ send: () => s.pool.send(updateRequest(s, name, change), s.options(context)), read: () => null }),
  };
}

async function renew(s: Sender, renewal: Renewal, context: CommandContext): ReturnType<Registry['renew']> {
  const { name, currentExpiry, years, fee } = renewal;
  const { keysys } = s;
  if (keysys && renewsByMode(keysys, name)) return renewByMode({ ...s, keysys }, renewal, look(s, keysys), context);
  const curExpDate = keysys ? await dateToSend({ ...s, keysys }, renewal, look(s, keysys)) : currentExpiry;
  if (typeof curExpDate !== 'string') return curExpDate;
  const period = { value: years, unit: 'y' } as const;
  return reply({
    send: () =>
      s.pool.send(
        { object: 'domain', verb: 'renew', name, curExpDate, period, ...(fee ? { ext: feeTransform(fee)! } : {}) },
        s.options(context),
      ),
    read: (data) => ({ expiresAt: data?.exDate ?? null }),
  });
}

const look =
  (s: Sender, keysys: KeysysSettings) =>
  (name: string): Promise<Reply<Seen | null>> =>
    reply({
      send: () => s.pool.send({ object: 'domain', verb: 'info', name }, s.options({ priority: 'money' })),
      absent: { value: null },
      read: (data, { ext }): Seen | null => {
        if (!data) return null;
        const mode = ext.keysys?.type === 'infData' ? ext.keysys.fields.renewalmode : undefined;
        const isOrdered = isRenewalOrdered(keysys, name, mode);
        return { view: domainView(s, data, ext), exDate: data.exDate ?? null, isRenewalOrdered: isOrdered };
      },
    });

function createRequest(s: Sender, order: Parameters<Registry['create']>[0]): DomainCreateRequest {
  const rules = rulesFor(s.profile, order.name);
  const wantsContacts = rules.dataModel === 'maximum' || rules.dataModel === 'per-registrar';
  return {
    object: 'domain',
    verb: 'create',
    name: order.name,
    period: { value: order.years, unit: 'y' },
    ...(order.nameservers.length > 0 ? { ns: nameServers(rules.hostModel, order.nameservers) } : {}),
    ...(wantsContacts && order.registrant ? { registrant: order.registrant } : {}),
    ...(wantsContacts ? { contacts: contactList(order.contacts) } : {}),
    // No transfer is wanted yet. RFC 9154 4.1: no auth code then; elsewhere a random one that is not stored.
    authInfo: { pw: rules.secureAuthInfo ? '' : newSecret(rules, s.chance) },
    ext: {
      ...fieldsOfOrder(s, order, 'create', s.keysys ? createFields(order) : {}),
      ...registrationExtensions(s, order),
      ...feeTransform(order.fee),
    },
  };
}

function fieldsOfOrder(
  { profile }: Sender,
  { name, declarant, extra, statedFields }: DomainOrder,
  verb: 'create',
  ours: KeysysFields,
) {
  const own = { ...extensionsOf(profile, 'domain', extra), ...declarantOf(profile, name, declarant) };
  const stated = statedElements(profile, statedFields ? [statedFields] : [], 'domain', verb, extra);
  const { fields, other } = withStatedFields(profile.namespaces.keysys, stated);
  return { ...extOf(own, other), ...asKeysys({ ...fields, ...ours }) };
}

function reportRequest(name: string, report: Parameters<Registry['restoreReport']>[1]): DomainUpdateRequest {
  return {
    object: 'domain',
    verb: 'update',
    name,
    ext: {
      rgp: {
        op: 'report',
        report: {
          preData: report.dataBefore,
          postData: report.dataAfter,
          deletedAt: report.deletedAt,
          restoredAt: report.restoredAt,
          reason: report.reason,
          statements: [
            'This registrar has not restored the name in order to assume the rights to use or sell it for itself or for any third party.',
            'The information in this report is true to the best of our knowledge, and we acknowledge that intentionally supplying false information is an incurable breach.',
          ],
        },
      },
    },
  };
}

/** An expired auth code is unset. If every domain must have one (RFC 5731 3.2.1), it is replaced by a random one that is not stored. */
function authInfoOf(s: Sender, rules: TldRules, code: string | null) {
  if (code !== null) return { pw: code };
  return rules.secureAuthInfo ? ({ unset: true } as const) : { pw: newSecret(rules, s.chance) };
}

function updateRequest(s: Sender, name: string, whole: DomainChange) {
  const [change, keysys] = s.keysys ? updateFields(s.keysys, whole) : [whole, {}];
  const rules = rulesFor(s.profile, name);
  const { hostModel } = rules;
  const removed = (change.removeNameservers ?? []).map((hostname) => ({ hostname, addresses: [] }));
  const side = (
    hosts: readonly { hostname: string; addresses: readonly string[] }[] | undefined,
    statuses: readonly string[] | undefined,
    contacts: DomainChange['addContacts'],
  ) => ({
    ...(hosts && hosts.length > 0 ? { ns: nameServers(hostModel, hosts) } : {}),
    ...(contacts ? { contacts: contactList(contacts) } : {}),
    ...(statuses && statuses.length > 0 ? { statuses: statuses.map((value) => ({ value })) } : {}),
  });
  const add = side(change.addNameservers, change.addStatuses, change.addContacts);
  const rem = side(removed, change.removeStatuses, change.removeContacts);
  const chg = {
    ...(change.registrant === undefined ? {} : { registrant: change.registrant }),
    ...(change.authCode === undefined ? {} : { authInfo: authInfoOf(s, rules, change.authCode) }),
  };
  const secDNS = {
    ...(change.removeDs && change.removeDs.length > 0 ? { rem: secDnsRecords(rules.dnssec, change.removeDs) } : {}),
    ...(change.addDs && change.addDs.length > 0 ? { add: secDnsRecords(rules.dnssec, change.addDs) } : {}),
  };
  const ext = {
    ...extOf(declarantOf(s.profile, name, change.declarant)),
    ...(Object.keys(secDNS).length > 0 ? { secDNS } : {}),
    ...asKeysys(keysys),
  };
  return {
    object: 'domain' as const,
    verb: 'update' as const,
    name,
    ...(Object.keys(add).length > 0 ? { add } : {}),
    ...(Object.keys(rem).length > 0 ? { rem } : {}),
    ...(Object.keys(chg).length > 0 ? { chg } : {}),
    ...(Object.keys(ext).length > 0 ? { ext } : {}),
  };
}
