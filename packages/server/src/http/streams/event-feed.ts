import type { StoredEvent } from '../../core/events/read.sql.ts';

/** Returned by a route that follows the event log. The request pipeline opens and owns the stream. */
export class EventFeed {
  /** The start position, once the end of the log is known. Refuses a position that is not in the log. */
  readonly after: (newest: bigint) => bigint;
  readonly type: string | undefined;
  readonly show: (event: StoredEvent) => string;
  readonly idOf: (number: string | bigint) => string;

  constructor(feed: Pick<EventFeed, 'after' | 'type' | 'show' | 'idOf'>) {
    this.after = feed.after;
    this.type = feed.type;
    this.show = feed.show;
    this.idOf = feed.idOf;
  }
}
