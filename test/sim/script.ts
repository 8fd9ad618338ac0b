/** A script is data: it can be drawn from a seed, printed, played again, and made smaller. */

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
  /** From the rival to us. */
  | 'transfer'
  /** Answers to the rival, who asks for a name of ours. */
  | 'approve'
  | 'reject'
  /** To another customer of the same reseller. */
  | 'hand-over';

/** Dates that the registry knows of a name, and those that the documents reckon from them. */
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

/** docs/guide/auto-renew.md: how a name goes on at the end of its term. */
export type Mode = 'manual' | 'renew' | 'renew_once' | 'delete';

/** A fault of the registry's malice dial; `name` is a place in the script's list of names. */
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
  /** Sent with a guard of one cent less than the price: to be refused. */
  readonly isGuardShort?: boolean;
  /** A transfer with a code that the registry refuses. */
  readonly isCodeWrong?: boolean;
  /** What becomes of a transfer that waits for another code when the script has come to rest. */
  readonly remedy?: Remedy;
}

/** How an offer to another reseller ends. */
export type Ending = 'accept' | 'decline' | 'take-back' | 'lapse';

export type Remedy = 'code' | 'cancel' | 'lapse';

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
  /** With what new names begin: of the account on this level of the chain, or of its customer. */
  | { readonly do: 'default-mode'; readonly level: number; readonly of: 'account'; readonly mode: Mode }
  | { readonly do: 'default-mode'; readonly level: number; readonly of: 'customer'; readonly mode: Mode | 'default' }
  /** To the reseller on another level of the chain; `ending` is what comes of it, at the latest when the script has come to rest. */
  | {
      readonly do: 'offer';
      readonly name: number;
      readonly to: number;
      readonly contacts: 'oldcontact' | 'default';
      readonly ending: Ending;
    }
  | { readonly do: 'answer-offer'; readonly name: number }
  /** The name shall have a holder with an address that nobody has confirmed yet. */
  | { readonly do: 'holder'; readonly name: number }
  /** The holder opens the mail and confirms; until then it is silent. */
  | { readonly do: 'confirm'; readonly name: number }
  /** The other registrar registers a name, answers our request for one of its own, or takes back its own request for one of ours. */
  | { readonly do: 'rival'; readonly name: number; readonly act: 'register' | 'approve' | 'reject' | 'cancel' }
  /** The holder of one of our names gets its code and gives it to the other registrar, who asks for it. */
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
  /** As soon as the registry has acted on the name, and before its answer can be stored: what was not flushed before the send is lost. */
  | { readonly do: 'kill-database-at-act'; readonly name: number }
  /** As soon as a process has claimed an order for the name: a claim that did not wait for the disk is lost, and its holder does not know. */
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
  /** The documents are looked at now; without this they are approved when the script has come to rest. */
  | { readonly do: 'review'; readonly name: number; readonly decision: Decision }
  /** Orders are open: each level of each chain has set aside what it pays for them. */
  | { readonly do: 'holds' }
  /** Until the registry has met such a command for the name with the fault that is set for it: no pause is long enough on a crowded machine. */
  | { readonly do: 'until-struck'; readonly name: number; readonly command: string }
  /** Trouble goes on, and the service does what it does. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'judge' }
);

export interface Script {
  readonly seed: number;
  /** `com`, or with a beginning that the registry sells dearer: `gem-*.shop`. */
  readonly tlds: readonly string[];
  /** Who buys each of them: 0 the demo account, 1 a reseller below it, 2 one below that. None given: all are bought by the first. */
  readonly buyers?: readonly number[];
  /** In a world that waits long for an answer of the registry, where a claim and its send can lie far apart; others are quick, because waiting is what costs time. */
  readonly isPatient?: boolean;
  readonly steps: readonly Step[];
}

export const printed = (script: Script): string =>
  [
    `seed ${script.seed}${script.isPatient ? ', patient' : ''}, names ${script.tlds.map((tld, n) => `${n}=${tld} by ${script.buyers?.[n] ?? 0}`).join(', ')}`,
    ...script.steps.map((step, n) => `  ${String(n + 1).padStart(2)} ${JSON.stringify(step)}`),
  ].join('\n');
