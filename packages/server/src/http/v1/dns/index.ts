import type { Route } from '../../route.ts';
import { addRecordRoute } from './add.ts';
import { changeRecordByHostRoute, changeRecordRoute, changeServiceRoute, changeTextInBodyRoute } from './change.ts';
import { deleteRecordByHostRoute, deleteRecordRoute, deleteServiceRoute, deleteTextInBodyRoute } from './delete.ts';
import { listRecordsRoute } from './list.ts';
import type { ContractType } from './record-types.ts';

const segments: readonly ContractType[] = ['ip', 'ipv6', 'cname', 'mx', 'ns', 'srv', 'txt'];

/** The DNS calls of the contract, record by record. Calls for whole zones are in ../zones. */
export const dnsRoutes: readonly Route[] = [
  ...segments.flatMap((segment) => [
    addRecordRoute(segment),
    listRecordsRoute(segment),
    deleteRecordRoute(segment),
    deleteRecordByHostRoute(segment),
  ]),
  ...segments.flatMap((segment) => [changeRecordRoute(segment), changeRecordByHostRoute(segment)]),
  changeServiceRoute(),
  changeTextInBodyRoute(),
  deleteServiceRoute(),
  deleteTextInBodyRoute(),
];
