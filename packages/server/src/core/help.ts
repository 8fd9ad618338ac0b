import type { DsRecord } from './ports/registry.ts';

/** What would help, independent of the interface: HTTP shows it as a call, the command line as the sentence alone. */
export type Help =
  | { readonly action: DomainHelp; readonly domain: string }
  /** To remove them, or to force the action they prevent. */
  | { readonly action: 'remove_ds'; readonly domain: string; readonly ds: readonly DsRecord[] }
  | { readonly action: 'cancel_operation'; readonly operation: string }
  | { readonly action: 'list_states'; readonly country: string }
  | { readonly action: 'list_rrsets'; readonly domain: string; readonly type: string }
  /** To renew from the actual expiry date of the domain. */
  | { readonly action: 'renew_from'; readonly date: string }
  /** To limit the price in the order. */
  | { readonly action: 'guard_price' }
  | { readonly action: 'list_tlds' | 'list_countries' };

type DomainHelp = 'unlock' | 'resume' | 'restore' | 'unprotect' | 'set_contacts' | 'buy_privacy';
