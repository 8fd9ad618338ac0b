import type { AsiaCed, IdnTable, OrganisationRef, SyncExpiry, UsNexus } from '../model/extension.ts';
import { checkLine, checkObjectId, checkToken, refuse } from './common.ts';

export function checkUsNexus(nexus: UsNexus | undefined): void {
  if (nexus === undefined) return;
  if (!/^P[1-5]$/.test(nexus.purpose)) refuse('us.purpose', 'not P1 to P5');
  if (!/^(?:C11|C12|C21|C3[12](?:\/[A-Z]{2})?)$/.test(nexus.category)) refuse('us.category', 'not a nexus category');
}

export function checkAsiaCed(ced: AsiaCed | undefined): void {
  if (ced === undefined) return;
  if ('contactId' in ced) {
    checkObjectId(ced.contactId, 'asia.contactId');
    return;
  }
  if (!/^[A-Z]{2}$/.test(ced.country)) refuse('asia.country', 'not a country code');
  checkLine(ced.entityType, 'asia.entityType', 255, 1);
  checkLine(ced.identificationType, 'asia.identificationType', 255, 1);
  checkLine(ced.identificationNumber, 'asia.identificationNumber', 255, 1);
  if (ced.otherEntityType !== undefined) checkLine(ced.otherEntityType, 'asia.otherEntityType', 255, 1);
  if (ced.otherIdentificationType !== undefined) {
    checkLine(ced.otherIdentificationType, 'asia.otherIdentificationType', 255, 1);
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
