import { allTenants } from '@namehold/postgres';
import { describe } from '../../model/evidence.ts';
import { mayHaveActedBefore, wasDone, wasReviewed } from '../../operations/journal.sql.ts';
import type { Found, Run } from '../../operations/run.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import { mayBeStaleRead } from './stale-read.ts';

interface Made {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/**
 * Finds out who sponsors a domain if the answer to a create is missing or is "exists". Dates prove nothing, because clocks differ and
 * registries round. The domain is this order's if we sponsor it and the journal shows that a create of this order may have been
 * executed.
 */
export class CreateOutcomeQuery {
  readonly #run: Run;
  readonly #name: string;
  readonly #registrant: string | undefined;
  /** Set if the registry holds the domain for us and nothing of this order explains it. */
  ambiguousOutcome: string | undefined;
  /** The registry's note about a domain under review. */
  reviewNote: string | null = null;

  constructor(run: Run, name: string, registrant: string | undefined) {
    this.#run = run;
    this.#name = name;
    this.#registrant = registrant;
  }

  async findOutcome(): Promise<Found<Made>> {
    const reply = await this.#run.registry.info(this.#name);
    if (reply.kind === 'unknown' || reply.kind === 'unsent') return { kind: 'unknown', why: reply.why };
    if (reply.kind === 'refused') return this.#noAnswer(describe(reply.evidence));
    const found = reply.data;
    if (!found) return this.#absent();
    if (!found.isOurs) return this.#taken();
    const unexplained = this.#run.isDecidedDone ? undefined : await this.#whatDoesNotFit(found);
    if (unexplained) {
      this.ambiguousOutcome = `the registry holds ${this.#name} for us, but ${unexplained}`;
      return { kind: 'unknown', why: this.ambiguousOutcome };
    }
    this.reviewNote = found.reviewNote ?? null;
    const createdAt = found.createdAt ?? this.#run.ctx.clock.now();
    const pending = found.statuses.includes('pendingCreate');
    return { kind: 'done', pending, data: { createdAt, expiresAt: found.expiresAt } };
  }

  #taken(): Found<Made> {
    return { kind: 'refused', evidence: { code: 2302, text: 'the domain belongs to another registrar' } };
  }

  /**
   * The registry refuses the domain query. A check still shows whether it is free, and the journal shows whether a create may have been
   * sent.
   */
  async #noAnswer(why: string): Promise<Found<Made>> {
    const { ctx, operation, registry } = this.#run;
    const checked = await registry.check([this.#name]);
    if (checked.kind === 'refused') return { kind: 'unknown', why: describe(checked.evidence) };
    if (checked.kind !== 'done') return { kind: 'unknown', why: checked.why };
    if (checked.data[0]?.available) return this.#absent();
    if (!(await mayHaveActedBefore(ctx.db.as(allTenants), operation.id, 'register', undefined))) return this.#taken();
    // A user has clarified it with the registry by other means.
    if (this.#run.isDecidedDone) return { kind: 'done', data: { createdAt: ctx.clock.now(), expiresAt: null } };
    return this.#run.noAnswer(`${this.#name} is not available, and its sponsor is unknown: ${why}`);
  }

  async #absent(): Promise<Found<Made>> {
    const { ctx, operation } = this.#run;
    const db = ctx.db.as(allTenants);
    // Accepted for review (1001) before and missing now: the review ended with a refusal. Sending it again would be a new order. Decided
    // by the journal, because the operation's state changes when a query gets no answer.
    if (await wasReviewed(db, operation.id, 'register')) {
      // If an earlier create may have arrived too, the refusal may concern that one and the view may be older than the later one, so it
      // keeps waiting.
      const isLater = await mayHaveActedBefore(db, operation.id, 'register', operation.cltrid ?? undefined);
      if (isLater && mayBeStaleRead(this.#run))
        return { kind: 'done', pending: true, data: { createdAt: ctx.clock.now(), expiresAt: null } };
      return { kind: 'refused', evidence: { text: 'the registry refused the registration after its review' } };
    }
    const isDone = await wasDone(db, operation.id, 'register');
    return isDone
      ? { kind: 'unknown', why: 'the registry created the domain and does not show it' }
      : { kind: 'never' };
  }

  /**
   * The registry answered "exists" but does not show the domain. While a create of this order may be the reason, neither answer is
   * accepted.
   */
  async isContradicted(found: Found<Made>): Promise<boolean> {
    const { ctx, operation } = this.#run;
    if (found.kind === 'done') return true;
    return (
      found.kind === 'never' && (await mayHaveActedBefore(ctx.db.as(allTenants), operation.id, 'register', undefined))
    );
  }

  async #whatDoesNotFit(found: RegistryDomain): Promise<string | undefined> {
    const { ctx, operation } = this.#run;
    const isSent = await mayHaveActedBefore(ctx.db.as(allTenants), operation.id, 'register', undefined);
    if (!isSent) return 'no create of this order can have registered it';
    const isOther =
      found.registrant !== null && this.#registrant !== undefined && found.registrant !== this.#registrant;
    return isOther ? `its registrant is ${found.registrant}, and this order named ${this.#registrant}` : undefined;
  }
}
