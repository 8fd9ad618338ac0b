import type { MailCountRow } from '../core/mail-forwarding/counts.sql.ts';
import { mailLimits, type SpamWay } from '../core/mail-forwarding/forward.ts';
import type { MailCounter } from './mail-counter.ts';
import type { Routes } from './maps.ts';
import { type MessageLimits, ReturnLimits } from './message-limits.ts';
import { PendingSpamResults } from './pending-spam-results.ts';
import type { Attributes } from './policy.ts';
import { isPostfixReport, type Srs, splitAddress } from './srs.ts';

/** Of one address. */
const returnsPerMinute = 60;
/** Mails that are being handed over at a time, which are remembered until their end. */
const maxInFlight = 10_000;
const isReturn = /^srs[01][=+-]/i;
const needsQuotes = /[\s"(),:;<>@[\\\]]/;
/** Where Postfix sends its reports to us: no name of the world. */
const reportDomain = 'namehold.invalid';
const passOn = 'DUNNO';
/** Before Postfix says to whom it relays: what it remembers of a name may be older than its forwarding. */
const take = 'OK';
/** Nothing is known here that would spare Postfix the question of the map. */
const checkRecipientMap = 'reject_unlisted_recipient';

interface Named {
  readonly name: string;
  readonly domainId: string;
}

/** A mail that is being handed over. */
interface InFlightMail {
  readonly names: Set<string>;
  /** Of every recipient: a mail is judged once. */
  readonly spam: SpamWay;
}

export interface MailPolicyParts {
  readonly routes: Routes;
  /** False: a name that is not known may still be ours. */
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
 * Says in words why mail is not taken, keeps to the limits and counts. Where mail goes is said by the maps alone: while nobody answers here, mail
 * flows all the same.
 */
export class MailPolicy {
  readonly #parts: MailPolicyParts;
  readonly #returns = new ReturnLimits(returnsPerMinute);
  /** By Postfix's own mark of the mail; the oldest give way. */
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
    return this.#parts.isComplete() ? checkRecipientMap : '450 4.3.0 The names are still being read; try again later';
  }

  /** What could not be rewritten so that returns come back, and what would be sent on as if we had written it. */
  #refusedSender(attributes: Attributes): string | undefined {
    const { mailDomain, mailHosts, writtenDomains, srs } = this.#parts;
    const sender = attributes.get('sender') ?? '';
    if (sender === '') return undefined;
    const from = splitAddress(sender);
    if (!from) return '553 5.1.7 Nothing could be returned to this sender: it is no complete address';
    if (from.host.startsWith('['))
      return '553 5.1.7 Nothing could be returned to this sender: it has an IP address in place of a domain';
    if (needsQuotes.test(from.local))
      return '553 5.1.7 Nothing could be returned to this sender: its local part needs quotes';
    if (srs.forward(sender) === undefined)
      return '553 5.1.7 Nothing could be returned to this sender: its address is too long';
    const host = from.host.toLowerCase();
    const isReserved = host === mailDomain || host === reportDomain || isPostfixReport(sender, mailHosts);
    if (!isReserved) return undefined;
    const isOurs = isReturn.test(sender)
      ? srs.back(sender) !== undefined
      : writtenDomains.includes(host) && isFromService(attributes);
    return isOurs ? undefined : '550 5.7.1 Nobody else sends in this name';
  }

  #returned(address: string): string {
    const { srs, now } = this.#parts;
    if (!isReturn.test(address)) return checkRecipientMap;
    if (srs.back(address) === undefined) return '550 5.1.1 This return address is not one of ours, or it is too old';
    return this.#returns.take(address.toLowerCase(), now())
      ? checkRecipientMap
      : '450 4.7.1 Too much comes back to this address; try again later';
  }

  #routed(local: string, { name, domainId }: Named, instance: string): string {
    const { routes, limits, counts, now } = this.#parts;
    const route = routes.routeOf(local, name);
    if (route.kind === 'targets') {
      if (routes.leadsTooFar(local, name)) {
        counts.count(domainId, 'refused', now());
        return `550 5.4.6 This address leads through more than ${mailLimits.steps} forwarded addresses`;
      }
      if (!limits.hasRoom(domainId, now())) {
        counts.count(domainId, 'limited', now());
        return '450 4.7.1 This name has had its share of mail for now; try again later';
      }
      return this.#remember(instance, domainId, route.spam)
        ? take
        : '452 4.5.3 This address treats spam in another way than those before it; hand its copy over by itself';
    }
    counts.count(domainId, route.kind === 'wait' ? 'deferred' : 'refused', now());
    if (route.kind === 'unknown') return '550 5.1.1 There is no such address here';
    return route.kind === 'wait' ? `450 4.2.1 ${oneLine(route.why)}` : `550 5.2.1 ${oneLine(route.why)}`;
  }

  /** False: the mail has recipients already who want another way with spam. */
  #remember(instance: string, domainId: string, spam: SpamWay): boolean {
    if (instance === '') return true;
    const known = this.#inFlight.get(instance) ?? { names: new Set(), spam };
    if (known.spam !== spam) return false;
    known.names.add(domainId);
    this.#inFlight.set(instance, known);
    if (this.#inFlight.size > maxInFlight) this.#inFlight.delete(this.#inFlight.keys().next().value!);
    return true;
  }

  /** What rspamd made of a mail in the end. False: not understood. */
  recordResult(said: string): boolean {
    return this.#spamResults.recordResult(said, this.#parts.now());
  }

  /** All that was counted, with mail of which nobody will say any more what became of it. */
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
