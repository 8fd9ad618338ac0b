import type { Route } from '../../route.ts';
import { applyTemplateRoute } from './apply-template.ts';
import { chooseDefaultTemplateRoute, clearDefaultTemplateRoute, readDefaultTemplateRoute } from './default-template.ts';
import { deleteZoneRoute } from './delete.ts';
import { readZoneFileRoute, replaceZoneFileRoute } from './file.ts';
import { oldZoneRoute, zoneHistoryRoute } from './history.ts';
import { patchRRsetsRoute } from './patch.ts';
import { checkZoneRoute, readZoneRoute } from './read.ts';
import { replaceRRsetsRoute } from './replace.ts';
import { rollbackZoneRoute } from './rollback.ts';
import { readRRsetsRoute } from './rrsets.ts';
import {
  changeTemplateRoute,
  createTemplateRoute,
  deleteTemplateRoute,
  listTemplatesRoute,
  readTemplateRoute,
} from './templates.ts';

/** Whole zones: RRsets, files, history. The record calls of the contract are in ../dns. */
export const zoneRoutes: readonly Route[] = [
  readZoneRoute,
  deleteZoneRoute,
  readRRsetsRoute,
  patchRRsetsRoute,
  replaceRRsetsRoute,
  readZoneFileRoute,
  replaceZoneFileRoute,
  zoneHistoryRoute,
  oldZoneRoute,
  checkZoneRoute,
  rollbackZoneRoute,
  applyTemplateRoute,
  listTemplatesRoute,
  createTemplateRoute,
  readTemplateRoute,
  changeTemplateRoute,
  deleteTemplateRoute,
  readDefaultTemplateRoute,
  chooseDefaultTemplateRoute,
  clearDefaultTemplateRoute,
];
