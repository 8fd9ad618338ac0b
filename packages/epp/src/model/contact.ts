import type { TldExtensions } from '../tld/index.ts';
import type { AuthInfo, CheckItem, Status, TransactionIds, TransferOperation, TransferStatus } from './common.ts';
import type { KeysysFields, OtherExtensions } from './extension.ts';

export type PostalType = 'int' | 'loc';
export type PostalAddress = {
  readonly street: readonly string[];
  readonly city: string;
  readonly sp?: string;
  readonly pc?: string;
  readonly cc: string;
};
export type PostalInfo = {
  readonly type: PostalType;
  readonly name: string;
  readonly org?: string;
  readonly addr: PostalAddress;
};
export type PostalInfoChange = {
  readonly type: PostalType;
  readonly name?: string;
  readonly org?: string;
  readonly addr?: PostalAddress;
};
/** RFC 5733 2.5: +CC.number, with an optional extension. An empty number in an update removes it. */
export type Phone = { readonly number: string; readonly extension?: string };
/** RFC 5733 2.9. flag false: do not publish the listed parts; true: publish them. */
export type Disclose = {
  readonly flag: boolean;
  readonly name?: readonly PostalType[];
  readonly org?: readonly PostalType[];
  readonly addr?: readonly PostalType[];
  readonly voice?: boolean;
  readonly fax?: boolean;
  readonly email?: boolean;
};
type ContactExtras = OtherExtensions & { readonly tld?: TldExtensions; readonly keysys?: KeysysFields };

export type ContactCheckRequest = {
  readonly object: 'contact';
  readonly verb: 'check';
  readonly ids: readonly string[];
  readonly ext?: OtherExtensions;
};
export type ContactInfoRequest = {
  readonly object: 'contact';
  readonly verb: 'info';
  readonly id: string;
  readonly authInfo?: AuthInfo;
  readonly ext?: OtherExtensions;
};
export type ContactCreateRequest = {
  readonly object: 'contact';
  readonly verb: 'create';
  readonly id: string;
  readonly postal: readonly PostalInfo[];
  readonly voice?: Phone;
  readonly fax?: Phone;
  readonly email: string;
  readonly authInfo: AuthInfo;
  readonly disclose?: Disclose;
  readonly ext?: ContactExtras;
};
export type ContactTransferRequest = {
  readonly object: 'contact';
  readonly verb: 'transfer';
  readonly op: TransferOperation;
  readonly id: string;
  readonly authInfo?: AuthInfo;
  readonly ext?: OtherExtensions;
};
export type ContactChange = {
  readonly postal?: readonly PostalInfoChange[];
  readonly voice?: Phone;
  readonly fax?: Phone;
  readonly email?: string;
  readonly authInfo?: AuthInfo;
  readonly disclose?: Disclose;
};
export type ContactUpdateRequest = {
  readonly object: 'contact';
  readonly verb: 'update';
  readonly id: string;
  readonly addStatuses?: readonly Status[];
  readonly remStatuses?: readonly Status[];
  readonly chg?: ContactChange;
  readonly ext?: ContactExtras;
};
export type ContactDeleteRequest = {
  readonly object: 'contact';
  readonly verb: 'delete';
  readonly id: string;
  readonly ext?: OtherExtensions;
};
export type ContactRequest =
  | ContactCheckRequest
  | ContactInfoRequest
  | ContactCreateRequest
  | ContactTransferRequest
  | ContactUpdateRequest
  | ContactDeleteRequest;

export type ContactChkData = {
  readonly object: 'contact';
  readonly type: 'chkData';
  readonly items: readonly CheckItem[];
};
export type ContactInfData = {
  readonly object: 'contact';
  readonly type: 'infData';
  readonly id: string;
  readonly roid: string;
  readonly statuses: readonly Status[];
  readonly postal: readonly PostalInfo[];
  readonly voice?: Phone;
  readonly fax?: Phone;
  readonly email: string;
  readonly clID: string;
  readonly crID: string;
  readonly crDate: Date;
  readonly upID?: string;
  readonly upDate?: Date;
  readonly trDate?: Date;
  readonly authInfo?: AuthInfo;
  readonly disclose?: Disclose;
};
export type ContactCreData = {
  readonly object: 'contact';
  readonly type: 'creData';
  readonly id: string;
  readonly crDate: Date;
};
export type ContactTrnData = {
  readonly object: 'contact';
  readonly type: 'trnData';
  readonly id: string;
  readonly trStatus: TransferStatus;
  readonly reID: string;
  readonly reDate: Date;
  readonly acID: string;
  readonly acDate: Date;
};
export type ContactPanData = {
  readonly object: 'contact';
  readonly type: 'panData';
  readonly id: string;
  readonly granted: boolean;
  readonly paTRID: TransactionIds;
  readonly paDate: Date;
};
export type ContactData = ContactChkData | ContactInfData | ContactCreData | ContactTrnData | ContactPanData;
