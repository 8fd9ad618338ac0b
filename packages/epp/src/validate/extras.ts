import type { IdnTable, KeysysFields, OrganisationRef, SyncExpiry } from '../model/extension.ts';
import { faultsOf } from '../tld/check.ts';
import { contactFieldOf } from '../tld/extension.ts';
import { TLD_EXTENSIONS, type TldExtensions } from '../tld/index.ts';
import { checkLine, checkObjectId, checkToken, refuse } from './common.ts';

/** Field names of extensions of TLDs are unique. */
export function checkTldExtensions(all: TldExtensions | undefined): void {
  for (const [name, fields] of Object.entries(all ?? {})) {
    const extension = TLD_EXTENSIONS.find((each) => each.name === name);
    if (extension === undefined) refuse('tld', `there is no extension ${name}`);
    const handle = fields[contactFieldOf(name)];
    if (handle !== undefined) checkObjectId(handle, contactFieldOf(name));
    for (const [field, text] of Object.entries(fields)) checkLine(text, field, 255, 1);
    const [fault] = handle === undefined ? faultsOf(extension, fields) : [];
    if (fault !== undefined) refuse(fault.field, fault.kind === 'missing' ? 'missing' : 'not allowed by the schema');
  }
}

export function checkIdn(idn: IdnTable | undefined): void {
  if (idn === undefined) return;
  // RFC 5730 minTokenType
  if (idn.table === '') refuse('idn.table', 'empty');
  checkToken(idn.table, 'idn.table');
}

export function checkAllocationToken(given: string | undefined): void {
  if (given === undefined) return;
  if (given === '') refuse('allocationToken', 'empty');
  checkToken(given, 'allocationToken');
}

export function checkOrganisations(list: readonly OrganisationRef[] | undefined): void {
  if (list === undefined) return;
  if (list.length === 0) refuse('organisations', 'none given');
  for (const { role } of list) if (role === '') refuse('organisations.role', 'empty');
}

/** The 29th of February is a valid day of the year. */
export function checkSync(sync: SyncExpiry | undefined): void {
  if (sync === undefined) return;
  const day = new Date(Date.UTC(2000, sync.month - 1, sync.day));
  if (day.getUTCMonth() !== sync.month - 1 || day.getUTCDate() !== sync.day) refuse('sync', 'not a day of the year');
}

const KEYSYS_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;

export function checkKeysys(fields: KeysysFields | undefined): void {
  if (fields === undefined) return;
  if (Object.keys(fields).length === 0) refuse('keysys', 'none given');
  for (const [name, text] of Object.entries(fields)) {
    if (!KEYSYS_NAME.test(name)) refuse('keysys', 'not the name of an element');
    checkLine(text, `keysys.${name}`, 4_000);
    checkToken(text, `keysys.${name}`);
  }
}
