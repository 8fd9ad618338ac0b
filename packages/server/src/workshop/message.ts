import type { Config } from '../config.ts';
import type { RefusalCode, RefusalDetails } from '../core/errors.ts';
import type { Actor, HeldKey } from '../core/house.ts';
import type { Paper } from '../core/invoices/printed.ts';
import type { ZoneTask } from '../core/zones/tasks.ts';

/** What a thread is started with. */
export interface ThreadStart {
  readonly config: Config;
}

/** An actor without its functions: these do not cross to another thread. */
export type PlainActor = Omit<Actor, 'idempotency'> & { readonly held: HeldKey | undefined };

export type Errand =
  | { readonly actor: PlainActor; readonly task: ZoneTask }
  | {
      readonly actor: Pick<Actor, 'resellerId'>;
      readonly task:
        | { readonly kind: 'export'; readonly domain: ZoneTask['domain']; readonly serial: number | undefined }
        | { readonly kind: 'print'; readonly paper: Paper };
    };

export type Report =
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      readonly message: string;
      readonly details: RefusalDetails;
    }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly code: string | undefined;
      readonly stack: string | undefined;
    };
