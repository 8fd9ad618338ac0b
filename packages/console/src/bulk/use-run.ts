import { useRef, useState } from 'preact/hooks';
import { useDraft } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import type { Quote } from '../domains/quote.ts';
import { type BulkSettings, type EndedBy, type Item, type Run, ready, sendItem, sentAs, type Verb } from './run.ts';

const nothing: Run = { verb: 'renew', items: [] };

/** The bulk action in progress. Domains are sent one after the other. */
export function useBulkRun() {
  const draft = useDraft<Run>('domains/bulk', nothing);
  const [isBusy, setBusy] = useState(false);
  const isStopped = useRef(false);
  const setItem = (next: Item) =>
    draft.set((before) => ({
      ...before,
      items: before.items.map((each) => (each.domainId === next.domainId ? next : each)),
    }));
  const setEnded = (endedBy: EndedBy | undefined) => draft.set((before) => ({ ...before, endedBy }));
  const sendAll = async (verb: Verb, items: readonly Item[]) => {
    setBusy(true);
    isStopped.current = false;
    try {
      for (const item of items) {
        if (isStopped.current) {
          setEnded('user');
          break;
        }
        setItem(item);
        const { item: next, shouldContinue } = await sendItem(verb, item);
        setItem(next);
        if (shouldContinue) continue;
        setEnded(next.state === 'unknown' ? 'connection' : 'refusal');
        break;
      }
    } finally {
      setBusy(false);
      await invalidate('/domains', '/operations', '/account');
    }
  };
  const { verb, items, endedBy } = draft.value;
  // Requests that were in flight when the page closed have an unknown outcome.
  const known = items.map((each) => (each.state === 'sent' && !isBusy ? { ...each, state: 'unknown' as const } : each));
  return {
    run: items.length > 0 ? { verb, items: known, endedBy } : undefined,
    isBusy,
    begin: (next: Run) => draft.set(next),
    stop: () => {
      isStopped.current = true;
    },
    dismiss: () => draft.clear(),
    /** Records the end of an operation that was in progress. */
    settle: setItem,
    /** Sends the items that are ready, each at the price shown. */
    send: (terms: BulkSettings, quotes: Readonly<Record<string, Quote>>) => {
      setEnded(undefined);
      return sendAll(
        verb,
        items
          .filter((each) => each.state === 'ready' && (verb !== 'renew' || quotes[each.name]))
          .map((each) => sentAs(each, terms, quotes[each.name])),
      );
    },
    checkStatus: () =>
      sendAll(
        verb,
        items.filter((each) => each.sent !== undefined),
      ),
    /** Prepares refused items for another attempt at a new price. */
    again: () =>
      draft.set((before) => ({
        ...before,
        items: before.items.map((each) => (each.state === 'refused' ? ready(each) : each)),
      })),
  };
}
