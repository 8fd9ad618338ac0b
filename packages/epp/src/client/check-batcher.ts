import type { WallClock } from '../clock.ts';
import { feeQuestions, joinFeeAnswers } from '../extension/feeDrafts.ts';
import type { Answer } from '../model/answer.ts';
import type { DomainCheckRequest, DomainChkData } from '../model/domain.ts';
import type { FeeCheck } from '../model/extension.ts';
import { appliesUnder, type RegistryProfile, tldOf } from '../profile.ts';
import { checkFeeQuery, checkName } from '../validate/common.ts';
import { compact } from '../xml/read.ts';
import type { CheckedName, Priority } from './types.ts';

type PendingCheck = { resolve(answer: Answer<CheckedName>): void; reject(error: unknown): void };
type Group = {
  readonly names: Map<string, PendingCheck>;
  readonly fee: FeeCheck | undefined;
  readonly priority: Priority;
  stopTimer(): void;
};
type SendCheck = (request: DomainCheckRequest, priority: Priority) => Promise<Answer<DomainChkData>>;

/** Ten names in one check cost a registry as much as one. So names that are checked at nearly the same time share a command. */
export class CheckBatcher {
  readonly #send: SendCheck;
  readonly #profile: RegistryProfile;
  readonly #clock: WallClock;
  readonly #groups = new Map<string, Group>();
  /** Equal checks that are still open share one promise. */
  readonly #open = new Map<string, Promise<Answer<CheckedName>>>();

  constructor(send: SendCheck, profile: RegistryProfile, clock: WallClock) {
    this.#send = send;
    this.#profile = profile;
    this.#clock = clock;
  }

  async check(rawName: string, fee: FeeCheck | undefined, priority: Priority): Promise<Answer<CheckedName>> {
    // Rejected separately, so that one invalid name does not fail the check of others.
    checkName(rawName, 'name');
    checkFeeQuery(fee, this.#profile.rules);
    const name = rawName.toLowerCase();
    // If commands carry an extension that depends on the TLD, each TLD has its own check.
    const under = tldOf(this.#profile, name);
    const tld = this.#profile.extensions.some((each) => appliesUnder(each, under)) ? under : '';
    const groupKey = `${priority} ${tld} ${JSON.stringify(fee ?? null)}`;
    const openKey = `${groupKey} ${name}`;
    const open = this.#open.get(openKey);
    if (open !== undefined) return open;
    const pending = new Promise<Answer<CheckedName>>((resolve, reject) => {
      this.#join(groupKey, fee, priority, name, { resolve, reject });
    });
    this.#open.set(openKey, pending);
    try {
      return await pending;
    } finally {
      this.#open.delete(openKey);
    }
  }

  #join(key: string, fee: FeeCheck | undefined, priority: Priority, name: string, pending: PendingCheck): void {
    let group = this.#groups.get(key);
    if (group === undefined) {
      const stopTimer = this.#clock.after(this.#profile.checkGatherMs, () => this.#leave(key));
      group = { names: new Map(), fee, priority, stopTimer };
      this.#groups.set(key, group);
    }
    group.names.set(name, pending);
    if (group.names.size >= this.#profile.limits.maxNamesPerCheck) this.#leave(key);
  }

  #leave(key: string): void {
    const group = this.#groups.get(key);
    if (group === undefined) return;
    this.#groups.delete(key);
    group.stopTimer();
    void this.#query(group);
  }

  async #query(group: Group): Promise<void> {
    const { names, fee, priority } = group;
    try {
      const request: DomainCheckRequest = { object: 'domain', verb: 'check', names: [...names.keys()] };
      const answer =
        fee === undefined ? await this.#send(request, priority) : await this.#sendWithFees(request, fee, priority);
      for (const [name, pending] of names) pending.resolve(answerFor(name, answer));
    } catch (error) {
      for (const pending of names.values()) pending.reject(error);
    }
  }

  /** If the registry prices one command per check, the same names are checked once per command. */
  async #sendWithFees(request: DomainCheckRequest, fee: FeeCheck, priority: Priority): Promise<Answer<DomainChkData>> {
    const questions = feeQuestions(this.#profile.namespaces.fee, fee);
    const answers = await Promise.all(
      questions.map((each) => this.#send({ ...request, ext: { fee: each } }, priority)),
    );
    const [first] = answers as [Answer<DomainChkData>, ...Answer<DomainChkData>[]];
    const failed = answers.find((answer) => answer.kind !== 'done');
    if (failed !== undefined || first.kind !== 'done') return failed ?? first;
    const [prices, ...more] = answers.flatMap((answer) => (answer.kind === 'done' ? (answer.ext.feeCheck ?? []) : []));
    if (prices === undefined || more.length === 0) return first;
    const feeCheck = joinFeeAnswers(prices, more);
    if (feeCheck !== undefined) return { ...first, ext: { ...first.ext, feeCheck } };
    return unreadable(first.clTRID, 'prices in several currencies');
  }
}

const unreadable = (clTRID: string, text: string) =>
  ({ kind: 'unknown', clTRID, why: 'unreadable-answer', text }) as const;

function answerFor(name: string, answer: Answer<DomainChkData>): Answer<CheckedName> {
  if (answer.kind !== 'done') return answer;
  const item = answer.data.items.find((each) => each.id.toLowerCase() === name);
  if (item === undefined) {
    return unreadable(answer.clTRID, 'the answer does not include this name');
  }
  const fees = answer.ext.feeCheck;
  const data = compact<CheckedName>({
    item,
    fee: fees?.items.find((each) => each.id.toLowerCase() === name),
    feeCurrency: fees?.currency,
  });
  return { ...answer, data };
}
