import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../messages/common.ts';
import { productName } from '../session/brand.ts';

interface Props {
  readonly title: string;
  /** Replaces the plain title if it is more than text. */
  readonly heading?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The name after the title of the window. */
  readonly app?: string;
}

/** The page title, which is also the window title, and the page actions. */
export function PageHead({ title, heading, lead, actions, app = productName(messages().app) }: Props) {
  useEffect(() => {
    document.title = app ? `${title} · ${app}` : title;
  }, [title, app]);
  return (
    <header class="page-head">
      <div>
        <h1 tabIndex={-1}>{heading ?? title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
  );
}
