import type { MailCountRow } from '../core/mail-forwarding/counts.sql.ts';
import { mailLimits, type SpamWay } from '../core/mail-forwarding/forward.ts';
import type { MailCounter } from './mail-counter.ts';
import type { Routes } from './maps.ts';
import { type MessageLimits, ReturnLimits } from './message-limits.ts';
import { PendingSpamResults } from './pending-spam-results.ts';
import type { Attributes } from './policy.ts';
import { splitAddress, unreturnable } from './sender.ts';
import { isPostfixReport, type Srs } from './srs.ts';

/** Returned messages a minute to one address. */
const returnsPerMinute = 60;
/** Maximum number of messages in progress. */
const maxInFlight = 10_000;
const isReturn = /^srs[01][=+-]/i;
/** Recipient domain for reports of Postfix to this process; it cannot exist in the DNS. */
const reportDomain = 'namehold.invalid';
const passOn = 'DUNNO';
/** Accepts a recipient before the relay check of Postfix, whose cache may be older than the forwarding. */
const take = 'OK';
/** Lets Postfix check the recipient map, because this policy knows nothing that decides it. */
const checkRecipientMap = 'reject_unlisted_recipient';

interface Named {
  readonly name: string;
  readonly domainId: string;
}

/** A message in progress. */
interface InFlightMail {
  readonly names: Set<string>;
  /** The same for every recipient, because a message is checked for spam once. */
  readonly spam: SpamWay;
}

interface MailPolicyParts {
  readonly routes: Routes;
  /** False: an unknown domain may exist. */
  readonly isComplete: () => boolean;
  readonly srs: Srs;
  readonly mailDomain: string;
  readonly mailHosts: readonly string[];
  /** In whose name the service itself writes. */
  readonly writtenDomains: readonly string[];
  readonly limits: MessageLimits;
  readonly counts: MailCounter;
  readonly now: () => Date;
}

/**
 * Policy service of Postfix: refuses mail with a reason, applies limits and counts. Destinations come only from the maps, so mail flows
 * even if this service does not answer.
 */
export class MailPolicy {
  readonly #parts: MailPolicyParts;
  readonly #returns = new ReturnLimits(returnsPerMinute);
  /** By Postfix's instance id of the message; the oldest entries are evicted. */
  readonly #inFlight = new Map<string, InFlightMail>();
  readonly #spamResults: PendingSpamResults;

  constructor(parts: MailPolicyParts) {
    this.#parts = parts;
    this.#spamResults = new PendingSpamResults(parts.counts, parts.limits);
  }

  decide(attributes: Attributes): string {
    const stage = attributes.get('protocol_state');
    if (stage === 'RCPT') return this.#recipient(attributes);
    if (stage === 'END-OF-MESSAGE') this.#endOfMessage(attributes);
    return passOn;
  }

  #recipient(attributes: Attributes): string {
    const refused = this.#refusedSender(attributes);
    if (refused !== undefined) return refused;
    const to = splitAddress(attributes.get('recipient') ?? '');
    if (!to) return checkRecipientMap;
    const name = to.host.toLowerCase();
    if (name === this.#parts.mailDomain) return this.#returned(`${to.local}@${name}`);
    const domainId = this.#parts.routes.idOf(name);
    if (domainId !== undefined) return this.#routed(to.local, { name, domainId }, attributes.get('instance') ?? '');
    return this.#parts.isComplete() ? checkRecipientMap : '450 4.3.0 Mail routes are still loading; try again later';
  }

  /** What could not be rewritten so that returns come back, and what would be sent on as if we had written it. */
  #refusedSender(attributes: Attributes): string | undefined {
    const { mailDomain, mailHosts, writtenDomains, srs } = this.#parts;
    const sender = attributes.get('sender') ?? '';
    if (sender === '') return undefined;
    const why = unreturnable(sender);
    if (why !== undefined) return why;
    if (srs.forward(sender) === undefined)
      return '553 5.1.7 Mail cannot be returned to this sender: its address is too long';
    const host = splitAddress(sender)!.host.toLowerCase();
    const isReserved = host === mailDomain || host === reportDomain || isPostfixReport(sender, mailHosts);
    if (!isReserved) return undefined;
    const isOurs = isReturn.test(sender)
      ? srs.back(sender) !== undefined
      : writtenDomains.includes(host) && isFromService(attributes);
    return isOurs ? undefined : '550 5.7.1 Sender address not permitted';
  }

  #returned(address: string): string {
    const { srs, now } = this.#parts;
    if (!isReturn.test(address)) return checkRecipientMap;
    if (srs.back(address) === undefined) return '550 5.1.1 This return address is invalid or expired';
    return this.#returns.take(address.toLowerCase(), now())
      ? checkRecipientMap
      : '450 4.7.1 Too many returned messages for this address; try again later';
  }

  #routed(local: string, { name, domainId }: Named, instance: string): string {
    const { routes, limits, counts, now } = this.#parts;
    const route = routes.routeOf(local, name);
    if (route.kind === 'targets') {
      if (routes.leadsTooFar(local, name)) {
        counts.count(domainId, 'refused', now());
        return `550 5.4.6 This address is forwarded more than ${mailLimits.steps} times`;
      }
      if (!limits.isBelowLimit(domainId, now())) {
        counts.count(domainId, 'limited', now());
        return '450 4.7.1 The domain has reached its limit of messages; try again later';
      }
      return this.#remember(instance, domainId, route.spam)
        ? take
        : '452 4.5.3 This recipient has another spam setting; send a separate copy';
    }
    counts.count(domainId, route.kind === 'wait' ? 'deferred' : 'refused', now());
    if (route.kind === 'unknown') return '550 5.1.1 No such address';
    return route.kind === 'wait' ? `450 4.2.1 ${oneLine(route.why)}` : `550 5.2.1 ${oneLine(route.why)}`;
  }

  /** False: the message already has recipients with another spam mode. */
  #remember(instance: string, domainId: string, spam: SpamWay): boolean {
    if (instance === '') return true;
    const known = this.#inFlight.get(instance) ?? { names: new Set(), spam };
    if (known.spam !== spam) return false;
    known.names.add(domainId);
    this.#inFlight.set(instance, known);
    if (this.#inFlight.size > maxInFlight) this.#inFlight.delete(this.#inFlight.keys().next().value!);
    return true;
  }

  /** Processes the final result of rspamd for a message. False: not understood. */
  recordResult(result: string): boolean {
    return this.#spamResults.recordResult(result, this.#parts.now());
  }

  /** Returns all counters, including messages that will get no result any more. */
  takeCounts(): MailCountRow[] {
    this.#spamResults.settleOld(this.#parts.now());
    return this.#parts.counts.take();
  }

  #endOfMessage(attributes: Attributes): void {
    const instance = attributes.get('instance') ?? '';
    const names = this.#inFlight.get(instance)?.names;
    this.#inFlight.delete(instance);
    if (names) this.#spamResults.wait(attributes.get('queue_id') ?? '', names, this.#parts.now());
  }
}

/** The service hands its mail over on the same machine, or signs in. An address proves nothing. */
const isFromService = (attributes: Attributes): boolean =>
  /^(127\.|::1$|::ffff:127\.)/i.test(attributes.get('client_address') ?? '') ||
  (attributes.get('sasl_username') ?? '') !== '';

const oneLine = (text: string) => text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
