import type { BalanceInfData, BalanceInfoRequest } from './balance.ts';
import type {
  ContactCheckRequest,
  ContactChkData,
  ContactCreateRequest,
  ContactCreData,
  ContactInfData,
  ContactInfoRequest,
  ContactRequest,
  ContactTransferRequest,
  ContactTrnData,
} from './contact.ts';
import type {
  DomainCheckRequest,
  DomainChkData,
  DomainCreateRequest,
  DomainCreData,
  DomainInfData,
  DomainInfoRequest,
  DomainRenData,
  DomainRenewRequest,
  DomainRequest,
  DomainTransferRequest,
  DomainTrnData,
} from './domain.ts';
import type {
  HostCheckRequest,
  HostChkData,
  HostCreateRequest,
  HostCreData,
  HostInfData,
  HostInfoRequest,
  HostRequest,
} from './host.ts';
import type { PollRequest } from './poll.ts';
import type { AnswerData } from './response.ts';
import type { SessionRequest } from './session.ts';

/** Every command, by object and verb. */
export type EppRequest =
  | DomainRequest
  | ContactRequest
  | HostRequest
  | BalanceInfoRequest
  | PollRequest
  | SessionRequest;
/** Requests that a caller of the client or pool may send; the session sends login and logout. */
export type ObjectRequest = DomainRequest | ContactRequest | HostRequest | BalanceInfoRequest | PollRequest;
export type EppVerb = EppRequest['verb'];
export type EppObject = EppRequest['object'];

/**
 * The data of a `done` answer. Queries always have data (an answer without is `unknown`).
 * A transform that the registry reports as successful is done even if the data is missing.
 */
export type DataOf<R extends EppRequest> = R extends DomainCheckRequest
  ? DomainChkData
  : R extends DomainInfoRequest
    ? DomainInfData
    : R extends DomainCreateRequest
      ? DomainCreData | undefined
      : R extends DomainRenewRequest
        ? DomainRenData | undefined
        : R extends DomainTransferRequest
          ? DomainTrnData | undefined
          : R extends ContactCheckRequest
            ? ContactChkData
            : R extends ContactInfoRequest
              ? ContactInfData
              : R extends ContactCreateRequest
                ? ContactCreData | undefined
                : R extends ContactTransferRequest
                  ? ContactTrnData | undefined
                  : R extends HostCheckRequest
                    ? HostChkData
                    : R extends HostInfoRequest
                      ? HostInfData
                      : R extends HostCreateRequest
                        ? HostCreData | undefined
                        : R extends BalanceInfoRequest
                          ? BalanceInfData
                          : R extends PollRequest
                            ? AnswerData | undefined
                            : undefined;
