/** A script is data: it can be generated from a seed, printed, repeated, and reduced. */

export type Verb =
  | 'register'
  | 'renew'
  | 'delete'
  | 'restore'
  | 'privacy'
  | 'nameservers'
  | 'contacts'
  | 'lock'
  | 'unlock'
  | 'theft'
  /** From the other registrar to us. */
  | 'transfer'
  /** Answers to the other registrar, which requests a domain of ours. */
  | 'approve'
  | 'reject'
  /** To another customer of the same reseller. */
  | 'hand-over';

/** Dates of a domain at the registry, and dates that the documents derive from them. */
export type Boundary =
  | 'add'
  | 'renew'
  | 'autoRenew'
  | 'expiry'
  | 'renewBy'
  | 'renewalDue'
  | 'redemption'
  | 'phase'
  | 'transfer'
  | 'transferGrace'
  | 'verifyBy';

/** docs/guide/auto-renew.md: the renewal mode at the end of its term. */
export type Mode = 'manual' | 'renew' | 'renew_once' | 'delete';

/** A fault rule at the registry; `name` is an index in the script's list of names. */
export interface Aim {
  readonly kind: string;
  readonly commands?: readonly string[];
  readonly name?: number;
  readonly [more: string]: unknown;
}

export interface OrderStep {
  readonly do: 'order';
  readonly verb: Verb;
  readonly name: number;
  readonly years: number;
  readonly via: number;
  readonly withPrivacy?: boolean;
  /** Sent with a guard of one cent less than the price, to be refused. */
  readonly isGuardShort?: boolean;
  /** A transfer with a code that the registry refuses. */
  readonly isCodeWrong?: boolean;
  /** The decision about a transfer that waits for another code at the end of the script. */
  readonly remedy?: Remedy;
}

/** How an offer to another reseller ends. */
export type Ending = 'accept' | 'decline' | 'withdraw' | 'expire';

export type Remedy = 'code' | 'cancel' | 'expire';

export type Decision = 'approve' | 'refuse';

export type Step = { readonly afterMs?: number } & (
  | OrderStep
  /** `limit`: with a highest price that is exactly the price of the table, or a cent less. */
  | {
      readonly do: 'mode';
      readonly name: number;
      readonly mode: Mode;
      readonly limit?: 'exact' | 'short';
      readonly via: number;
    }
  /** The initial mode of new domains: of the account on this level of the chain, or of its customer. */
  | { readonly do: 'default-mode'; readonly level: number; readonly of: 'account'; readonly mode: Mode }
  | { readonly do: 'default-mode'; readonly level: number; readonly of: 'customer'; readonly mode: Mode | 'default' }
  /** To the reseller on another level of the chain; `ending` is its result, at the latest at the end of the script. */
  | {
      readonly do: 'offer';
      readonly name: number;
      readonly to: number;
      readonly contacts: 'oldcontact' | 'default';
      readonly ending: Ending;
    }
  | { readonly do: 'answer-offer'; readonly name: number }
  /** Gives the domain a registrant with an unconfirmed address. */
  | { readonly do: 'registrant'; readonly name: number }
  /** The registrant confirms its address; until then it does not respond. */
  | { readonly do: 'confirm'; readonly name: number }
  /** The other registrar registers a domain, answers our request for one of its own, or withdraws its request for one of ours. */
  | {
      readonly do: 'other-registrar';
      readonly name: number;
      readonly act: 'register' | 'approve' | 'reject' | 'cancel';
    }
  /** The registrant of one of our domains gets its code and gives it to the other registrar, which requests it. */
  | { readonly do: 'ask-away'; readonly name: number }
  /** Another code for a transfer that waits for one. */
  | { readonly do: 'new-code'; readonly name: number; readonly isWrong: boolean }
  | { readonly do: 'cancel-transfer'; readonly name: number }
  | { readonly do: 'fault'; readonly fault: Aim }
  | { readonly do: 'calm' }
  | { readonly do: 'silence' }
  | { readonly do: 'move'; readonly byS: number }
  | { readonly do: 'move-to'; readonly name: number; readonly boundary: Boundary; readonly offsetS: number }
  | { readonly do: 'kill'; readonly service: number }
  | { readonly do: 'pause'; readonly service: number; readonly ms: number }
  | { readonly do: 'kill-database' }
  /** As soon as the registry has executed a command for the domain, before its answer can be stored: unflushed commits are lost. */
  | { readonly do: 'kill-database-at-act'; readonly name: number }
  /** As soon as a process has claimed an order for the domain: an unflushed claim is lost without its owner's knowledge. */
  | { readonly do: 'kill-database-at-claim'; readonly name: number }
  | { readonly do: 'freeze-database'; readonly ms: number }
  | { readonly do: 'jump'; readonly service: number; readonly byS: number }
  | {
      readonly do: 'fund';
      readonly count: number;
      readonly debit: boolean;
      readonly pauseAfterMs: number;
      readonly jumpS: number;
    }
  /** The documents are reviewed now; without this they are approved at the end of the script. */
  | { readonly do: 'review'; readonly name: number; readonly decision: Decision }
  /** Orders are open: each level of each chain has its price on hold. */
  | { readonly do: 'holds' }
  /** Until the registry has applied the fault to such a command for the domain: no fixed pause is long enough on a busy machine. */
  | { readonly do: 'until-struck'; readonly name: number; readonly command: string }
  /** The faults continue, and the service runs. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'check' }
);

export interface Script {
  readonly seed: number;
  /** `com`, or with a beginning that the registry sells as premium: `gem-*.shop`. */
  readonly tlds: readonly string[];
  /** The buyer of each: 0 the demo account, 1 a reseller below it, 2 one below that. Default: the first. */
  readonly buyers?: readonly number[];
  /** In an installation with a long registry timeout, so that a claim and its send can be far apart. Others use a short one to save time. */
  readonly isPatient?: boolean;
  readonly steps: readonly Step[];
}

export const printed = (script: Script): string =>
  [
    `seed ${script.seed}${script.isPatient ? ', patient' : ''}, names ${script.tlds.map((tld, n) => `${n}=${tld} by ${script.buyers?.[n] ?? 0}`).join(', ')}`,
    ...script.steps.map((step, n) => `  ${String(n + 1).padStart(2)} ${JSON.stringify(step)}`),
  ].join('\n');
