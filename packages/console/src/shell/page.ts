import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';
import { may, who } from '../session/who.ts';

export interface Page {
  /** Below `/app`, with `:name` for what varies. */
  readonly path: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Its place in the navigation; without one it is reached from other pages. */
  readonly place?: Place;
}

/** In the order in which they stand. */
export const groups = ['top', 'names', 'business', 'account', 'operator', 'sandbox'] as const;

export interface Place {
  readonly group: (typeof groups)[number];
  /** Within its group, from small to large. */
  readonly order: number;
  readonly icon: IconName;
  readonly label: () => string;
  /** The scope that it takes; what a role may not do is absent. */
  readonly needs?: string;
  /** Whether it is offered at all, where a scope does not say it; reads signals. */
  readonly isOffered?: () => boolean;
}

/** What a role may not do is absent. */
export function isOffered(place: Place): boolean {
  if (place.group === 'operator' && !who.value?.account.is_operator) return false;
  return (!place.needs || may(place.needs)) && (place.isOffered?.() ?? true);
}
