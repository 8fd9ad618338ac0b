import type { ObjectRequest } from '../model/request.ts';
import type { RegistryProfile } from '../profile.ts';
import { refuse } from './common.ts';
import { checkContactRequest } from './contact.ts';
import { checkDomainRequest } from './domain.ts';
import { checkHostRequest } from './host.ts';

/** Rejects, with an EppInputError, requests that no registry of this profile could accept. Nothing has been sent yet. */
export function checkRequest(request: ObjectRequest, profile: RegistryProfile): void {
  switch (request.object) {
    case 'domain':
      checkDomainRequest(request, profile);
      return;
    case 'contact':
      checkContactRequest(request, profile);
      return;
    case 'host':
      checkHostRequest(request, profile);
      return;
    case 'balance':
      return;
    case 'poll':
      if (request.verb === 'ack' && request.msgID === '') refuse('msgID', 'missing');
      return;
  }
}
