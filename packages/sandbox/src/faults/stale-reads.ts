import {
  type DomainCheckRequest,
  type DomainInfoRequest,
  type DomainRequest,
  isTransform,
  type ResponseSpec,
} from '@namehold/epp';
import type { ParsedCommand, ServerSession } from '@namehold/epp/server';
import type { CarryOut } from './held-commands.ts';

/** Answers an info from a copy without the last change. */
export interface StaleReads {
  /** Before a change: stores the current answer to an info. */
  remember(command: ParsedCommand, session: ServerSession, staleMs: number): Promise<void>;
  /** The stored answer, while it lags. */
  answer(command: ParsedCommand, session: ServerSession): ResponseSpec | undefined;
}

/** Sent as the client would: where each command must name the product, this one does. */
const infoLike = ({ name, ext }: DomainTransform): DomainInfoRequest & { readonly frame: string } => ({
  object: 'domain',
  verb: 'info',
  name,
  ...(ext?.other === undefined ? {} : { ext: { other: ext.other } }),
  frame: '',
});

type DomainTransform = Exclude<DomainRequest, DomainCheckRequest>;

const maxRemembered = 10_000;

export function openStaleReads(carryOut: CarryOut): StaleReads {
  const copies = new Map<string, { response: ResponseSpec; untilMs: number }>();
  const keyOf = (command: ParsedCommand, session: ServerSession): string | undefined =>
    command.object === 'domain' && 'name' in command ? `${session.clID} ${command.name.toLowerCase()}` : undefined;
  return {
    async remember(command, session, staleMs) {
      const key = keyOf(command, session);
      if (key === undefined || command.object !== 'domain' || !('name' in command) || !isTransform(command)) return;
      const untilMs = performance.now() + staleMs;
      const copy = copies.get(key);
      // A copy that lags already has the older state.
      const response =
        copy !== undefined && copy.untilMs > performance.now()
          ? copy.response
          : await carryOut(infoLike(command), session);
      if (copies.size >= maxRemembered) copies.clear();
      copies.set(key, { response, untilMs });
    },
    answer(command, session) {
      const key = keyOf(command, session);
      if (key === undefined || command.verb !== 'info') return undefined;
      const copy = copies.get(key);
      return copy !== undefined && copy.untilMs > performance.now() ? copy.response : undefined;
    },
  };
}
