import type { XmlElement } from '../xml/tree.ts';
import type { BalanceInfData } from './balance.ts';
import type { ContactData } from './contact.ts';
import type { DomainData } from './domain.ts';
import type { AnswerExtensions } from './extension.ts';
import type { HostData } from './host.ts';
import type { LowBalanceData, MaintenanceData, MessageQueue, RgpPollData } from './poll.ts';

/** resData of a namespace without a codec in this library. */
export type OtherData = {
  readonly object: 'other';
  readonly type: 'elements';
  readonly elements: readonly XmlElement[];
};
export type AnswerData =
  | DomainData
  | ContactData
  | HostData
  | BalanceInfData
  | LowBalanceData
  | RgpPollData
  | MaintenanceData
  | OtherData;

/** RFC 5730 2.6 extValue. Without a value the codec writes an empty placeholder element, which the schema requires. */
export type ExtValue = { readonly value?: XmlElement; readonly reason: string; readonly lang?: string };

export type ResultSpec = {
  readonly code: number;
  /** Default: the wording of RFC 5730 section 3. */
  readonly msg?: string;
  readonly lang?: string;
  readonly values?: readonly XmlElement[];
  readonly extValues?: readonly ExtValue[];
};

/** An answer of a server. */
export type ResponseSpec = {
  readonly results: readonly [ResultSpec, ...ResultSpec[]];
  readonly msgQ?: MessageQueue;
  readonly data?: AnswerData;
  readonly ext?: AnswerExtensions;
  /** Default: made by the server. */
  readonly svTRID?: string;
  /** Closes the connection after this answer; implied by 1500, 2500, 2501 and 2502. */
  readonly close?: boolean;
};

/** A response as read from the wire. */
export type EppResponse = {
  readonly results: readonly [ResultSpec & { readonly msg: string }, ...(ResultSpec & { readonly msg: string })[]];
  readonly msgQ?: MessageQueue;
  readonly data?: AnswerData;
  readonly ext: AnswerExtensions;
  readonly clTRID?: string;
  readonly svTRID: string;
  /** Name or id that its data are about, empty without one; only if the reader set `goOn`. */
  readonly about?: string;
  /** Omitted parts that could not be read, if the reader set `goOn`. */
  readonly unreadable?: string;
};
