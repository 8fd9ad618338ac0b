import type { DsRecord } from './domains/registry/registry.ts';

/** What would help, in words of the business: a front door says it as a call, the command line as the sentence alone. */
export type Help =
  | { readonly action: DomainHelp; readonly domain: string }
  /** To take them away, or to force what they stand against. */
  | { readonly action: 'remove_ds'; readonly domain: string; readonly ds: readonly DsRecord[] }
  | { readonly action: 'cancel_operation'; readonly operation: string }
  | { readonly action: 'list_states'; readonly country: string }
  | { readonly action: 'list_rrsets'; readonly domain: string; readonly type: string }
  /** To renew from the date on which the name really expires. */
  | { readonly action: 'renew_from'; readonly date: string }
  /** To say with the order what it may cost at most. */
  | { readonly action: 'guard_price' }
  | { readonly action: 'list_tlds' | 'list_countries' };

type DomainHelp = 'unlock' | 'resume' | 'restore' | 'unprotect' | 'set_contacts' | 'buy_privacy';
