import { writeCommand } from '../command/command.ts';
import { EppUnsentError } from '../errors.ts';
import { type OrderValues, withFixed } from '../extension/fixed.ts';
import { HEADER_BYTES } from '../frame.ts';
import type { Answer } from '../model/answer.ts';
import type { DataOf, ObjectRequest } from '../model/request.ts';
import type { Greeting } from '../model/session.ts';
import type { RegistryProfile } from '../profile.ts';
import { checkClTRID } from '../validate/common.ts';
import { checkRequest } from '../validate/request.ts';
import { isTransform, targetsOf } from './outcome.ts';
import type { JournalEntry } from './ports.ts';
import { priorityOf } from './queue.ts';
import type { Priority, SendOptions } from './types.ts';

/** One command in the pool. */
export type Job<C> = {
  readonly request: ObjectRequest;
  readonly priority: Priority;
  readonly timeoutMs: number;
  readonly context: C | undefined;
  readonly order: OrderValues | undefined;
  /** The caller chose the clTRID, so a repeat cannot get a new one. */
  readonly hasGivenClTRID: boolean;
  clTRID: string;
  xml: string;
  /** The journal has an entry for this clTRID. */
  journalled: boolean;
  /** How often the session ended before the first byte was sent. */
  unsentAttempts: number;
  repeated: boolean;
  /** How often the connection was lost after the command was sent. Only queries are sent again. */
  lostConnections: number;
  resolve(answer: Answer<DataOf<ObjectRequest>>): void;
  reject(error: unknown): void;
};

/** Validates and writes the command, so that errors appear before it is queued. */
export function draftJob<C>(
  request: ObjectRequest,
  options: SendOptions<C>,
  profile: RegistryProfile,
  newClTRID: () => string,
): Omit<Job<C>, 'resolve' | 'reject'> {
  checkRequest(request, profile);
  const clTRID = options.clTRID ?? newClTRID();
  checkClTRID(clTRID);
  const { queryMs, transformMs } = profile.timeouts;
  return {
    request,
    priority: options.priority ?? priorityOf(request),
    timeoutMs: options.timeoutMs ?? (isTransform(request) ? transformMs : queryMs),
    context: options.context,
    order: options.order,
    hasGivenClTRID: options.clTRID !== undefined,
    clTRID,
    xml: writeFrameWithinLimit(request, clTRID, profile, options.order),
    journalled: false,
    unsentAttempts: 0,
    repeated: false,
    lostConnections: 0,
  };
}

export function writeFrameWithinLimit(
  request: ObjectRequest,
  clTRID: string,
  profile: RegistryProfile,
  order?: OrderValues,
): string {
  const xml = writeCommand(withFixed(request, profile, order), clTRID, profile.namespaces);
  const frameBytes = Buffer.byteLength(xml) + HEADER_BYTES;
  if (frameBytes > profile.limits.maxFrameBytes) {
    throw new EppUnsentError('frame-too-large', `${frameBytes} bytes`);
  }
  return xml;
}

/** Removes the fee extension if the registry's greeting does not list it. The check itself still works. */
export function removeUnofferedFeeExtension<C>(job: Job<C>, greeting: Greeting, profile: RegistryProfile): void {
  const { request } = job;
  const uri = profile.namespaces.fee;
  if (request.object !== 'domain' || request.verb !== 'check' || request.ext?.fee === undefined) return;
  if (uri === undefined || greeting.extURIs.includes(uri)) return;
  const { fee: _, ...ext } = request.ext;
  job.xml = writeFrameWithinLimit({ ...request, ext }, job.clTRID, profile, job.order);
}

export function journalEntry<C>(job: Job<C>, registry: string): JournalEntry<C> {
  const { request } = job;
  return {
    clTRID: job.clTRID,
    registry,
    object: request.object,
    verb: request.verb,
    ...('op' in request ? { op: request.op } : {}),
    targets: targetsOf(request),
    transform: isTransform(request),
    frame: job.xml,
    context: job.context,
  };
}
