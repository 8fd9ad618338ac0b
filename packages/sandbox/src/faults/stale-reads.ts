import {
  type DomainCheckRequest,
  type DomainInfoRequest,
  type DomainRequest,
  isTransform,
  type ResponseSpec,
} from '@namehold/epp';
import type { ParsedCommand, ServerSession } from '@namehold/epp/server';
import type { CarryOut } from './held-commands.ts';

/** An info that is answered from a copy which has not yet heard of the last change. */
export interface StaleReads {
  /** Before a change: keeps what an info would say now. */
  remember(command: ParsedCommand, session: ServerSession, staleMs: number): Promise<void>;
  /** What the copy says, while it lags. */
  answer(command: ParsedCommand, session: ServerSession): ResponseSpec | undefined;
}

/** Asked as the command itself was: where each must say the product of its name, this one does. */
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
      // A copy that lags already shows the older state.
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
