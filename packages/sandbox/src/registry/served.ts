import type { AnswerExtensions, Namespaces, ResponseSpec } from '@namehold/epp';

/** For each part of an answer the part of the protocol that must be served. */
const partOf: Readonly<Partial<Record<keyof AnswerExtensions, keyof Namespaces>>> = {
  fee: 'fee',
  feeCheck: 'fee',
  secDNS: 'secDNS',
  rgp: 'rgp',
  us: 'usNexus',
  asia: 'asiaCed',
  idn: 'idn',
  launch: 'launch',
  launchCheck: 'launch',
  allocationToken: 'allocationToken',
  organisations: 'orgext',
  change: 'changePoll',
};
const partOfData: Readonly<Record<string, keyof Namespaces>> = {
  lowBalance: 'lowBalancePoll',
  rgpPoll: 'rgpPoll',
  balance: 'balance',
  maintenance: 'maintenance',
};

/** Removes from an answer everything that the endpoint does not serve. */
export function onlyServed(response: ResponseSpec, namespaces: Namespaces): ResponseSpec {
  const { ext, data, ...rest } = response;
  const isServed = (part: keyof Namespaces | undefined) => part === undefined || namespaces[part] !== undefined;
  const kept = Object.entries(ext ?? {}).filter(([key]) => isServed(partOf[key as keyof AnswerExtensions]));
  return {
    ...rest,
    ...(data !== undefined && isServed(partOfData[data.object]) ? { data } : {}),
    ...(kept.length > 0 ? { ext: Object.fromEntries(kept) } : {}),
  };
}
