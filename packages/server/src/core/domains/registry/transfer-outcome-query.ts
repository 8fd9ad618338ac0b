import { allTenants } from '@namehold/postgres';
import { describe } from '../../model/evidence.ts';
import { mayHaveActedBefore, wasDone } from '../../operations/journal.sql.ts';
import type { Found, Run } from '../../operations/run.ts';
import type { RegistryDomain, RegistryTransfer, Reply } from '../../ports/registry.ts';
import { stateOfOther } from '../transfer-in/transfer.sql.ts';
import { mayBeStaleRead } from './stale-read.ts';

/** The status of a transfer: the registry's record of it, and the domain itself if it is ours by now. */
export interface TransferStatus {
  readonly transfer: RegistryTransfer | null;
  readonly view: RegistryDomain | null;
}

/** RFC 5730 3: a transfer of other parties is not shown (2201), and a deleted domain has none (2303). */
const noTransferCodes: readonly (number | undefined)[] = [2201, 2303];

/**
 * The outcome of a transfer request (docs/decisions/0033). First evidence is the domain: if we sponsor it, the transfer succeeded.
 * Second is the registry's record of the transfer: pending, rejected or cancelled. The journal and the registry's date of the previous
 * transfer show whose transfer it is.
 */
export class TransferOutcomeQuery {
  readonly #run: Run<'transfer'>;
  /** Set if the registry shows a transfer to us that nothing of this order explains. */
  ambiguousOutcome: string | undefined;
  /** The final transfer record, if it ended without success. */
  ended: RegistryTransfer | undefined;

  constructor(run: Run<'transfer'>) {
    this.#run = run;
  }

  get #name(): string {
    return this.#run.operation.request.name;
  }

  async findOutcome(before: string | null): Promise<Found<TransferStatus>> {
    const reply = await this.#run.registry.info(this.#name);
    if (reply.kind === 'refused') return this.#run.noAnswer(describe(reply.evidence));
    if (reply.kind !== 'done') return { kind: 'unknown', why: reply.why };
    const view = reply.data;
    const query = await this.query();
    // Ours without a record: some registries delete it when the transfer is over, so only the domain is evidence.
    if (query.kind === 'refused' && !view?.isOurs) return this.#run.noAnswer(describe(query.evidence));
    if (query.kind !== 'done' && query.kind !== 'refused' && !view?.isOurs) return { kind: 'unknown', why: query.why };
    // Another order here has the domain, so the registry shows the transfer of that order.
    const { domain_id: domainId } = this.#run.operation;
    if (await stateOfOther(this.#run.ctx.db.as(allTenants), { domainId, name: this.#name })) return { kind: 'never' };
    const latest = query.kind === 'done' ? query.data : null;
    const own = latest?.isToUs && latest.requestedAt?.toISOString() !== before ? latest : null;
    if (view?.isOurs) return this.#came(view, own);
    return own ? this.#findPending(own) : this.#without(view);
  }

  /** The latest transfer of the domain in which we take part. */
  async query(): Promise<Reply<RegistryTransfer | null>> {
    const reply = await this.#run.registry.queryTransfer(this.#name);
    if (reply.kind === 'refused' && noTransferCodes.includes(reply.evidence.code))
      return { kind: 'done', data: null, pending: false, evidence: reply.evidence };
    return reply;
  }

  async #came(view: RegistryDomain, transfer: RegistryTransfer | null): Promise<Found<TransferStatus>> {
    if (!(await this.#isSent())) return this.#ambiguous(`the registry holds ${this.#name} for us`);
    return { kind: 'done', data: { view, transfer } };
  }

  async #findPending(transfer: RegistryTransfer): Promise<Found<TransferStatus>> {
    if (transfer.status === 'pending') {
      if (!(await this.#isSent())) return this.#ambiguous(`a transfer of ${this.#name} to us is pending`);
      return { kind: 'done', pending: true, data: { view: null, transfer } };
    }
    if (/approved$/i.test(transfer.status))
      return {
        kind: 'unknown',
        why: 'the transfer was approved, and the registry does not show us as the sponsor yet',
      };
    this.ended = transfer;
    return {
      kind: 'refused',
      evidence: { text: endTexts[transfer.status] ?? `the transfer ended (${transfer.status})` },
    };
  }

  /** There is no transfer to us, and another registrar sponsors the domain. */
  async #without(view: RegistryDomain | null): Promise<Found<TransferStatus>> {
    const { ctx, operation } = this.#run;
    if (!(await wasDone(ctx.db.as(allTenants), operation.id, 'transfer'))) return { kind: 'never' };
    // Accepted before. A stale view shows neither the transfer nor the domain; a fresh one means that it is over.
    if (view?.statuses.includes('pendingTransfer') || mayBeStaleRead(this.#run))
      return { kind: 'done', pending: true, data: { view: null, transfer: null } };
    const text = view
      ? 'the registry no longer shows the transfer, and the domain is still at the other registrar'
      : 'the domain does not exist any more';
    return { kind: 'refused', evidence: { text } };
  }

  async #isSent(): Promise<boolean> {
    const { ctx, operation } = this.#run;
    if (this.#run.isDecidedDone) return true;
    return mayHaveActedBefore(ctx.db.as(allTenants), operation.id, 'transfer', undefined);
  }

  #ambiguous(what: string): Found<TransferStatus> {
    this.ambiguousOutcome = `${what}, but no request of this order can have caused that`;
    return { kind: 'unknown', why: this.ambiguousOutcome };
  }
}

const endTexts: Readonly<Record<string, string>> = {
  clientRejected: 'the current registrar refused the transfer',
  clientCancelled: 'the transfer was cancelled',
  serverCancelled: 'the registry cancelled the transfer',
};
