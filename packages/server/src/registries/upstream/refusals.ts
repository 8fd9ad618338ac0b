import type { Evidence } from '../../core/ports/registry.ts';
import type { Outcome } from './dialect.ts';

interface Meaning {
  /** RFC 5730 3. Core reads refusals by these codes. */
  readonly code: number;
  /** For the caller. Texts of the upstream contain its ids and calls, so only the operator sees them. */
  readonly sentence: string;
  /** For the operator. */
  readonly fix: string;
}

const readPanel = 'Look at the domain in the panel of the upstream.';
const readRules = 'Compare the order with the rules of the TLD at the upstream.';
const readMessage = 'Read the message of the upstream. If it is unclear, contact its support.';

/** Why an upstream refuses. A dialect maps its codes and texts to these reasons. */
const meanings = {
  auth_code: { code: 2202, sentence: 'the auth code was refused', fix: 'Request the present auth code.' },
  blocked: { code: 2304, sentence: 'a lock or hold at the registry forbids it', fix: readPanel },
  conflict: {
    code: 2308,
    sentence: 'the state of the domain at the registry does not allow it',
    fix: readPanel,
  },
  contact: {
    code: 2005,
    sentence: 'the registry does not accept a contact',
    fix: 'Compare the contact with the rules of the TLD. Map the additional fields that it needs in the profile.',
  },
  cost: {
    code: 2308,
    sentence: 'the change costs more than the usual price',
    fix: 'Make the change in the panel of the upstream, if its price is acceptable.',
  },
  exists: { code: 2302, sentence: 'the domain is already registered', fix: readPanel },
  expiry_date: {
    code: 2306,
    sentence: 'the expiry date at the registry differs from the order',
    fix: 'Compare the domain with the upstream: namehold reconcile DOMAIN.',
  },
  in_use: { code: 2305, sentence: 'it is still in use at the registry', fix: readPanel },
  invalid: { code: 2005, sentence: 'the registry does not accept a value', fix: readRules },
  missing: { code: 2303, sentence: 'the object does not exist at the registry', fix: readPanel },
  no_money: {
    code: 2104,
    sentence: 'the order is not possible at present',
    fix: 'Fund the account at the upstream.',
  },
  not_allowed: {
    code: 2201,
    sentence: 'the upstream does not allow this query',
    fix: 'Compare the permissions of the key in the panel of the upstream.',
  },
  object_exists: { code: 2302, sentence: 'the object already exists at the registry', fix: readPanel },
  other: { code: 2308, sentence: 'the registry gave no reason that could be passed on', fix: readMessage },
  premium: {
    code: 2004,
    sentence: 'the domain has a premium price',
    fix: 'Order the domain with a price limit (max_price) or a quote, if this upstream sells premium domains.',
  },
  price: {
    code: 2308,
    sentence: 'the registry has another price',
    fix: 'Import the prices: namehold price import --from-upstream REGISTRY_ID.',
  },
  required: { code: 2003, sentence: 'the registry needs another value', fix: readRules },
  state: { code: 2304, sentence: 'the state of the domain at the registry does not allow it', fix: readPanel },
  term: { code: 2306, sentence: 'the term at the registry would be too long', fix: 'Order fewer years.' },
  tld: {
    code: 2307,
    sentence: 'the registry does not sell this TLD',
    fix: 'Add the TLD to the account at the upstream, or remove the TLD from the catalogue.',
  },
  transfer: { code: 2106, sentence: 'the registry does not allow a transfer at present', fix: readPanel },
} satisfies Readonly<Record<string, Meaning>>;

export type RefusalReason = keyof typeof meanings;

/** The evidence of a refusal before anything was sent, or of an object that is not there. */
export const evidenceOf = (reason: RefusalReason): Evidence & { readonly code: number } => {
  const { code, sentence } = meanings[reason];
  return { code, text: sentence };
};

interface RefusedAnswer {
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** The call does not exist, as far as the answer shows. */
  readonly isUnknownCall?: boolean;
}

const longest = 1_000;
/** Words of upstreams for a contact. A TLD that refuses one is the most frequent cause of a refused value. */
const contactWords = /\b(contact|registrant|owner|admin|tech|billing)([\s_-]?(id|handle|contact|data))?\b(?!\.\w)/i;

/** A refusal with the message of the upstream. */
export function refused(
  reason: RefusalReason,
  message: string,
  answer: RefusedAnswer = {},
): Extract<Outcome, { kind: 'refused' }> {
  const isAboutContact = reason === 'invalid' && contactWords.test(message);
  const known = isAboutContact ? 'contact' : reason;
  const { body, isUnknownCall = false } = answer;
  return {
    kind: 'refused',
    evidence: evidenceOf(known),
    refusal: { message: message.slice(0, longest), fix: meanings[known].fix, body, isUnknownCall },
  };
}

/** The account is not accepted: the credentials, the address, or its state. */
export const accountRefused = (text: string, status = 401): Outcome => ({
  kind: 'unsent',
  text: text.slice(0, longest),
  pause: { because: 'login', status },
});

/** Texts about the account. "Account" alone could be a part of a domain name. */
const accountWords =
  /\b(your|the|this|reseller|user) (user )?account (is|was|has been|may ?be) (\w+ or )?(suspended|disabled|inactive|closed)/i;

export const isAboutAccount = (text: string): boolean => accountWords.test(text);

const rateLimits = { defaultSeconds: 60, maxSeconds: 3_600 };

/** `seconds`: how long the upstream wants us to wait, if it is known. */
export function tooManyRequests(text: string, seconds: number = rateLimits.defaultSeconds): Outcome {
  const ms = Math.min(seconds, rateLimits.maxSeconds) * 1_000;
  return { kind: 'unsent', text: text.slice(0, longest), pause: { because: 'rate_limit', ms } };
}

/** Some upstreams have no request for another auth code, and refuse a second order. */
export const transferInProgress = (name: string): string =>
  `a transfer of ${name} is in progress at the upstream: cancel it there to use another auth code`;
