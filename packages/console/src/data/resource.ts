import { signal } from '@preact/signals';
import { QueryClient, QueryObserver } from '@tanstack/query-core';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Answered, addressOf, send } from '../api/call.ts';
import type { AnswerOf, Inputs, Readable } from '../api/shapes.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';

/** What the service said, by address. Whatever is changed is asked again; nothing is kept beyond the page. */
export const cache = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 15_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false } },
});

export interface Resource<T> {
  /** What was said last; stays while it is asked again and when that fails. */
  readonly data: T | undefined;
  readonly headers: Headers | undefined;
  readonly trouble: Trouble | undefined;
  /** Nothing was said yet. */
  readonly isLoading: boolean;
  /** Asked again right now. */
  readonly isAsking: boolean;
  again(): void;
}

type Asked = readonly ['v1', string];
const keyOf = (address: string): Asked => ['v1', address];

/** Reads one address and follows it. `undefined` for inputs: not yet. */
export function useResource<P extends Readable>(
  path: P,
  inputs: Inputs<P, 'get'> | undefined,
  { everyMs }: { readonly everyMs?: number } = {},
): Resource<AnswerOf<P, 'get'>> {
  const address = inputs === undefined ? undefined : addressOf(path, inputs);
  const observer = useMemo(
    () =>
      new QueryObserver<Answered<unknown>, Error>(cache, {
        queryKey: keyOf(address ?? ''),
        queryFn: ({ signal: ended }) => send('get', address ?? '', undefined, { signal: ended }),
        enabled: address !== undefined,
        ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
      }),
    [address, everyMs],
  );
  const [, redraw] = useState(0);
  useEffect(() => observer.subscribe(() => redraw((n) => n + 1)), [observer]);
  const { data, error, isPending, isFetching } = observer.getCurrentResult();
  return {
    data: data?.body as AnswerOf<P, 'get'> | undefined,
    headers: data?.headers,
    trouble: error ? asTrouble(error) : undefined,
    isLoading: isPending && address !== undefined,
    isAsking: isFetching,
    again: () => void observer.refetch(),
  };
}

/** What one window changed, the others of the browser show too. */
const windows = new BroadcastChannel('changes');
windows.onmessage = ({ data }: MessageEvent<readonly string[]>) => void askAgain(data);

/** Everything whose address begins so is asked again, now where it is shown and else when it is shown next. */
export function changed(...beginnings: readonly string[]): Promise<void> {
  windows.postMessage(beginnings);
  return askAgain(beginnings);
}

function askAgain(beginnings: readonly string[]): Promise<void> {
  return cache.invalidateQueries({
    predicate: ({ queryKey }) =>
      beginnings.some((each) => String((queryKey as unknown as Asked)[1]).startsWith(`/v1${each}`)),
  });
}

/** The version of what was read, for If-Match. */
export const versionOf = (resource: Resource<unknown>): string | undefined =>
  resource.headers?.get('ETag') ?? undefined;

/** How many rows a list has in all, as its header says. */
export const totalOf = (resource: Resource<unknown>): number => Number(resource.headers?.get('X-Total-Count') ?? 0);

/** Where that is only what was counted of a long list: whether rows follow this page. */
export function isMoreOf({ headers }: Resource<unknown>): boolean | undefined {
  return headers?.get('X-Total-Count-Is') === 'at-least' ? /rel="next"/.test(headers.get('Link') ?? '') : undefined;
}

/** Not connected since; undefined while the service answers. */
export const lostAt = signal<Date | undefined>(undefined);
