import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ServedZone } from '@namehold/dns';
import { startResponder } from '../responder.ts';
import type { Endpoint } from '../sockets/endpoint.ts';
import type { AnsweringSettings } from './settings.ts';
import { EntryReader } from './zone-feed.ts';
import { ZoneStore } from './zone-store.ts';

export type ToThread =
  | { readonly kind: 'feed'; readonly number: number; readonly entries: readonly Uint8Array[] }
  | { readonly kind: 'listen'; readonly number: number; readonly hosts: readonly string[]; readonly port: number }
  | { readonly kind: 'cookies'; readonly number: number; readonly secrets: readonly string[] }
  | { readonly kind: 'count'; readonly number: number }
  | { readonly kind: 'close'; readonly number: number };

export type FromThread = {
  readonly number: number;
  readonly error?: { message: string; code?: string | undefined };
  readonly found?: unknown;
};

export interface ThreadData {
  readonly answering: AnsweringSettings;
  readonly isAlone: boolean;
}

/** A thread that answers queries with its own sockets and its own copy of the zones. */
const { answering, isAlone } = workerData as ThreadData;
const store = new ZoneStore();
const counts = new Map<string, number>();
const cookies: { secrets: Uint8Array[] } = { secrets: [] };
let isComplete = false;
let endpoints: Endpoint[] = [];
const port = parentPort!;

/** The longest time for which indexing of zones may delay queries. */
const SLICE_MS = 2;
const PIECE_RRSETS = 200;
let sliceStart = 0;

async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - sliceStart < SLICE_MS) return;
  await setImmediate();
  sliceStart = performance.now();
}

async function feed(entries: readonly Uint8Array[]): Promise<void> {
  sliceStart = performance.now();
  for (const octets of entries) {
    const entry = new EntryReader(Buffer.from(octets.buffer, octets.byteOffset, octets.length));
    // An invalid zone must not keep other zones from being served.
    await take(entry).catch((error: unknown) => fault(`zone ${entry.name || entry.id} cannot be served: ${error}`));
    await yieldToEventLoop();
  }
}

async function take(entry: EntryReader): Promise<void> {
  if (entry.kind === 'complete') isComplete = true;
  else if (entry.kind === 'remove') store.remove(entry.id);
  else if (entry.kind === 'edit') edit(entry);
  else if (entry.count <= PIECE_RRSETS) store.adopt(entry.id, new ServedZone(entry.name, entry.rrsets()));
  else store.adopt(entry.id, await layOutLarge(entry));
}

const fault = (message: string) => port.postMessage({ number: -1, error: { message } } satisfies FromThread);

async function layOutLarge(entry: EntryReader): Promise<ServedZone> {
  const rrsets = entry.rrsets();
  // The SOA comes first.
  const zone = new ServedZone(entry.name, [rrsets.next().value!]);
  let laid = 0;
  for (const rrset of rrsets) {
    zone.put(rrset);
    if (++laid % PIECE_RRSETS === 0) await yieldToEventLoop();
  }
  return zone;
}

/** Applied in one step, so that no response contains half of a change. */
function edit(entry: EntryReader): void {
  const zone = store.find(entry.id);
  if (!zone) throw new Error(`change of zone ${entry.id}, which is not loaded`);
  for (const rrset of entry.rrsets()) zone.put(rrset);
  for (const { name, type } of entry.removed()) zone.remove(name, type);
}

async function listen(hosts: readonly string[], wanted: number): Promise<{ port: number }> {
  let found = wanted;
  for (const host of hosts) {
    const endpoint = await startResponder({
      host,
      port: found,
      sharesPort: !isAlone,
      zones: store.table,
      isComplete: () => isComplete,
      answering,
      cookies,
      count: (transport, rcode) => {
        const key = `${transport} ${rcode}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      },
      onError: (error) => fault(String(error)),
    });
    endpoints.push(endpoint);
    found = endpoint.port;
  }
  return { port: found };
}

async function work(message: ToThread): Promise<unknown> {
  if (message.kind === 'feed') return feed(message.entries);
  if (message.kind === 'listen') return listen(message.hosts, message.port);
  if (message.kind === 'cookies') cookies.secrets = message.secrets.map((secret) => Buffer.from(secret, 'hex'));
  if (message.kind === 'count') return { counts: [...counts], zones: store.size };
  if (message.kind === 'close') {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    endpoints = [];
  }
  return undefined;
}

// In order, so that an older version never replaces a newer one.
let last: Promise<void> = Promise.resolve();
port.on('message', (message: ToThread) => {
  last = last.then(async () => {
    try {
      port.postMessage({ number: message.number, found: await work(message) } satisfies FromThread);
    } catch (error) {
      const { message: text, code } = error as NodeJS.ErrnoException;
      port.postMessage({ number: message.number, error: { message: text, code } } satisfies FromThread);
    }
  });
});
