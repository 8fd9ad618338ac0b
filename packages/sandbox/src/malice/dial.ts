import type { ParsedCommand, ServerSession, ShapedAnswer, WireFault, WireHooks } from '@namehold/epp/server';
import { atMidnight, inZone } from './dates.ts';
import { type ActiveFault, type FaultKind, type FaultSpec, isMailKind, isWireKind, type WireKind } from './fault.ts';
import { harmOf } from './harm.ts';
import type { Held } from './held.ts';
import { openKnobs } from './knobs.ts';
import type { Lag } from './lag.ts';
import type { MailMischief } from './mail.ts';
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
}

const harmKey = 'malice';
const defaultSwapWaitMs = 1_000;
const defaultLagMs = 5_000;

/** Off until it is turned. */
export function openDial({ openSessions, held, lag, mail }: Reach): Dial {
  const swap = openSwap();
  const knobs = openKnobs(openSessions);

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

  const struckBy = (kind: FaultKind, command: ParsedCommand, session: ServerSession): FaultSpec | undefined =>
    [...knobs.all()].find((knob) => knob.spec.kind === kind && knobs.strikes(knob, command, session, false))?.spec;

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
      const zone = struckBy('zone-dates', command, session);
      if (zone !== undefined) answer = { ...answer, rewrite: inZone(zone) };
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

const isWire = (spec: FaultSpec): spec is FaultSpec & { readonly kind: WireKind } => isWireKind(spec.kind);
