import type { Namespaces, TldRules } from '@namehold/epp';
import type { SandboxTld } from '../tlds/index.ts';

/** A simulated registry system: an EPP endpoint with its services and TLDs. */
export interface RegistrySystem {
  /** The included registry profile that fits it; systems with a draft of fees need its URI in a profile. */
  readonly name: string;
  readonly svID: string;
  /** The platform's account there, with its own balance, statement and messages. */
  readonly clientId: string;
  /** Without `contact` it has no contacts; without `secureAuthInfo` every name has an auth code from the start. */
  readonly namespaces: Namespaces;
  readonly otherExtensionURIs: readonly string[];
  readonly tlds: readonly string[];
  /** Differences of its TLDs from those of the default endpoint. */
  readonly rules?: Partial<TldRules>;
  readonly policy?: Partial<Pick<SandboxTld, 'notifiesRestore' | 'graceDays'>>;
  readonly maxNamesPerCheck: number;
  readonly idleMs: number;
  /** An upstream like CentralNic Reseller: it assigns contact ids, has renewal modes, and an HTTP API beside EPP. */
  readonly keysys?: {
    /** TLDs without an explicit renewal. */
    readonly renewsByMode: readonly string[];
  };
}
