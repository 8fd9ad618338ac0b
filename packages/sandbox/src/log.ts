import { systemClock } from '@namehold/base';
import type { SandboxEvent } from './sandbox.ts';

type Level = 'info' | 'warn' | 'error';
type Fields = Record<string, unknown>;

/** JSON lines on standard output. They never contain a frame, a password or an authInfo. */
export function logLine(level: Level, message: string, fields: Fields = {}): void {
  const line = { time: systemClock.now().toISOString(), level, service: 'sandbox', message, ...fields };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export function logEvent(event: SandboxEvent): void {
  const line = lineOf(event);
  if (line !== undefined) logLine(...line);
}

function lineOf(event: SandboxEvent): [Level, string, Fields] | undefined {
  switch (event.type) {
    case 'connected':
      return ['info', 'connected', { session: event.session, address: event.peer.address }];
    case 'logged-in':
      return ['info', 'logged in', { session: event.session, client: event.clID }];
    case 'password-changed':
      return ['info', 'password changed', { client: event.clientId }];
    case 'disconnected':
      return ['info', 'disconnected', { session: event.session, why: event.why }];
    case 'broken-frame':
      return ['warn', 'broken frame', { session: event.session, text: event.text }];
    case 'dispatch-failed':
      return ['error', 'command failed', { command: event.command, error: faultText(event.error) }];
    case 'scheduler-failed':
      return ['error', 'scheduler failed', { error: faultText(event.error) }];
    case 'database-fault':
      return ['error', 'database error', { error: faultText(event.error) }];
    case 'answered':
      return undefined;
  }
}

const faultText = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
