import type { ContactRequest, DomainRequest, HostRequest, ResponseSpec } from '@namehold/epp';
import type { DispatchedCommand } from '@namehold/epp/server';
import { checkContacts } from '../contact/check.ts';
import { createContact } from '../contact/create.ts';
import { deleteContact } from '../contact/delete.ts';
import { infoContact } from '../contact/info.ts';
import { transferContact } from '../contact/transfer.ts';
import { updateContact } from '../contact/update.ts';
import { checkDomains } from '../domain/check.ts';
import { createDomain } from '../domain/create.ts';
import { deleteDomain } from '../domain/delete.ts';
import { infoDomain } from '../domain/info.ts';
import { renewDomain } from '../domain/renew.ts';
import { transferDomain } from '../domain/transfer.ts';
import { updateDomain } from '../domain/update.ts';
import { checkHosts } from '../host/check.ts';
import { createHost } from '../host/create.ts';
import { deleteHost } from '../host/delete.ts';
import { infoHost } from '../host/info.ts';
import { updateHost } from '../host/update.ts';
import { infoBalance } from '../money/balance.ts';
import { ackMessage } from '../poll/ack.ts';
import { requestMessage } from '../poll/request.ts';
import type { Call } from './registry.ts';

/** Object by verb. */
export function commandGrid(call: Call, command: DispatchedCommand): Promise<ResponseSpec> {
  switch (command.object) {
    case 'domain':
      return domainVerb(call, command);
    case 'contact':
      return contactVerb(call, command);
    case 'host':
      return hostVerb(call, command);
    case 'balance':
      return infoBalance(call);
    case 'poll':
      return command.verb === 'ack' ? ackMessage(call, command) : requestMessage(call);
  }
}

function domainVerb(call: Call, command: DomainRequest): Promise<ResponseSpec> {
  switch (command.verb) {
    case 'check':
      return checkDomains(call, command);
    case 'info':
      return infoDomain(call, command);
    case 'create':
      return createDomain(call, command);
    case 'renew':
      return renewDomain(call, command);
    case 'transfer':
      return transferDomain(call, command);
    case 'update':
      return updateDomain(call, command);
    case 'delete':
      return deleteDomain(call, command);
  }
}

function contactVerb(call: Call, command: ContactRequest): Promise<ResponseSpec> {
  switch (command.verb) {
    case 'check':
      return checkContacts(call, command);
    case 'info':
      return infoContact(call, command);
    case 'create':
      return createContact(call, command);
    case 'transfer':
      return transferContact(call, command);
    case 'update':
      return updateContact(call, command);
    case 'delete':
      return deleteContact(call, command);
  }
}

function hostVerb(call: Call, command: HostRequest): Promise<ResponseSpec> {
  switch (command.verb) {
    case 'check':
      return checkHosts(call, command);
    case 'info':
      return infoHost(call, command);
    case 'create':
      return createHost(call, command);
    case 'update':
      return updateHost(call, command);
    case 'delete':
      return deleteHost(call, command);
  }
}
