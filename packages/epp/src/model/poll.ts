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

/** Verisign lowbalance-poll-1.0: our balance at the registry has sunk under a threshold. */
export type LowBalanceData = {
  readonly object: 'lowBalance';
  readonly type: 'pollData';
  readonly registrarName: string;
  readonly creditLimit: DecimalText;
  readonly threshold: { readonly type: 'FIXED' | 'PERCENT'; readonly value: DecimalText };
  readonly availableCredit: DecimalText;
};
