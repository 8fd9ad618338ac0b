import type { XmlElement } from '../xml/tree.ts';
import type { BalanceInfData } from './balance.ts';
import type { ContactData } from './contact.ts';
import type { DomainData } from './domain.ts';
import type { AnswerExtensions } from './extension.ts';
import type { HostData } from './host.ts';
import type { LowBalanceData, MaintenanceData, MessageQueue, RgpPollData } from './poll.ts';

/** resData of a namespace that this library has no file for. */
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

/** RFC 5730 2.6 extValue. Without a value the codec writes an empty placeholder element, as the schema demands one. */
export type ExtValue = { readonly value?: XmlElement; readonly reason: string; readonly lang?: string };

export type ResultSpec = {
  readonly code: number;
  /** RFC 5730 section 3 wording when left out. */
  readonly msg?: string;
  readonly lang?: string;
  readonly values?: readonly XmlElement[];
  readonly extValues?: readonly ExtValue[];
};

/** What a server answers with. */
export type ResponseSpec = {
  readonly results: readonly [ResultSpec, ...ResultSpec[]];
  readonly msgQ?: MessageQueue;
  readonly data?: AnswerData;
  readonly ext?: AnswerExtensions;
  /** Made by the server when left out. */
  readonly svTRID?: string;
  /** End the connection after this answer; implied by 1500, 2500, 2501 and 2502. */
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
  /** Name or id that its data are about, empty where they have none; only where the reader asked to go on. */
  readonly about?: string;
  /** What of it could not be read and was left out, where the reader asked to go on. */
  readonly unreadable?: string;
};
