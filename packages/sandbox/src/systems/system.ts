import type { Namespaces, TldRules } from '@namehold/epp';
import type { SandboxTld } from '../tlds/index.ts';

/**
 * A registry as registrars know it: a door of its own, with what is offered there and the TLDs that it runs.
 */
export interface RegistrySystem {
  /** As the profile in the box that fits it; those with a draft of fees need its URI in a profile. */
  readonly name: string;
  readonly svID: string;
  /** The platform's account there, with its own balance, statement and messages. */
  readonly clientId: string;
  /** Without `contact` it keeps none; without `secureAuthInfo` every name has an auth code from the start. */
  readonly namespaces: Namespaces;
  readonly otherExtensionURIs: readonly string[];
  readonly tlds: readonly string[];
  /** Where its TLDs differ from what they are at the first door. */
  readonly rules?: Partial<TldRules>;
  readonly policy?: Partial<Pick<SandboxTld, 'tellsRestore' | 'graceDays'>>;
  readonly maxNamesPerCheck: number;
  readonly idleMs: number;
}
