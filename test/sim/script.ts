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
  | 'theft';

/** Dates that the registry knows of a name. */
export type Boundary = 'add' | 'renew' | 'autoRenew' | 'expiry' | 'renewBy' | 'redemption' | 'phase';

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
}

export type Decision = 'approve' | 'refuse';

export type Step = { readonly afterMs?: number } & (
  | OrderStep
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
