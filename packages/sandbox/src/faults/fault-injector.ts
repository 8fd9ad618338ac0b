import type { ParsedCommand, ServerSession, ShapedAnswer, WireFault, WireHooks } from '@namehold/epp/server';
import { atMidnight, inOtherDateFormat, inZone } from './dates.ts';
import {
  type ActiveFault,
  type FaultKind,
  type FaultSpec,
  isMessageFaultKind,
  isWireFaultKind,
  type WireFaultKind,
} from './fault.ts';
import { type FaultRule, openFaultRules } from './fault-rules.ts';
import type { HeldCommands } from './held-commands.ts';
import type { MessageFaults } from './message-faults.ts';
import { stagedFaultOf } from './staged-fault.ts';
import type { StaleReads } from './stale-reads.ts';

/** Swaps two answers of one account with their ids, as if sessions were mixed up. */
interface Swap {
  /** Waits for a second answer of the account; without one the answer is delivered normally. */
  exchange(client: string, session: string, answer: ShapedAnswer, waitMs: number): Promise<ShapedAnswer>;
}

function openSwap(): Swap {
  const waiting = new Map<string, { session: string; answer: ShapedAnswer; take(other: ShapedAnswer): void }>();
  return {
    exchange(client, session, answer, waitMs) {
      const first = waiting.get(client);
      if (first !== undefined && first.session !== session) {
        waiting.delete(client);
        first.take(answer);
        return Promise.resolve(first.answer);
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => take(answer), waitMs);
        const take = (other: ShapedAnswer) => {
          clearTimeout(timer);
          if (waiting.get(client)?.take === take) waiting.delete(client);
          resolve(other);
        };
        if (first === undefined) waiting.set(client, { session, answer, take });
      });
    },
  };
}

const defaultNamespace = / xmlns="/g;

/** The same document with other prefixes. Its meaning is unchanged; a reader that depends on prefixes is wrong. */
function otherPrefixes(xml: string): string {
  const renamed = xml
    .replace(/(<\/?)([A-Za-z][\w-]*):/g, '$1n-$2:')
    .replace(/ xmlns:([A-Za-z][\w-]*)=/g, ' xmlns:n-$1=');
  // If only the root has a namespace without a prefix, all names without one are in it.
  if (renamed.match(defaultNamespace)?.length !== 1) return renamed;
  return renamed.replace(/(<\/?)(?=[A-Za-z][\w-]*[\s/>])/g, '$1e:').replace(defaultNamespace, ' xmlns:e="');
}

export interface FaultInjector {
  readonly hooks: WireHooks;
  list(): readonly ActiveFault[];
  activate(spec: FaultSpec): ActiveFault;
  /** All of them, or one. */
  clear(id?: string): void;
}

/** The parts of the registry that faults act on. */
interface FaultInjectorDeps {
  /** Open sessions of a registrar. */
  openSessions(clientId: string): number;
  readonly held: HeldCommands;
  readonly staleReads: StaleReads;
  readonly messageFaults: MessageFaults;
  /** Faults of chaos mode, which apply without any fault rule. */
  readonly chaosFaults?: readonly FaultSpec[];
}

const faultKey = 'faults';
const defaultSwapWaitMs = 1_000;
const defaultStaleMs = 5_000;
const defaultIdleMs = 30;

/** Injects faults; inactive without fault rules. */
export function openFaultInjector(deps: FaultInjectorDeps): FaultInjector {
  const { openSessions, held, staleReads, messageFaults, chaosFaults = [] } = deps;
  const swap = openSwap();
  const rules = openFaultRules(openSessions, chaosFaults);

  /** The first wire fault that applies. Decided once, before the command. */
  function wireFault(command: ParsedCommand, session: ServerSession) {
    const repeated = rules.isRepeated(command, session);
    for (const rule of rules.all()) {
      const { spec } = rule;
      if (!isWire(spec) || !rules.applies(rule, command, session, repeated)) continue;
      if (spec.kind === 'held') held.hold(spec, command, session);
      return stagedFaultOf(spec, rule.random);
    }
    return undefined;
  }

  const ruleOf = (kind: FaultKind, command: ParsedCommand, session: ServerSession): FaultRule | undefined =>
    [...rules.all()].find((rule) => rule.spec.kind === kind && rules.applies(rule, command, session, false));
  const appliedFault = (...of: Parameters<typeof ruleOf>): FaultSpec | undefined => ruleOf(...of)?.spec;

  async function applyMessageFaults(command: ParsedCommand, session: ServerSession): Promise<void> {
    if (session.clID === undefined) return;
    for (const rule of rules.all()) {
      const { kind } = rule.spec;
      const isPollRequest = command.object === 'poll' && command.verb === 'request';
      if (isMessageFaultKind(kind) && isPollRequest && rules.applies(rule, command, session, false))
        await messageFaults.apply(kind, session.clID);
      if (kind === 'lagging-info') await staleReads.remember(command, session, rule.spec.ms ?? defaultStaleMs);
    }
  }

  const hooks: WireHooks = {
    async beforeCommand(command, session): Promise<WireFault | undefined> {
      if (rules.isEmpty()) {
        session.attributes.delete(faultKey);
        return undefined;
      }
      rules.arrived(command, session);
      await applyMessageFaults(command, session);
      const staged = wireFault(command, session);
      // Answer faults are stored on the session, which has one command in flight.
      session.attributes.set(faultKey, staged?.stage === 'answer' ? staged.fault : undefined);
      return staged?.stage === 'command' ? staged.fault : undefined;
    },
    async shapeAnswer(command, session, response): Promise<ShapedAnswer | undefined> {
      messageFaults.acknowledged(command, session, response.results[0].code);
      await held.afterCommand(command, session);
      if (rules.isEmpty() || command.object === 'session' || session.clID === undefined) return undefined;
      const stale = staleReads.answer(command, session);
      const isStale = stale !== undefined && appliedFault('lagging-info', command, session) !== undefined;
      let answer: ShapedAnswer = { response: isStale ? stale : response, clTRID: command.clTRID };
      if (appliedFault('midnight-dates', command, session))
        answer = { ...answer, response: atMidnight(answer.response) };
      const rewrite = rewriting((kind) => ruleOf(kind, command, session));
      if (rewrite !== undefined) answer = { ...answer, rewrite };
      const hangUp = appliedFault('hang-up', command, session);
      if (hangUp !== undefined) hangUpWhenIdle(session, hangUp.ms ?? defaultIdleMs);
      const swapped = appliedFault('swapped-answers', command, session);
      if (swapped === undefined) return answer;
      return swap.exchange(session.clID, session.id, answer, swapped.ms ?? defaultSwapWaitMs);
    },
    async beforeAnswer(_command, session): Promise<WireFault | undefined> {
      return session.attributes.get(faultKey) as WireFault | undefined;
    },
  };

  return { hooks, list: rules.list, activate: rules.activate, clear: rules.clear };
}

/** The same content in another form. */
function rewriting(applies: (kind: FaultKind) => FaultRule | undefined): ((xml: string) => string) | undefined {
  const [zone, dates] = [applies('zone-dates'), applies('other-dates')];
  const rewrites = [
    ...(zone === undefined ? [] : [inZone(zone.spec)]),
    ...(dates === undefined || zone !== undefined ? [] : [inOtherDateFormat(dates.random)]),
    ...(applies('other-prefixes') === undefined ? [] : [otherPrefixes]),
  ];
  return rewrites.length === 0 ? undefined : (xml) => rewrites.reduce((text, rewrite) => rewrite(text), xml);
}

/** Closes the session if no command arrives within `idleMs`. */
function hangUpWhenIdle(session: ServerSession, idleMs: number): void {
  const seen = session.commandCount;
  setTimeout(() => {
    if (session.commandCount === seen) session.destroy('hung up');
  }, idleMs).unref();
}

const isWire = (spec: FaultSpec): spec is FaultSpec & { readonly kind: WireFaultKind } => isWireFaultKind(spec.kind);
