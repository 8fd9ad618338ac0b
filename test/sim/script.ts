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

export type Step = { readonly afterMs?: number } & (
  | {
      readonly do: 'order';
      readonly verb: Verb;
      readonly name: number;
      readonly years: number;
      readonly via: number;
      readonly withPrivacy?: boolean;
    }
  | { readonly do: 'fault'; readonly fault: Aim }
  | { readonly do: 'calm' }
  | { readonly do: 'silence' }
  | { readonly do: 'move'; readonly byS: number }
  | { readonly do: 'move-to'; readonly name: number; readonly boundary: Boundary; readonly offsetS: number }
  | { readonly do: 'kill'; readonly service: number }
  | { readonly do: 'pause'; readonly service: number; readonly ms: number }
  | { readonly do: 'kill-database' }
  | { readonly do: 'freeze-database'; readonly ms: number }
  | { readonly do: 'jump'; readonly service: number; readonly byS: number }
  | {
      readonly do: 'fund';
      readonly count: number;
      readonly debit: boolean;
      readonly pauseAfterMs: number;
      readonly jumpS: number;
    }
  | { readonly do: 'review'; readonly name: number; readonly decision: 'approve' | 'refuse' }
  /** Trouble goes on, and the service does what it does. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'judge' }
);

export interface Script {
  readonly seed: number;
  readonly tlds: readonly string[];
  readonly steps: readonly Step[];
}

export const printed = (script: Script): string =>
  [
    `seed ${script.seed}, names ${script.tlds.map((tld, n) => `${n}=*.${tld}`).join(' ')}`,
    ...script.steps.map((step, n) => `  ${String(n + 1).padStart(2)} ${JSON.stringify(step)}`),
  ].join('\n');
