import { allTenants } from '@namehold/base';
import { mayHaveActedBefore, wasDone, wasReviewed } from '../../operations/journal.sql.ts';
import type { Found, Run } from '../../operations/run.ts';
import { describe } from './ensure-contacts.ts';
import { isYoung } from './lagging-read.ts';
import type { RegistryDomain } from './registry.ts';

interface Made {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/**
 * Whose name is it, where the answer to a create is missing or says "exists"? No date tells, for clocks move and registries round.
 * The sponsor does, and our journal: it is this order's if we sponsor it and a create of this order may have been carried out.
 */
export class CreateOutcomeQuery {
  readonly #run: Run;
  readonly #name: string;
  readonly #registrant: string | undefined;
  /** Said where the registry holds the name for us and nothing of this order explains it. */
  ambiguousOutcome: string | undefined;
  /** What the registry says about a name that it still reviews. */
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
    return { kind: 'refused', evidence: { code: 2302, text: 'the name belongs to another registrar' } };
  }

  /** The registry tells nothing of the name itself. Whether it is free it does tell, and what of ours may have left our journal knows. */
  async #noAnswer(why: string): Promise<Found<Made>> {
    const { ctx, operation, registry } = this.#run;
    const checked = await registry.check([this.#name]);
    if (checked.kind === 'refused') return { kind: 'unknown', why: describe(checked.evidence) };
    if (checked.kind !== 'done') return { kind: 'unknown', why: checked.why };
    if (checked.data[0]?.available) return this.#absent();
    if (!(await mayHaveActedBefore(ctx.db.as(allTenants), operation.id, 'register', undefined))) return this.#taken();
    // A person has asked at the registry by other ways.
    if (this.#run.isDecidedDone) return { kind: 'done', data: { createdAt: ctx.clock.now(), expiresAt: null } };
    return this.#run.noAnswer(`${this.#name} is not free, and whose it is: ${why}`);
  }

  async #absent(): Promise<Found<Made>> {
    const { ctx, operation } = this.#run;
    const db = ctx.db.as(allTenants);
    // Accepted for review (1001) before, and not there any more: the review said no. Sending it again would be a new order. By the
    // journal, not by the operation's state, which a question without an answer has changed.
    if (await wasReviewed(db, operation.id, 'register')) {
      // Where an earlier create may have arrived too, the no may be about that one, and the view older than the later one: it waits on.
      const isLater = await mayHaveActedBefore(db, operation.id, 'register', operation.cltrid ?? undefined);
      if (isLater && isYoung(this.#run))
        return { kind: 'done', pending: true, data: { createdAt: ctx.clock.now(), expiresAt: null } };
      return { kind: 'refused', evidence: { text: 'the registry refused the registration after its review' } };
    }
    const isDone = await wasDone(db, operation.id, 'register');
    return isDone ? { kind: 'unknown', why: 'the registry made the name and does not show it' } : { kind: 'never' };
  }

  /** The registry said "exists" and shows nothing: while a create of this order may be the reason, nobody believes either. */
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
    if (!isSent) return 'no create of this order can have made it';
    const isOther =
      found.registrant !== null && this.#registrant !== undefined && found.registrant !== this.#registrant;
    return isOther ? `its registrant is ${found.registrant}, and this order named ${this.#registrant}` : undefined;
  }
}
