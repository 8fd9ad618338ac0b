import type { DsRecord } from '../ports/registry.ts';
import type { RegistrantChange } from './registrant-change.ts';
import type { ContactRole } from './tld.ts';

const changeKinds = [
  'nameservers',
  'contacts',
  'theft_protection',
  'locked',
  'suspended',
  'unverified',
  'unpaid',
  'dnssec',
  'auth_code',
  'privacy',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export type Flag = 'locked' | 'suspended' | 'theft_protection' | 'unverified' | 'unpaid';

/** The part of a change that is stored encrypted, beside its request. */
export interface EncryptedSecrets {
  readonly auth_code: string;
}

/** The wanted state of a domain. Fields that the request leaves out stay as they are. */
export interface WantedState {
  readonly nameservers?: readonly string[];
  /** Ids of our own contacts; null: the role is empty. */
  readonly contacts?: Readonly<Record<ContactRole, string | null>>;
  /** Whether the registrant is hidden at the registry. */
  readonly privacy?: boolean;
  readonly flags?: Readonly<Partial<Record<Flag, boolean>>>;
  readonly reason?: string | null;
  /** For a suspension: other changes stay possible. */
  readonly takesChanges?: boolean;
  readonly addDs?: readonly DsRecord[];
  readonly removeDs?: readonly DsRecord[];
  /** The code itself is in the encrypted secrets of the operation. */
  readonly authCode?: 'set' | 'unset';
}

export interface UpdateRequest {
  readonly name: string;
  readonly change: ChangeKind;
  readonly wanted: WantedState;
  /** Nameservers: change them although the registry has a DS whose keys the new ones may lack. */
  readonly isForced?: boolean;
  /** Contacts: the change replaces the registrant. */
  readonly holder?: RegistrantChange;
}
