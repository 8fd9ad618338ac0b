import type { Status } from './common.ts';
import type { DecimalText, OtherExtensions } from './extension.ts';

export type PollRequestRequest = { readonly object: 'poll'; readonly verb: 'request'; readonly ext?: OtherExtensions };
export type PollAckRequest = {
  readonly object: 'poll';
  readonly verb: 'ack';
  readonly msgID: string;
  readonly ext?: OtherExtensions;
};
export type PollRequest = PollRequestRequest | PollAckRequest;

export type MessageQueue = {
  readonly count: number;
  readonly id: string;
  readonly qDate?: Date;
  readonly text?: string;
  readonly lang?: string;
};

/** Verisign lowbalance-poll-1.0: our balance at the registry is below a threshold. */
export type LowBalanceData = {
  readonly object: 'lowBalance';
  readonly type: 'pollData';
  readonly registrarName: string;
  readonly creditLimit: DecimalText;
  readonly threshold: { readonly type: 'FIXED' | 'PERCENT'; readonly value: DecimalText };
  readonly availableCredit: DecimalText;
};

/** Verisign rgp-poll-1.0: a restore was requested and its report is due. */
export type RgpPollData = {
  readonly object: 'rgpPoll';
  readonly type: 'pollData';
  readonly name: string;
  readonly status: Status;
  readonly requestedAt: Date;
  readonly reportDueAt: Date;
};

/** RFC 8590: the registry, or a third party through it, changed one of our objects. */
export type ChangeNotice = {
  /** Whether the message contains the object before or after the change. */
  readonly state: 'before' | 'after';
  /** create, delete, renew, transfer, update, restore, autoRenew, autoDelete, autoPurge, custom. */
  readonly operation: string;
  /** The name of a custom operation, or a part of the operation. */
  readonly detail?: string;
  readonly date: Date;
  readonly svTRID: string;
  readonly who: string;
  /** `udrp`, `urs` or a custom one by name. */
  readonly caseId?: { readonly type: string; readonly name?: string; readonly id: string };
  readonly reason?: string;
  readonly lang?: string;
};

export type MaintenanceSummary = {
  readonly id: string;
  readonly name?: string;
  readonly start: Date;
  readonly end: Date;
  readonly crDate: Date;
  readonly upDate?: Date;
};
export type MaintenanceSystem = {
  readonly name: string;
  readonly host?: string;
  /** none, partial, full. */
  readonly impact: string;
};
/** RFC 9167 3.3 */
export type Maintenance = MaintenanceSummary & {
  readonly types: readonly string[];
  /** create, update, delete, courtesy, end: the reason for this message. */
  readonly pollType?: string;
  readonly systems: readonly MaintenanceSystem[];
  /** production, ote, staging, dev, or a custom one by name. */
  readonly environment: { readonly type: string; readonly name?: string };
  /** planned or emergency. */
  readonly reason: string;
  readonly detail?: string;
  readonly descriptions: readonly { readonly text: string; readonly lang?: string; readonly type?: 'plain' | 'html' }[];
  readonly tlds: readonly string[];
  /** Whether clients must reconnect or change something. */
  readonly intervention?: { readonly connection: boolean; readonly implementation: boolean };
};
export type MaintenanceData = { readonly object: 'maintenance'; readonly type: 'infData' } & (
  | { readonly item: Maintenance }
  | { readonly list: readonly MaintenanceSummary[] }
);
