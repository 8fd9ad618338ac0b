import { signal } from '@preact/signals';
import { ownHeaders } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { invalidate } from './resource.ts';

/** How the page receives changes: event stream, polling, or nothing while signed out. */
export const liveness = signal<'off' | 'live' | 'polling'>('off');

const times = { quietMs: 20_000, pollMs: 15_000, retryMs: 5_000 };

type ServiceEvent = Schema<'Event'>;

/** Paths to invalidate by the type of the changed object. More than needed is safe; less is not. */
const affectedPaths: Readonly<Record<string, readonly string[]>> = {
  domain: ['/domains', '/moves', '/operations', '/account/balance', '/account/funds', '/search'],
  zone: ['/domains'],
  operation: ['/operations', '/domains', '/moves', '/account'],
  customer: ['/customers'],
  contact: ['/customers', '/domains'],
  reseller: ['/resellers', '/account'],
  key: ['/account/keys'],
  person: ['/users', '/me'],
};

function refreshAffected(event: ServiceEvent): void {
  void invalidate('/events', '/account/audit', ...(affectedPaths[event.object_type] ?? ['/']));
}

let listening: AbortController | undefined;
/** The last event received by any window. The stream continues after it. */
let lastId: string | undefined;

/** A message from the window that reads the stream: an event or the state of the stream. */
interface WindowMessage {
  readonly state?: 'live' | 'polling';
  readonly id?: string | undefined;
  readonly event?: ServiceEvent;
}

/**
 * All windows of a browser share one stream, because browsers allow six connections per host. The window with the lock reads the stream;
 * when it closes, the next window continues after the last event.
 */
const windows = new BroadcastChannel('events');
let lastMessageAt = 0;

function onWindowMessage({ state, id, event }: WindowMessage): void {
  if (!listening || listening.signal.aborted) return;
  lastMessageAt = performance.now();
  if (state) liveness.value = state;
  if (id) lastId = id;
  if (event) refreshAffected(event);
}
windows.onmessage = ({ data }: MessageEvent<WindowMessage>) => onWindowMessage(data);

function broadcast(message: WindowMessage): void {
  windows.postMessage(message);
  onWindowMessage(message);
}

export function listen(): void {
  stopListening();
  const mine = new AbortController();
  listening = mine;
  const polling = window.setInterval(() => {
    if (liveness.value === 'live' && performance.now() - lastMessageAt > 2 * times.quietMs) liveness.value = 'polling';
    if (liveness.value !== 'live') void invalidate('/');
  }, times.pollMs);
  mine.signal.addEventListener('abort', () => clearInterval(polling));
  // The request is rejected if listening stops before the lock is granted.
  navigator.locks.request('events', { signal: mine.signal }, () => follow(mine.signal)).catch(() => undefined);
}

export function stopListening(): void {
  listening?.abort();
  lastId = undefined;
  liveness.value = 'off';
}

async function follow(ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      await readStream(ended);
    } catch {
      // `liveness` shows the failure, and polling replaces the stream.
    }
    if (ended.aborted) return;
    broadcast({ state: 'polling' });
    await new Promise((resolve) => setTimeout(resolve, times.retryMs));
  }
}

async function readStream(ended: AbortSignal): Promise<void> {
  const silence = new AbortController();
  const headers = { ...ownHeaders, Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) };
  const response = await fetch('/v1/events/stream', { headers, signal: AbortSignal.any([ended, silence.signal]) });
  if (!response.ok || !response.body) throw new Error('no stream');
  let timer = 0;
  const onData = () => {
    broadcast({ state: 'live' });
    clearTimeout(timer);
    timer = window.setTimeout(() => silence.abort(), times.quietMs);
  };
  onData();
  try {
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      onData();
      const blocks = (rest + text).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) readBlock(block);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Server-sent events (WHATWG HTML, section 9.2.6): `id` and `data`. Comment lines only keep the connection open. */
function readBlock(block: string): void {
  const data: string[] = [];
  let id: string | undefined;
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith('id:')) id = line.slice(3).trim();
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  const event = data.length > 0 ? (JSON.parse(data.join('\n')) as ServiceEvent) : undefined;
  broadcast({ id, ...(event?.object_type ? { event } : {}) });
}
