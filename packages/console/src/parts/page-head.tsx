import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { houseName } from '../session/brand.ts';
import { words } from '../words/words.ts';

interface Given {
  readonly title: string;
  /** Instead of the plain title, where it holds more than text. */
  readonly shown?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** What stands behind the title of the window, where it is not the usual. */
  readonly app?: string;
}

/** The head of every page: its title, also of the window, and what can be done here. */
export function PageHead({ title, shown, lead, actions, app = houseName(words().app) }: Given) {
  useEffect(() => {
    document.title = app ? `${title} · ${app}` : title;
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
