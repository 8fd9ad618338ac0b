import type { EppServerEvent } from '@namehold/epp/server';

/** Counts EPP commands and connections since the start. */
export interface CommandCounters {
  observe(event: EppServerEvent): void;
  sessionsOf(clientId: string): number;
  answers(): Record<string, Record<string, number>>;
  brokenFrames(): number;
  sessions(): number;
}

export function openCommandCounters(): CommandCounters {
  const answers = new Map<string, Map<string, number>>();
  const clients = new Map<string, string>();
  const connected = new Set<string>();
  let broken = 0;
  return {
    observe(event) {
      if (event.type === 'connected') connected.add(event.session);
      if (event.type === 'logged-in') clients.set(event.session, event.clID);
      if (event.type === 'disconnected') {
        clients.delete(event.session);
        connected.delete(event.session);
      }
      if (event.type === 'broken-frame') broken += 1;
      if (event.type === 'answered') {
        const codes = answers.get(event.command) ?? new Map<string, number>();
        codes.set(String(event.code), (codes.get(String(event.code)) ?? 0) + 1);
        answers.set(event.command, codes);
      }
    },
    sessionsOf: (clientId) => [...clients.values()].filter((each) => each === clientId).length,
    answers: () => Object.fromEntries([...answers].map(([command, codes]) => [command, Object.fromEntries(codes)])),
    brokenFrames: () => broken,
    sessions: () => connected.size,
  };
}
