import { addDays } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { refund } from '../money/charge.ts';
import { paidCreate } from '../money/money.sql.ts';
import { enqueue } from '../poll/enqueue.ts';
import type { SandboxTld } from '../tlds/index.ts';
import type { Cause } from '../transfer/transfer.sql.ts';
import { purgeDomain, saveDomain } from './domain.sql.ts';
import type { DomainRecord } from './record.ts';

/** RFC 5731 3.3: the documents are accepted, and the registrar is informed by poll. */
export async function approveCreate(tx: Tx, cause: Cause, domain: DomainRecord): Promise<void> {
  cause.effects.dueAt.push(await saveDomain(tx, { ...domain, phase: 'active', phaseUntil: null, reviewNote: null }));
  await notifyResult(tx, cause, domain, true, 'The create is approved.');
}

/** The documents are refused: the name is available again and the fee is refunded. */
export async function refuseCreate(tx: Tx, cause: Cause, domain: DomainRecord): Promise<void> {
  const paid = await paidCreate(tx, domain.name);
  if (paid !== undefined) await refund(tx, cause, paid.id);
  await notifyResult(tx, cause, domain, false, 'The create is refused.');
  await purgeDomain(tx, domain);
}

/** Documents are missing: the create waits for them and is refused if they do not arrive. */
export async function requireDocuments(tx: Tx, cause: Cause, domain: DomainRecord, wait: Wait, note: string) {
  const phaseUntil = addDays(cause.at, wait.documentDays);
  await keepWaiting(tx, cause, { ...domain, reviewNote: note, phaseUntil }, `documents are required: ${note}`);
}

/** The documents arrived and are reviewed again. */
export async function acceptDocuments(tx: Tx, cause: Cause, domain: DomainRecord, wait: Wait) {
  const phaseUntil = addDays(cause.at, wait.reviewDays);
  await keepWaiting(
    tx,
    cause,
    { ...domain, reviewNote: null, phaseUntil },
    'the documents arrived and are being reviewed',
  );
}

type Wait = NonNullable<SandboxTld['pendingCreate']>;

async function keepWaiting(tx: Tx, cause: Cause, domain: DomainRecord, text: string): Promise<void> {
  cause.effects.dueAt.push(await saveDomain(tx, { ...domain, updatedAt: cause.at }));
  await enqueue(tx, cause.effects, { clientId: domain.sponsor, at: cause.at, text: `${domain.name}: ${text}` });
}

async function notifyResult(tx: Tx, cause: Cause, domain: DomainRecord, granted: boolean, text: string): Promise<void> {
  await enqueue(tx, cause.effects, {
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
