import type { ComponentType } from 'preact';
import type { IconName } from '../components/icon.tsx';
import { currentSession, may } from '../session/current-session.ts';

export interface Page {
  /** Below `/app`, with `:name` for parameters. */
  readonly path: string;
  /** An earlier address of the page. Links to it keep working. */
  readonly formerPath?: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** The navigation entry; pages without one are reached from other pages. */
  readonly place?: Place;
}

/** In the order of display. */
export const groups = ['top', 'names', 'business', 'account', 'operator', 'sandbox'] as const;

export interface Place {
  readonly group: (typeof groups)[number];
  /** The order within the group. */
  readonly order: number;
  readonly icon: IconName;
  readonly label: () => string;
  /** The required scope. Pages without permission are hidden. */
  readonly needs?: string;
  /** A further condition besides the scope; reads signals. */
  readonly isOffered?: () => boolean;
}

/** Whether the user can use the page. */
export function isOffered(place: Place): boolean {
  if (place.group === 'operator' && !currentSession.value?.account.is_operator) return false;
  return (!place.needs || may(place.needs)) && (place.isOffered?.() ?? true);
}
