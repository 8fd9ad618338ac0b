import type { Help } from '../../../core/help.ts';

/** The call that helps, for each kind of help. */
export function helpCall(help: Help): string {
  switch (help.action) {
    case 'unlock':
      return `DELETE /v1/domains/${help.domain}/locked`;
    case 'resume':
      return `DELETE /v1/domains/${help.domain}/suspended`;
    case 'unprotect':
      return `DELETE /v1/domains/${help.domain}/theft_protection`;
    case 'restore':
      return `POST /v1/domains/${help.domain}/restore`;
    case 'set_contacts':
      return `PUT /v1/domains/${help.domain}/contacts`;
    case 'buy_privacy':
      return `POST /v1/domains/${help.domain}/privacy_protection/buy`;
    case 'remove_ds':
      return `send force=true, or ${help.ds
        .map(
          (ds) => `DELETE /v1/domains/${help.domain}/dnssec/${ds.keytag}/${ds.algorithm}/${ds.digesttype}/${ds.digest}`,
        )
        .join(', ')}`;
    case 'cancel_operation':
      return `POST /v1/operations/${help.operation}/cancel`;
    case 'list_rrsets':
      return `GET /v1/domains/${help.domain}/zone/rrsets?type=${help.type}`;
    case 'list_states':
      return `GET /v1/countries/${help.country}/states`;
    case 'renew_from':
      return `send current_date=${help.date}`;
    case 'guard_price':
      return 'send max_price or quote_id';
    case 'list_tlds':
      return 'GET /v1/tlds';
    case 'list_countries':
      return 'GET /v1/countries';
  }
}

/** A message of the core, followed by the call that helps. */
export const withCall = (sentence: string, help: Help | undefined): string =>
  help ? `${sentence.replace(/\.$/, '')}: ${helpCall(help)}` : sentence;
