import type { Config } from '../config.ts';
import type { Actor, HeldKey, TaskOwner } from '../core/app-context.ts';
import { Refusal, type RefusalCode, type RefusalDetails } from '../core/errors.ts';
import type { PdfDocument } from '../core/model/pdf-document.ts';
import type { ZoneTask } from '../core/model/zone-task.ts';

/** Start data of a thread. */
export interface ThreadStart {
  readonly config: Config;
}

/** An actor without its functions, which cannot be passed to a thread. */
export type PlainActor = Omit<Actor, 'idempotency'> & { readonly held: HeldKey | undefined };

/** A monotonic clock shared by all threads, in milliseconds. */
export const sharedNow = (): number => performance.timeOrigin + performance.now();

/** `until`: the deadline for the commit of a change, by `sharedNow`. */
export type WorkerRequest =
  | { readonly actor: PlainActor; readonly task: ZoneTask; readonly until: number }
  | {
      readonly actor: TaskOwner;
      readonly task:
        | { readonly kind: 'export'; readonly domain: ZoneTask['domain']; readonly serial: number | undefined }
        | { readonly kind: 'print'; readonly document: PdfDocument };
    };

export type WorkerResponse =
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

const retryAfterSeconds = 30;

export const tookTooLong = (limitMs: number): Refusal =>
  new Refusal('unavailable', `This took more than ${limitMs / 1_000} seconds and was cancelled. Nothing was changed.`, {
    retryAfterSeconds,
  });
