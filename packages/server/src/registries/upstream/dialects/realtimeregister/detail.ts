import type { DsRecord, Reply } from '../../../../core/ports/registry.ts';
import type { RemoteStatus, RemoteTransfer, Role, UpstreamClient } from '../../dialect.ts';
import { type Fields, flagOf, listOf, objectOf, objectsOf, textOf, timeOf } from '../../fields.ts';
import type { UpstreamProfile } from '../../profile.ts';
import { refusalReason } from '../../refusal-reason.ts';
import { evidenceOf } from '../../refusals.ts';
import { objectNotFound } from '../../upstream.ts';
import { pathOf, question } from './message.ts';
import { isTransferAway, type Process, pageOf, processesOf } from './processes.ts';
import { flagsOf, type OwnDetail, registryStatusesOf, rgpStatusesOf } from './statuses.ts';
import type { TldFacts } from './tlds.ts';

/** What the queries about one domain returned. */
interface Parts {
  readonly name: string;
  readonly domain?: Fields;
  readonly hosts?: readonly Fields[];
  /** Its latest order or transfer, if the domain itself does not show enough. */
  readonly process?: Process | undefined;
  readonly transfer?: Fields | undefined;
  readonly renewBySeconds?: number | undefined;
}

const absent = { kind: 'refused', evidence: evidenceOf('missing') } as const;

const done = (data: Parts) => ({ kind: 'done', data, pending: false, evidence: {} }) as const;

const statusesOf = (domain: Fields): string[] =>
  listOf(domain.status).flatMap((each) => textOf(each)?.toUpperCase() ?? []);

/** Several queries, because a domain that is ordered or has left is shown by its processes only. */
export async function fetchParts(
  send: UpstreamClient,
  name: string,
  profile: UpstreamProfile,
  tlds: TldFacts,
): Promise<Reply<Parts>> {
  const found = await domainOf(send, name);
  if (found.kind !== 'done') return found;
  if (!found.data) return fetchAbsent(send, name, profile);
  const domain = found.data;
  const hosts = await hostsOf(send, name, domain);
  if (hosts.kind !== 'done') return hosts;
  const isAmbiguous = statusesOf(domain).some((each) => /^(PENDING_TRANSFER|REDEMPTION_PERIOD)$/.test(each));
  const processes = isAmbiguous ? await processesOf(send, name, profile) : undefined;
  if (processes && processes.kind !== 'done') return processes;
  const process = processes?.data.findLast(({ state }) => state === 'open');
  const renewBySeconds = await tlds.renewBySeconds(send, name);
  return done({ name, domain, hosts: hosts.data, process, renewBySeconds, ...(await transferOf(send, name, process)) });
}

/**
 * `null`: not in our account. An answer without a reason does not show that, so the list is queried then. It can be read with the same
 * permission.
 */
async function domainOf(send: UpstreamClient, name: string): Promise<Reply<Fields | null>> {
  const { reply } = await send(question(pathOf(name)));
  if (reply.kind === 'done') return { ...reply, data: objectOf(reply.data) ?? {} };
  if (reply.kind !== 'refused') return reply;
  if (reply.evidence.code === objectNotFound) return { kind: 'done', data: null, pending: false, evidence: {} };
  const listed = await pageOf(send, '/domains', { domainName: name });
  if (listed.kind !== 'done') return { kind: 'unsent', why: refusalReason(listed) };
  const row = listed.data.rows.find(({ domainName }) => textOf(domainName)?.toLowerCase() === name);
  return { ...listed, data: row ?? null };
}

/** The latest process shows whether it is ordered, or was transferred away. */
async function fetchAbsent(send: UpstreamClient, name: string, profile: UpstreamProfile): Promise<Reply<Parts>> {
  const processes = await processesOf(send, name, profile);
  if (processes.kind !== 'done') return { kind: 'unsent', why: refusalReason(processes) };
  const process = processes.data.findLast(
    (each) => each.verb === 'register' || each.verb === 'transfer' || isTransferAway(each),
  );
  if (!process || !absentStatusOf(process)) return absent;
  return done({ name, process, ...(await transferOf(send, name, process)) });
}

/** A transfer that ended without the domain counts as refused. */
function absentStatusOf({ verb, state, ...process }: Process): RemoteStatus | undefined {
  if (verb === 'register') return state === 'open' ? 'pending' : undefined;
  if (verb === 'transfer') return state === 'open' ? 'pending_transfer_in' : state === 'failed' ? 'absent' : undefined;
  return isTransferAway({ ...process, verb, state }) && state === 'done' ? 'transferred_out' : undefined;
}

/** Additional information about a transfer; the process alone is enough. */
async function transferOf(
  send: UpstreamClient,
  name: string,
  process: Process | undefined,
): Promise<{ readonly transfer?: Fields | undefined }> {
  if (!process || (process.verb !== 'transfer' && !isTransferAway(process))) return {};
  const { reply } = await send(question(`${pathOf(name)}/transfer/${encodeURIComponent(process.id)}`));
  return reply.kind === 'done' ? { transfer: objectOf(reply.data) } : {};
}

/** A domain shows the names of its hosts, and the list has their addresses. */
async function hostsOf(send: UpstreamClient, name: string, domain: Fields): Promise<Reply<readonly Fields[]>> {
  if (listOf(domain.childHosts).length === 0) return { kind: 'done', data: [], pending: false, evidence: {} };
  const read = await pageOf(send, '/hosts', { domain: name });
  if (read.kind !== 'done') return read;
  const isBelow = ({ hostName }: Fields) => textOf(hostName)?.toLowerCase().endsWith(`.${name}`) ?? false;
  return { ...read, data: read.data.rows.filter(isBelow) };
}

const noContacts: Readonly<Record<Role, undefined>> = {
  registrant: undefined,
  admin: undefined,
  tech: undefined,
  billing: undefined,
};

/** Undefined: not readable, for example because a registered domain has no end. */
export function readDetail(body: unknown, profile: UpstreamProfile): OwnDetail | undefined {
  const parts = body as Parts;
  return parts.domain ? readDomain(parts, parts.domain, profile) : readAbsent(parts, profile);
}

function readDomain(parts: Parts, domain: Fields, { utcOffset }: UpstreamProfile): OwnDetail | undefined {
  const { process, hosts = [], renewBySeconds } = parts;
  const name = textOf(domain.domainName)?.toLowerCase();
  const expiresAt = timeOf(domain.expiryDate, utcOffset);
  const statuses = statusesOf(domain);
  const status = statusOf(statuses, process);
  if (name === undefined || (status === 'live' && !expiresAt) || !Array.isArray(domain.status)) return undefined;
  const isAway = status === 'pending_transfer';
  const renewBy =
    renewBySeconds && expiresAt ? { renewBy: new Date(expiresAt.getTime() - renewBySeconds * 1_000) } : {};
  return {
    id: name,
    name,
    status,
    createdAt: timeOf(domain.createdDate, utcOffset),
    updatedAt: timeOf(domain.updatedDate, utcOffset),
    expiresAt,
    expiryText: textOf(domain.expiryDate),
    ...renewBy,
    ...(domain.autoRenew === undefined ? {} : { autoRenew: flagOf(domain.autoRenew) }),
    ...(domain.privacyProtect === undefined ? {} : { isPrivate: flagOf(domain.privacyProtect) }),
    ...flagsOf(statuses),
    contacts: contactsOf(domain),
    nameservers: listOf(domain.ns).flatMap((each) => textOf(each)?.toLowerCase() ?? []),
    hosts: hosts.flatMap(addressesOf),
    ds: objectsOf(domain.dsData).flatMap(dsOf),
    registryStatuses: registryStatusesOf(statuses),
    rgpStatuses: rgpStatusesOf(statuses),
    confirmation: confirmationOf(statuses),
    underway: underwayOf(statuses, process),
    transfer: status === 'pending_transfer_in' ? remoteTransfer(parts, utcOffset) : undefined,
    transferAway: isAway ? remoteTransfer(parts, utcOffset) : undefined,
    statuses,
    processId: process?.id,
  };
}

function readAbsent({ name, process, transfer }: Parts, { utcOffset }: UpstreamProfile): OwnDetail | undefined {
  const status = process && absentStatusOf(process);
  if (!status) return undefined;
  const moved = remoteTransfer({ name, process, transfer }, utcOffset);
  return {
    id: name,
    name,
    status,
    createdAt: null,
    updatedAt: null,
    expiresAt: null,
    expiryText: undefined,
    isLocked: false,
    isSuspended: false,
    isProtected: false,
    contacts: noContacts,
    nameservers: [],
    hosts: [],
    ds: [],
    registryStatuses: [],
    rgpStatuses: [],
    confirmation: undefined,
    underway: undefined,
    transfer: status === 'pending_transfer_in' || status === 'absent' ? moved : undefined,
    transferAway: status === 'transferred_out' ? moved : undefined,
    statuses: [],
    processId: process.id,
  };
}

/** A pending transfer can be to us or away from us, which only its process shows. */
function statusOf(statuses: readonly string[], process: Process | undefined): RemoteStatus {
  const has = (status: string) => statuses.includes(status);
  if (has('PENDING_TRANSFER')) return process?.verb === 'transfer' ? 'pending_transfer_in' : 'pending_transfer';
  if (has('PENDING_RESTORE')) return 'pending_restore';
  if (has('REDEMPTION_PERIOD')) return 'redemption';
  return has('PENDING_DELETE') ? 'pending_delete' : 'live';
}

function underwayOf(statuses: readonly string[], process: Process | undefined): string | undefined {
  if (process?.verb === 'restore') return 'restore';
  if (statuses.includes('PENDING_UPDATE')) return 'update';
  if (statuses.includes('PENDING_RENEW')) return 'renew';
  return statuses.includes('DELETE_REQUESTED') ? 'delete' : undefined;
}

/** The registrant must be validated. Until then the domain may be inactive. */
function confirmationOf(statuses: readonly string[]): OwnDetail['confirmation'] {
  if (!statuses.includes('PENDING_VALIDATION')) return undefined;
  return statuses.some((each) => each === 'INACTIVE' || each === 'REGISTRAR_HOLD') ? 'held' : 'awaited';
}

/** The words of a transfer, as EPP has them. */
const transferStatuses: Readonly<Record<string, string>> = {
  cancelled: 'clientCancelled',
  rejected: 'clientRejected',
  failed: 'clientRejected',
  completed: 'serverApproved',
};

function remoteTransfer({ process, transfer }: Parts, utcOffset: string): RemoteTransfer {
  const said = textOf(transfer?.status)?.toLowerCase() ?? '';
  const byProcess = process?.state === 'failed' ? 'clientRejected' : 'pending';
  return {
    status: process?.state === 'open' ? 'pending' : (transferStatuses[said] ?? byProcess),
    registrar: textOf(transfer?.registrar),
    requestedAt: timeOf(transfer?.requestedDate, utcOffset) ?? process?.at ?? null,
    actionAt: timeOf(transfer?.actionDate, utcOffset),
  };
}

function contactsOf(domain: Fields): Record<Role, string | undefined> {
  const held = objectsOf(domain.contacts);
  const handleOf = (role: string) => textOf(held.find((each) => textOf(each.role)?.toUpperCase() === role)?.handle);
  return {
    registrant: textOf(domain.registrant),
    admin: handleOf('ADMIN'),
    tech: handleOf('TECH'),
    billing: handleOf('BILLING'),
  };
}

function addressesOf({ hostName, addresses }: Fields): { hostname: string; ip: string }[] {
  const hostname = textOf(hostName)?.toLowerCase();
  if (hostname === undefined) return [];
  return objectsOf(addresses).flatMap(({ address }) => {
    const ip = textOf(address);
    return ip === undefined ? [] : [{ hostname, ip }];
  });
}

function dsOf({ keyTag, algorithm, digestType, digest }: Fields): DsRecord[] {
  const text = textOf(digest);
  if (text === undefined) return [];
  const [tag, algorithmNumber, type] = [Number(keyTag), Number(algorithm), Number(digestType)];
  return [{ keytag: tag, algorithm: algorithmNumber, digesttype: type, digest: text.toUpperCase() }];
}
