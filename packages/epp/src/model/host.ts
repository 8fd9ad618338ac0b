import type { CheckItem, IpAddress, Status, TransactionIds } from './common.ts';
import type { OtherExtensions } from './extension.ts';

export type HostCheckRequest = {
  readonly object: 'host';
  readonly verb: 'check';
  readonly names: readonly string[];
  readonly ext?: OtherExtensions;
};
export type HostInfoRequest = {
  readonly object: 'host';
  readonly verb: 'info';
  readonly name: string;
  readonly ext?: OtherExtensions;
};
export type HostCreateRequest = {
  readonly object: 'host';
  readonly verb: 'create';
  readonly name: string;
  readonly addresses?: readonly IpAddress[];
  readonly ext?: OtherExtensions;
};
export type HostAddRem = { readonly addresses?: readonly IpAddress[]; readonly statuses?: readonly Status[] };
export type HostUpdateRequest = {
  readonly object: 'host';
  readonly verb: 'update';
  readonly name: string;
  readonly add?: HostAddRem;
  readonly rem?: HostAddRem;
  readonly newName?: string;
  readonly ext?: OtherExtensions;
};
export type HostDeleteRequest = {
  readonly object: 'host';
  readonly verb: 'delete';
  readonly name: string;
  readonly ext?: OtherExtensions;
};
export type HostRequest =
  | HostCheckRequest
  | HostInfoRequest
  | HostCreateRequest
  | HostUpdateRequest
  | HostDeleteRequest;

export type HostChkData = { readonly object: 'host'; readonly type: 'chkData'; readonly items: readonly CheckItem[] };
export type HostInfData = {
  readonly object: 'host';
  readonly type: 'infData';
  readonly name: string;
  readonly roid: string;
  readonly statuses: readonly Status[];
  readonly addresses: readonly IpAddress[];
  readonly clID: string;
  readonly crID: string;
  readonly crDate: Date;
  readonly upID?: string;
  readonly upDate?: Date;
  readonly trDate?: Date;
};
export type HostCreData = {
  readonly object: 'host';
  readonly type: 'creData';
  readonly name: string;
  readonly crDate: Date;
};
export type HostPanData = {
  readonly object: 'host';
  readonly type: 'panData';
  readonly name: string;
  readonly granted: boolean;
  readonly paTRID: TransactionIds;
  readonly paDate: Date;
};
export type HostData = HostChkData | HostInfData | HostCreData | HostPanData;
