import type { StoredEvent } from '../../core/events/read.sql.ts';

/** What a route answers with that wants the log to be followed: the front door opens the stream and keeps it. */
export class EventFeed {
  /** From where on, once it is known how far the log goes; refuses a place that is not in it. */
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
