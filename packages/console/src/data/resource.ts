import { signal } from '@preact/signals';
import { QueryClient, QueryObserver } from '@tanstack/query-core';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type ApiResponse, resourcePathOf, send } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Inputs, Readable, ResponseBody } from '../api/shapes.ts';

/** Responses by path, kept in memory only and read again after changes. */
export const cache = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 15_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false } },
});

export interface Resource<T> {
  /** The last response; kept during a new request and after an error. */
  readonly data: T | undefined;
  readonly headers: Headers | undefined;
  readonly error: ApiError | undefined;
  /** No response yet. */
  readonly isLoading: boolean;
  /** A request is in progress. */
  readonly isFetching: boolean;
  refetch(): void;
}

type ResourceKey = readonly ['v1', string];
const keyOf = (resourcePath: string): ResourceKey => ['v1', resourcePath];

/** Reads a path of the API and follows its changes. With `undefined` inputs, nothing is read yet. */
export function useResource<P extends Readable>(
  path: P,
  inputs: Inputs<P, 'get'> | undefined,
  { everyMs }: { readonly everyMs?: number } = {},
): Resource<ResponseBody<P, 'get'>> {
  const resourcePath = inputs === undefined ? undefined : resourcePathOf(path, inputs);
  const observer = useMemo(
    () =>
      new QueryObserver<ApiResponse<unknown>, Error>(cache, {
        queryKey: keyOf(resourcePath ?? ''),
        queryFn: ({ signal: ended }) => send('get', resourcePath ?? '', undefined, { signal: ended }),
        enabled: resourcePath !== undefined,
        ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
      }),
    [resourcePath, everyMs],
  );
  const [, redraw] = useState(0);
  useEffect(() => observer.subscribe(() => redraw((n) => n + 1)), [observer]);
  const { data, error: cause, isPending, isFetching } = observer.getCurrentResult();
  return {
    data: data?.body as ResponseBody<P, 'get'> | undefined,
    headers: data?.headers,
    error: cause ? asApiError(cause) : undefined,
    isLoading: isPending && resourcePath !== undefined,
    isFetching: isFetching,
    refetch: () => void observer.refetch(),
  };
}

/** Announces changed paths to other windows. */
const windows = new BroadcastChannel('changes');
windows.onmessage = ({ data }: MessageEvent<readonly string[]>) => void invalidateHere(data);

/** Invalidates all paths with these prefixes. Visible ones are read again immediately. */
export function invalidate(...beginnings: readonly string[]): Promise<void> {
  windows.postMessage(beginnings);
  return invalidateHere(beginnings);
}

function invalidateHere(beginnings: readonly string[]): Promise<void> {
  return cache.invalidateQueries({
    predicate: ({ queryKey }) =>
      beginnings.some((each) => String((queryKey as unknown as ResourceKey)[1]).startsWith(`/v1${each}`)),
  });
}

/** The ETag, for If-Match. */
export const versionOf = (resource: Resource<unknown>): string | undefined =>
  resource.headers?.get('ETag') ?? undefined;

/** The total number of rows, from the response header. */
export const totalOf = (resource: Resource<unknown>): number => Number(resource.headers?.get('X-Total-Count') ?? 0);

/** Whether more rows follow this page, if the total is only a lower bound. */
export function isMoreOf({ headers }: Resource<unknown>): boolean | undefined {
  return headers?.get('X-Total-Count-Is') === 'at-least' ? /rel="next"/.test(headers.get('Link') ?? '') : undefined;
}

/** The start of the disconnection; undefined while connected. */
export const disconnectedSince = signal<Date | undefined>(undefined);
