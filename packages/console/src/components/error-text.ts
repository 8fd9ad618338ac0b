import type { ApiError } from '../api/error.ts';
import { messages } from '../messages/common.ts';
import { refusalMessage, refusalText } from '../messages/refusal.ts';
import { isCustomer } from '../session/current-session.ts';
import { moneyText } from './money.tsx';

interface ErrorText {
  readonly title: string;
  readonly certain?: string;
  readonly advice?: string;
  /** The texts contain everything that the message of the service says. */
  readonly isComplete?: boolean;
}

/** An error in one line. Without a connection there is no message of the service. */
export const errorLine = (error: ApiError): string => refusalText(error.message) || describeError(error).title;

/** A customer cannot add funds, and the message names the customer as its provider knows it. */
function insufficientFunds({ facts: { missing } }: ApiError, message: string): ErrorText {
  const { errors: t } = messages();
  if (!isCustomer()) return { title: t.money, certain: message, advice: t.moneyDo };
  const { amount, currency } = (missing ?? {}) as { readonly amount?: string; readonly currency?: string };
  const low = amount && currency ? { certain: t.moneyLow(moneyText(amount, currency)) } : {};
  return { title: t.money, ...low, advice: t.moneyAsk, isComplete: true };
}

/** What happened, what is certain, and what to do. */
export function describeError(error: ApiError): ErrorText {
  const { errors: t } = messages();
  const { status, code } = error;
  const message = refusalMessage(code) ?? refusalText(error.message);
  if (code === 'page_failed') return { title: t.page, certain: message, advice: t.pageDo };
  if (error.isOffline) return { title: t.offline, certain: t.offlineCertain, advice: t.offlineDo };
  if (code === 'reauthentication_required') return { title: t.unproven, certain: t.nothingChanged };
  if (code === 'factor_required') return { title: t.factor, certain: t.nothingChanged, advice: t.factorDo };
  // A failed sign-in never changes or charges anything.
  if (code === 'incorrect_credentials') return { title: message };
  if (status === 404) return { title: t.notFound, advice: t.notFoundDo };
  if (status === 403) return { title: t.forbidden, certain: message, advice: t.forbiddenDo };
  if (status === 402) return insufficientFunds(error, message);
  if (status === 412) return { title: t.changedMeanwhile, certain: t.nothingChanged, advice: t.changedDo };
  if (status === 429) return { title: t.tooMany, advice: t.tooManyDo(error.retryAfterSeconds ?? 60) };
  if (status >= 500) return { title: t.ours, advice: t.oursDo };
  if (status === 409) return { title: t.conflict, certain: message };
  return { title: message || t.ours, certain: t.nothingChanged };
}
