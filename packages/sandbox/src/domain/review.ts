import type { Tx } from '@namehold/base';
import { paidCreate } from '../money/money.sql.ts';
import { refund } from '../money/refund.ts';
import { enqueue } from '../poll/enqueue.ts';
import type { Cause } from '../transfer/transfer.sql.ts';
import { purgeDomain, saveDomain } from './domain.sql.ts';
import type { DomainRecord } from './record.ts';

/** RFC 5731 3.3: the documents are in order, and the registrar hears of it by poll. */
export async function approveCreate(tx: Tx, cause: Cause, domain: DomainRecord): Promise<void> {
  cause.ripples.dueAt.push(await saveDomain(tx, { ...domain, phase: 'active', phaseUntil: null }));
  await tellResult(tx, cause, domain, true, 'The create is approved.');
}

/** The documents are not: the name is free again and the fee goes back. */
export async function refuseCreate(tx: Tx, cause: Cause, domain: DomainRecord): Promise<void> {
  const paid = await paidCreate(tx, domain.name);
  if (paid !== undefined) await refund(tx, cause, paid.id);
  await tellResult(tx, cause, domain, false, 'The create is refused.');
  await purgeDomain(tx, domain);
}

async function tellResult(tx: Tx, cause: Cause, domain: DomainRecord, granted: boolean, text: string): Promise<void> {
  await enqueue(tx, cause.ripples, {
    clientId: domain.sponsor,
    at: cause.at,
    text,
    data: {
      object: 'domain',
      type: 'panData',
      name: domain.name,
      granted,
      paTRID: {
        ...(domain.createClTRID === null ? {} : { clTRID: domain.createClTRID }),
        svTRID: domain.createSvTRID ?? '',
      },
      paDate: cause.at,
    },
  });
}
