import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { words } from '../words/words.ts';

interface Given {
  readonly title: string;
  /** Instead of the plain title, where it holds more than text. */
  readonly shown?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** The head of every page: its title, also of the window, and what can be done here. */
export function PageHead({ title, shown, lead, actions }: Given) {
  const { app } = words();
  useEffect(() => {
    document.title = `${title} · ${app}`;
  }, [title, app]);
  return (
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>{shown ?? title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
  );
}
