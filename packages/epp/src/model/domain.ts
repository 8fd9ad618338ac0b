import type { TldExtensions } from '../tld/index.ts';
import type {
  AuthInfo,
  AuthInfoChange,
  CheckItem,
  IpAddress,
  Period,
  Status,
  TransactionIds,
  TransferOperation,
  TransferStatus,
} from './common.ts';
import type {
  FeeCheck,
  FeeTransform,
  IdnTable,
  KeysysFields,
  OrganisationRef,
  OrganisationUpdate,
  OtherExtensions,
  RgpRestore,
  SecDnsRecords,
  SecDnsUpdate,
  SyncExpiry,
} from './extension.ts';
import type { LaunchApplication, LaunchCheck, LaunchCreate, LaunchInfo } from './launch.ts';

export type DomainContactType = 'admin' | 'tech' | 'billing';
export type DomainContact = { readonly type: DomainContactType; readonly id: string };

/** RFC 5731 1.1: name servers are host objects or attributes, never both. */
export type NameServers =
  | { readonly model: 'objects'; readonly hosts: readonly string[] }
  | { readonly model: 'attributes'; readonly hosts: readonly HostAttribute[] };
export type HostAttribute = { readonly name: string; readonly addresses: readonly IpAddress[] };

export type DomainCheckRequest = {
  readonly object: 'domain';
  readonly verb: 'check';
  readonly names: readonly string[];
  readonly ext?: OtherExtensions & {
    readonly fee?: FeeCheck;
    readonly launch?: LaunchCheck;
    readonly keysys?: KeysysFields;
    readonly allocationToken?: string;
  };
};
export type DomainInfoRequest = {
  readonly object: 'domain';
  readonly verb: 'info';
  readonly name: string;
  readonly hosts?: 'all' | 'del' | 'sub' | 'none';
  readonly authInfo?: AuthInfo;
  /** `allocationToken`: requests it. */
  readonly ext?: OtherExtensions & { readonly launch?: LaunchInfo; readonly allocationToken?: true };
};
export type DomainCreateRequest = {
  readonly object: 'domain';
  readonly verb: 'create';
  readonly name: string;
  readonly period?: Period;
  readonly ns?: NameServers;
  readonly registrant?: string;
  readonly contacts?: readonly DomainContact[];
  /** RFC 9154 4.1: an empty pw if the registry offers secure authInfo. */
  readonly authInfo: AuthInfo;
  readonly ext?: OtherExtensions & {
    readonly secDNS?: SecDnsRecords;
    readonly fee?: FeeTransform;
    readonly tld?: TldExtensions;
    readonly idn?: IdnTable;
    readonly launch?: LaunchCreate;
    readonly allocationToken?: string;
    readonly organisations?: readonly OrganisationRef[];
    readonly keysys?: KeysysFields;
  };
};
export type DomainRenewRequest = {
  readonly object: 'domain';
  readonly verb: 'renew';
  readonly name: string;
  /** The UTC date (YYYY-MM-DD) of the last known exDate. A repeat of the same renew then fails and cannot charge twice. */
  readonly curExpDate: string;
  readonly period?: Period;
  readonly ext?: OtherExtensions & { readonly fee?: FeeTransform; readonly keysys?: KeysysFields };
};
export type DomainTransferRequest = {
  readonly object: 'domain';
  readonly verb: 'transfer';
  readonly op: TransferOperation;
  readonly name: string;
  readonly period?: Period;
  readonly authInfo?: AuthInfo;
  readonly ext?: OtherExtensions & {
    readonly fee?: FeeTransform;
    readonly allocationToken?: string;
    readonly keysys?: KeysysFields;
  };
};
export type DomainAddRem = {
  readonly ns?: NameServers;
  readonly contacts?: readonly DomainContact[];
  readonly statuses?: readonly Status[];
};
export type DomainUpdateRequest = {
  readonly object: 'domain';
  readonly verb: 'update';
  readonly name: string;
  readonly add?: DomainAddRem;
  readonly rem?: DomainAddRem;
  /** An empty registrant removes the registrant (RFC 5731 3.2.5). */
  readonly chg?: { readonly registrant?: string; readonly authInfo?: AuthInfoChange };
  readonly ext?: OtherExtensions & {
    readonly secDNS?: SecDnsUpdate;
    readonly rgp?: RgpRestore;
    readonly fee?: FeeTransform;
    readonly tld?: TldExtensions;
    readonly launch?: LaunchApplication;
    readonly organisations?: OrganisationUpdate;
    readonly sync?: SyncExpiry;
    readonly keysys?: KeysysFields;
  };
};
export type DomainDeleteRequest = {
  readonly object: 'domain';
  readonly verb: 'delete';
  readonly name: string;
  readonly ext?: OtherExtensions & { readonly launch?: LaunchApplication; readonly keysys?: KeysysFields };
};
export type DomainRequest =
  | DomainCheckRequest
  | DomainInfoRequest
  | DomainCreateRequest
  | DomainRenewRequest
  | DomainTransferRequest
  | DomainUpdateRequest
  | DomainDeleteRequest;

export type DomainChkData = {
  readonly object: 'domain';
  readonly type: 'chkData';
  readonly items: readonly CheckItem[];
};
export type DomainInfData = {
  readonly object: 'domain';
  readonly type: 'infData';
  readonly name: string;
  readonly roid: string;
  readonly statuses: readonly Status[];
  readonly registrant?: string;
  readonly contacts: readonly DomainContact[];
  readonly ns?: NameServers;
  /** Subordinate hosts. */
  readonly hosts: readonly string[];
  readonly clID: string;
  readonly crID?: string;
  readonly crDate?: Date;
  readonly upID?: string;
  readonly upDate?: Date;
  readonly exDate?: Date;
  readonly trDate?: Date;
  readonly authInfo?: AuthInfo;
};
export type DomainCreData = {
  readonly object: 'domain';
  readonly type: 'creData';
  readonly name: string;
  readonly crDate: Date;
  readonly exDate?: Date;
};
export type DomainRenData = {
  readonly object: 'domain';
  readonly type: 'renData';
  readonly name: string;
  readonly exDate?: Date;
};
export type DomainTrnData = {
  readonly object: 'domain';
  readonly type: 'trnData';
  readonly name: string;
  readonly trStatus: TransferStatus;
  readonly reID: string;
  readonly reDate: Date;
  readonly acID: string;
  readonly acDate: Date;
  readonly exDate?: Date;
};
/** RFC 5731 3.3: the result of a pending action, delivered by poll. */
export type DomainPanData = {
  readonly object: 'domain';
  readonly type: 'panData';
  readonly name: string;
  readonly granted: boolean;
  readonly paTRID: TransactionIds;
  readonly paDate: Date;
};
export type DomainData = DomainChkData | DomainInfData | DomainCreData | DomainRenData | DomainTrnData | DomainPanData;
