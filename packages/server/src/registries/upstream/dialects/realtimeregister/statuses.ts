import type { Detail } from '../../dialect.ts';

/** A domain with the statuses as they were sent, because an update contains all of them. */
export interface OwnDetail extends Detail {
  readonly statuses: readonly string[];
  /** Of the process that registers it or transfers it in. */
  readonly processId?: string | undefined;
}

export const ownDetail = (detail: Detail): OwnDetail => ({ statuses: [], ...detail });

/** RFC 3915 3.1 and the same words in other periods. */
const graces: Readonly<Record<string, string>> = {
  ADD_PERIOD: 'addPeriod',
  RENEW_PERIOD: 'renewPeriod',
  AUTO_RENEW_PERIOD: 'autoRenewPeriod',
  TRANSFER_PERIOD: 'transferPeriod',
};

export const rgpStatusesOf = (statuses: readonly string[]): string[] => statuses.flatMap((each) => graces[each] ?? []);

/** `SERVER_HOLD` as `serverHold`. What the upstream itself has set counts as set by the registry. */
export const registryStatusesOf = (statuses: readonly string[]): string[] =>
  statuses
    .filter((each) => each !== 'OK' && graces[each] === undefined)
    .map((each) => each.replace(/^(REGISTRAR|IRTPC)_/, 'SERVER_').toLowerCase())
    .map((each) => each.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));

const lock = ['CLIENT_UPDATE_PROHIBITED', 'CLIENT_DELETE_PROHIBITED'];
const transferLock = 'CLIENT_TRANSFER_PROHIBITED';
const hold = 'CLIENT_HOLD';

export const flagsOf = (statuses: readonly string[]) => ({
  isLocked: lock.some((each) => statuses.includes(each)),
  isSuspended: statuses.includes(hold),
  isProtected: statuses.includes(transferLock),
});

export interface StatusChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

const switched = (statuses: readonly string[], isOn: boolean): StatusChange =>
  isOn ? { add: statuses, remove: [] } : { add: [], remove: statuses };

export const statusChanges = {
  // The transfer lock has a flag of its own, which decides whether it stays.
  locked: (isOn: boolean): StatusChange => (isOn ? switched([...lock, transferLock], true) : switched(lock, false)),
  protected: (isOn: boolean): StatusChange => switched([transferLock], isOn),
  suspended: (isOn: boolean): StatusChange => switched([hold], isOn),
};

export const isUnlock = ({ remove }: StatusChange): boolean => remove.some((each) => lock.includes(each));

export function afterChanges(statuses: readonly string[], changes: readonly StatusChange[]): string[] {
  const after = new Set(statuses);
  for (const { add, remove } of changes) {
    for (const each of remove) after.delete(each);
    for (const each of add) after.add(each);
  }
  return [...after];
}
