import { type AnswerExtensions, type Namespaces, type ResponseSpec, TLD_EXTENSIONS } from '@namehold/epp';

/** For each part of an answer the part of the protocol that must be served. */
const partOf: Readonly<Partial<Record<keyof AnswerExtensions, keyof Namespaces>>> = {
  fee: 'fee',
  feeCheck: 'fee',
  secDNS: 'secDNS',
  rgp: 'rgp',
  idn: 'idn',
  launch: 'launch',
  launchCheck: 'launch',
  allocationToken: 'allocationToken',
  organisations: 'orgext',
  change: 'changePoll',
  keysys: 'keysys',
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
  const kept = Object.entries({ ...ext, ...tldOf(ext, isServed) }).filter(
    ([key, value]) => value !== undefined && isServed(partOf[key as keyof AnswerExtensions]),
  );
  return {
    ...rest,
    ...(data !== undefined && isServed(partOfData[data.object]) ? { data } : {}),
    ...(kept.length > 0 ? { ext: Object.fromEntries(kept) } : {}),
  };
}

function tldOf(ext: AnswerExtensions | undefined, isServed: (part: keyof Namespaces) => boolean) {
  const served = TLD_EXTENSIONS.filter(({ name, part }) => ext?.tld?.[name] !== undefined && isServed(part));
  const kept = served.map(({ name }) => [name, ext?.tld?.[name]] as const);
  return { tld: kept.length > 0 ? Object.fromEntries(kept) : undefined };
}
