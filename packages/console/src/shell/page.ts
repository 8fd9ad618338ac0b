import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';

export interface Page {
  /** Below `/app`, with `:name` for what varies. */
  readonly path: string;
  readonly load: () => Promise<{ default: ComponentType }>;
  /** Its place in the navigation; without one it is reached from other pages. */
  readonly place?: Place;
}

export interface Place {
  readonly group: 'top' | 'names' | 'business' | 'account' | 'operator' | 'sandbox';
  /** Within its group, from small to large. */
  readonly order: number;
  readonly icon: IconName;
  readonly label: () => string;
  /** The scope that it takes; what a role may not do is absent. */
  readonly needs?: string;
  /** Whether it is offered at all, where a scope does not say it; reads signals. */
  readonly isOffered?: () => boolean;
}
