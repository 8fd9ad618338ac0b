import { useLocation } from 'preact-iso';

/** Filters and page are part of the address, so that lists can be shared. A new filter returns to the first page. */
export function usePageUrl() {
  const { path, query, route } = useLocation();
  return {
    path,
    query,
    page: Math.max(1, Number(query.page) || 1),
    go(changes: Record<string, string>) {
      const next = Object.entries({ ...query, page: '', ...changes }).filter(([, value]) => value !== '');
      const text = new URLSearchParams(next).toString();
      route(`${path}${text ? `?${text}` : ''}`, true);
    },
  };
}
