import { useLayoutEffect, useRef } from 'preact/hooks';

interface Tab {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
  readonly count?: number;
}

/** Tabs are links, so that they can be bookmarked and shared. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const bar = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
  // In a narrow window the bar scrolls.
  useLayoutEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (bar.current && tab)
      bar.current.scrollLeft = tab.offsetLeft - bar.current.offsetLeft - bar.current.clientWidth / 3;
  }, [current]);
  return (
    <nav ref={bar} class="tabs" aria-label={label}>
      {tabs.map(({ href, label: text, isCurrent, count }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
