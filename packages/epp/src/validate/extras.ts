import type { AsiaCed, UsNexus } from '../model/extension.ts';
import { checkLine, checkObjectId, refuse } from './common.ts';

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
