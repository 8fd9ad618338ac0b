import { signal } from '@preact/signals';
import { ownHeaders } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { changed } from './resource.ts';

/** How the page learns of changes: by the stream, by asking every few seconds, or not at all (nobody is signed in). */
export const liveness = signal<'off' | 'live' | 'asking'>('off');

const times = { quietMs: 20_000, askMs: 15_000, againMs: 5_000 };

type Told = Shape<'Event'>;
const listeners = new Set<(event: Told) => void>();

/** Hears of each event as it happens; answers with how to stop. */
export function onEvent(listener: (event: Told) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What has to be asked again because of an event: more than strictly needed, never less. */
const concerned: Readonly<Record<string, readonly string[]>> = {
  domain: ['/domains', '/moves', '/operations', '/account/balance', '/account/funds', '/search'],
  zone: ['/domains'],
  operation: ['/operations', '/domains', '/moves', '/account'],
  customer: ['/customers'],
  contact: ['/customers', '/domains'],
  reseller: ['/resellers', '/account'],
  key: ['/account/keys'],
  person: ['/people', '/me'],
};

function tell(event: Told): void {
  void changed('/events', '/account/audit', ...(concerned[event.object_type] ?? ['/']));
  for (const listener of listeners) listener(event);
}

let ending: AbortController | undefined;
/** The event heard last: where the stream goes on after a gap, in whichever window. */
let lastId: string | undefined;

/** What the window that reads the stream tells the others: an event, or that there is a stream. */
interface Word {
  readonly state?: 'live' | 'asking';
  readonly id?: string | undefined;
  readonly event?: Told;
}

/**
 * The windows of a browser share one stream: a stream takes a connection for as long as it lasts, and a browser has six of them for a host.
 * The window that has the lock reads; when it is closed, the next one goes on after what was heard last.
 */
const windows = new BroadcastChannel('events');
let lastWord = 0;

function hear({ state, id, event }: Word): void {
  if (!ending || ending.signal.aborted) return;
  lastWord = performance.now();
  if (state) liveness.value = state;
  if (id) lastId = id;
  if (event) tell(event);
}
windows.onmessage = ({ data }: MessageEvent<Word>) => hear(data);

function say(word: Word): void {
  windows.postMessage(word);
  hear(word);
}

export function listen(): void {
  stopListening();
  const mine = new AbortController();
  ending = mine;
  const asking = window.setInterval(() => {
    if (liveness.value === 'live' && performance.now() - lastWord > 2 * times.quietMs) liveness.value = 'asking';
    if (liveness.value !== 'live') void changed('/');
  }, times.askMs);
  mine.signal.addEventListener('abort', () => clearInterval(asking));
  // Whoever stops before its turn was waiting for nothing.
  navigator.locks.request('events', { signal: mine.signal }, () => follow(mine.signal)).catch(() => undefined);
}

export function stopListening(): void {
  ending?.abort();
  lastId = undefined;
  liveness.value = 'off';
}

async function follow(ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      await readStream(ended);
    } catch {
      // Said by `liveness`; what is shown is asked for again meanwhile.
    }
    if (ended.aborted) return;
    say({ state: 'asking' });
    await new Promise((resolve) => setTimeout(resolve, times.againMs));
  }
}

async function readStream(ended: AbortSignal): Promise<void> {
  const quiet = new AbortController();
  const headers = { ...ownHeaders, Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) };
  const response = await fetch('/v1/events/stream', { headers, signal: AbortSignal.any([ended, quiet.signal]) });
  if (!response.ok || !response.body) throw new Error('no stream');
  let timer = 0;
  const heard = () => {
    say({ state: 'live' });
    clearTimeout(timer);
    timer = window.setTimeout(() => quiet.abort(), times.quietMs);
  };
  heard();
  try {
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      heard();
      const blocks = (rest + text).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) readBlock(block);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Server-sent events, WHATWG HTML 9.2.6: `id` and `data`; a line with a colon first is only a sign of life. */
function readBlock(block: string): void {
  const data: string[] = [];
  let id: string | undefined;
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith('id:')) id = line.slice(3).trim();
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
  }
  const event = data.length > 0 ? (JSON.parse(data.join('\n')) as Told) : undefined;
  say({ id, ...(event?.object_type ? { event } : {}) });
}
