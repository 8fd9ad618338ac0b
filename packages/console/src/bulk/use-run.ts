import { useRef, useState } from 'preact/hooks';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import type { Quote } from '../domains/quote.ts';
import { type Item, type Run, ready, sendItem, sentAs, type Terms, type Verb } from './run.ts';

const nothing: Run = { verb: 'renew', items: [] };

/** The one action on several names that is open, kept until each outcome is known. Names are sent one after the other. */
export function useRun() {
  const draft = useDraft<Run>('domains/bulk', nothing);
  const [isBusy, setBusy] = useState(false);
  const isStopped = useRef(false);
  const setItem = (next: Item) =>
    draft.set((before) => ({
      ...before,
      items: before.items.map((each) => (each.domainId === next.domainId ? next : each)),
    }));
  const sendAll = async (verb: Verb, items: readonly Item[]) => {
    setBusy(true);
    isStopped.current = false;
    try {
      for (const item of items) {
        if (isStopped.current) break;
        setItem(item);
        const { item: next, goOn } = await sendItem(verb, item);
        setItem(next);
        if (!goOn) break;
      }
    } finally {
      setBusy(false);
      await changed('/domains', '/operations', '/account');
    }
  };
  const { verb, items } = draft.value;
  // What was on its way when the page was left has no answer.
  const known = items.map((each) => (each.state === 'sent' && !isBusy ? { ...each, state: 'unknown' as const } : each));
  return {
    run: items.length > 0 ? { verb, items: known } : undefined,
    isBusy,
    begin: (next: Run) => draft.set(next),
    stop: () => {
      isStopped.current = true;
    },
    forget: () => draft.clear(),
    /** An order that went on by itself came to its end. */
    settle: setItem,
    /** Those that can go, each at the price that was shown. */
    send: (terms: Terms, quotes: Readonly<Record<string, Quote>>) =>
      sendAll(
        verb,
        items
          .filter((each) => each.state === 'ready' && (verb !== 'renew' || quotes[each.name]))
          .map((each) => sentAs(each, terms, quotes[each.name])),
      ),
    ask: () =>
      sendAll(
        verb,
        items.filter((each) => each.sent !== undefined),
      ),
    /** Back to the question, at a new price; only what is known not to have happened. */
    again: () =>
      draft.set((before) => ({
        ...before,
        items: before.items.map((each) => (each.state === 'refused' ? ready(each) : each)),
      })),
  };
}
