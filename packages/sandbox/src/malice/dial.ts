import type { ParsedCommand, ServerSession, ShapedAnswer, WireFault, WireHooks } from '@namehold/epp/server';
import { atMidnight, inZone, spelledOtherwise } from './dates.ts';
import { type ActiveFault, type FaultKind, type FaultSpec, isMailKind, isWireKind, type WireKind } from './fault.ts';
import { harmOf } from './harm.ts';
import type { Held } from './held.ts';
import { type Knob, openKnobs } from './knobs.ts';
import type { Lag } from './lag.ts';
import type { MailMischief } from './mail.ts';
import { otherPrefixes } from './prefixes.ts';
import { openSwap } from './swap.ts';

export interface Dial {
  readonly hooks: WireHooks;
  list(): readonly ActiveFault[];
  turn(spec: FaultSpec): ActiveFault;
  /** All of them, or one. */
  clear(id?: string): void;
}

/** What the dial reaches into. */
export interface Reach {
  /** Open sessions of a registrar. */
  openSessions(clientId: string): number;
  readonly held: Held;
  readonly lag: Lag;
  readonly mail: MailMischief;
  /** What strikes whether the dial is turned or not. */
  readonly standing?: readonly FaultSpec[];
}

const harmKey = 'malice';
const defaultSwapWaitMs = 1_000;
const defaultLagMs = 5_000;
const defaultIdleMs = 30;

/** Off until it is turned. */
export function openDial({ openSessions, held, lag, mail, standing = [] }: Reach): Dial {
  const swap = openSwap();
  const knobs = openKnobs(openSessions, standing);

  /** The first wire fault that strikes. Decided once, before the command. */
  function wireFault(command: ParsedCommand, session: ServerSession) {
    const repeated = knobs.isRepeated(command, session);
    for (const knob of knobs.all()) {
      const { spec } = knob;
      if (!isWire(spec) || !knobs.strikes(knob, command, session, repeated)) continue;
      if (spec.kind === 'held') held.hold(spec, command, session);
      return harmOf(spec, knob.random);
    }
    return undefined;
  }

  const knobOf = (kind: FaultKind, command: ParsedCommand, session: ServerSession): Knob | undefined =>
    [...knobs.all()].find((knob) => knob.spec.kind === kind && knobs.strikes(knob, command, session, false));
  const struckBy = (...of: Parameters<typeof knobOf>): FaultSpec | undefined => knobOf(...of)?.spec;

  async function mischief(command: ParsedCommand, session: ServerSession): Promise<void> {
    if (session.clID === undefined) return;
    for (const knob of knobs.all()) {
      const { kind } = knob.spec;
      const asksForMail = command.object === 'poll' && command.verb === 'request';
      if (isMailKind(kind) && asksForMail && knobs.strikes(knob, command, session, false))
        await mail.strike(kind, session.clID);
      if (kind === 'lagging-info') await lag.remember(command, session, knob.spec.ms ?? defaultLagMs);
    }
  }

  const hooks: WireHooks = {
    async beforeCommand(command, session): Promise<WireFault | undefined> {
      if (knobs.isEmpty()) {
        session.attributes.delete(harmKey);
        return undefined;
      }
      await mischief(command, session);
      const harm = wireFault(command, session);
      // What is to harm the answer waits on the session, which has one command in flight.
      session.attributes.set(harmKey, harm?.stage === 'answer' ? harm.fault : undefined);
      return harm?.stage === 'command' ? harm.fault : undefined;
    },
    async shapeAnswer(command, session, response): Promise<ShapedAnswer | undefined> {
      mail.acknowledged(command, session, response.results[0].code);
      await held.carriedOut(command, session);
      if (knobs.isEmpty() || command.object === 'session' || session.clID === undefined) return undefined;
      const stale = lag.answer(command, session);
      const lagging = stale !== undefined && struckBy('lagging-info', command, session) !== undefined;
      let answer: ShapedAnswer = { response: lagging ? stale : response, clTRID: command.clTRID };
      if (struckBy('midnight-dates', command, session)) answer = { ...answer, response: atMidnight(answer.response) };
      const rewrite = rewriting((kind) => knobOf(kind, command, session));
      if (rewrite !== undefined) answer = { ...answer, rewrite };
      const hangUp = struckBy('hang-up', command, session);
      if (hangUp !== undefined) hangUpWhenIdle(session, hangUp.ms ?? defaultIdleMs);
      const swapped = struckBy('swapped-answers', command, session);
      if (swapped === undefined) return answer;
      return swap.meet(session.clID, session.id, answer, swapped.ms ?? defaultSwapWaitMs);
    },
    async beforeAnswer(_command, session): Promise<WireFault | undefined> {
      return session.attributes.get(harmKey) as WireFault | undefined;
    },
  };

  return { hooks, list: knobs.list, turn: knobs.turn, clear: knobs.clear };
}

/** The same words, written otherwise. */
function rewriting(struck: (kind: FaultKind) => Knob | undefined): ((xml: string) => string) | undefined {
  const [zone, dates] = [struck('zone-dates'), struck('other-dates')];
  const rewrites = [
    ...(zone === undefined ? [] : [inZone(zone.spec)]),
    ...(dates === undefined || zone !== undefined ? [] : [spelledOtherwise(dates.random)]),
    ...(struck('other-prefixes') === undefined ? [] : [otherPrefixes]),
  ];
  return rewrites.length === 0 ? undefined : (xml) => rewrites.reduce((text, rewrite) => rewrite(text), xml);
}

/** Between two commands: one that comes in time keeps its session. */
function hangUpWhenIdle(session: ServerSession, idleMs: number): void {
  const seen = session.commandCount;
  setTimeout(() => {
    if (session.commandCount === seen) session.destroy('hung up');
  }, idleMs).unref();
}

const isWire = (spec: FaultSpec): spec is FaultSpec & { readonly kind: WireKind } => isWireKind(spec.kind);
