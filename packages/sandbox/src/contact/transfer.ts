import { addDays } from '@namehold/base';
import type { ContactTransferRequest, ResponseSpec } from '@namehold/epp';
import type { Tx } from '@namehold/postgres';
import { authInfoMatches } from '../registry/auth-info.ts';
import { refuse } from '../registry/refusal.ts';
import { type Call, registryTenant } from '../registry/registry.ts';
import { refuseIfProhibited } from '../registry/status.ts';
import { announceTransfer, transferData } from '../transfer/announce.ts';
import {
  type Cause,
  endTransfer,
  latestTransfer,
  openTransfer,
  type TransferRecord,
} from '../transfer/transfer.sql.ts';
import { lockContact, saveContact } from './contact.sql.ts';
import type { ContactRecord } from './record.ts';

const pendingDays = 5;

/** RFC 5733 3.1.3 and 3.2.4. */
export async function transferContact(call: Call, command: ContactTransferRequest): Promise<ResponseSpec> {
  return call.registry.db.transaction(registryTenant, async (tx) => {
    const contact = await lockContact(tx, command.id);
    if (contact === undefined) refuse(2303, `contact ${command.id} does not exist`);
    const transfer =
      command.op === 'request'
        ? await requestTransfer(tx, call, command, contact)
        : await changeTransfer(tx, call, command, contact);
    const code = command.op === 'request' ? 1001 : 1000;
    return { results: [{ code }], data: transferData(transfer, contact.handle) };
  });
}

async function requestTransfer(tx: Tx, call: Call, command: ContactTransferRequest, contact: ContactRecord) {
  if (contact.sponsor === call.clientId) refuse(2106, `contact ${contact.handle} is already sponsored by you`);
  if (contact.transferPending) refuse(2300, `a transfer of contact ${contact.handle} is pending`);
  refuseIfProhibited(contact.statuses, 'Transfer');
  if (command.authInfo === undefined) refuse(2003, 'authInfo is missing');
  if (!authInfoMatches(contact.authHash, command.authInfo.pw)) refuse(2202, 'the authInfo does not match');
  const transfer = await openTransfer(tx, call, {
    object: 'contact',
    objectId: contact.id,
    actor: contact.sponsor,
    autoApprovedAt: addDays(call.at, pendingDays),
    expiresAt: null,
  });
  await announceTransfer(tx, call.effects, transfer, contact.handle, call.at);
  return transfer;
}

async function changeTransfer(tx: Tx, call: Call, command: ContactTransferRequest, contact: ContactRecord) {
  const transfer = await latestTransfer(tx, 'contact', contact.id);
  const involved = [contact.sponsor, transfer?.requester, transfer?.actor].includes(call.clientId);
  if (!involved) refuse(2201, `contact ${contact.handle} is another registrar's`);
  if (transfer === undefined) refuse(2301, `no transfer of contact ${contact.handle} is known`);
  if (command.op === 'query') return transfer;
  if (transfer.state !== 'pending') refuse(2301, `no transfer of contact ${contact.handle} is pending`);
  const actor = command.op === 'cancel' ? transfer.requester : contact.sponsor;
  if (actor !== call.clientId) refuse(2201, `${command.op} is for the other registrar`);
  if (command.op === 'approve') return completeContactTransfer(tx, call, contact, transfer, 'clientApproved');
  const state = command.op === 'cancel' ? 'clientCancelled' : 'clientRejected';
  const ended = await endTransfer(tx, transfer, { state, at: call.at, expiresAt: null });
  await announceTransfer(tx, call.effects, ended, contact.handle, call.at);
  return ended;
}

export async function completeContactTransfer(
  tx: Tx,
  cause: Cause,
  contact: ContactRecord,
  transfer: TransferRecord,
  state: 'clientApproved' | 'serverApproved',
): Promise<TransferRecord> {
  await saveContact(tx, { ...contact, sponsor: transfer.requester, transferredAt: cause.at, authHash: null });
  const ended = await endTransfer(tx, transfer, { state, at: cause.at, expiresAt: null });
  await announceTransfer(tx, cause.effects, ended, contact.handle, cause.at);
  return ended;
}
