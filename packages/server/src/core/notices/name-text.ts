import { displayName, mixedScripts } from '@namehold/base';

/** Control characters, line separators, zero-width characters, and those that change the order in which others are shown. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\ufeff]/u;

/** A scheme, or a host with a path; a domain alone is the name of many a company. */
const link = '[a-z][a-z0-9+.-]*:\\/\\/\\S*|(?:[\\p{L}\\p{N}-]+\\.)+\\p{L}{2,}(?::\\d+)?\\/\\S*';
const links = new RegExp(link, 'giu');
const linkOrHost = new RegExp(`${link}|www\\.\\S+`, 'iu');

/** Whether a text has characters that are not shown or that change the order of others. */
const hasHidden = (text: string): boolean => hidden.test(text);

const hasUrl = (text: string): boolean => linkOrHost.test(text.normalize('NFKC'));

/** A name as a mail may show it, in one line. Undefined: it contains a URL, or nothing. */
export function nameText(name: string): string | undefined {
  const shown = name
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shown === '' || hasUrl(shown) ? undefined : shown;
}

export const withoutUrls = (text: string): string => text.replace(links, '…');

/** A domain name in Unicode, except one of mixed scripts, which could imitate another. */
export const domainText = (name: string): string => {
  const shown = displayName(name);
  return shown.split('.').some((label) => mixedScripts(label)) ? name : shown;
};

/** Why a name may not be that of a brand; undefined: it may. */
export function nameProblem(name: string): string | undefined {
  if (hasHidden(name))
    return 'Must be one line of text without invisible characters and without marks of text direction.';
  return hasUrl(name) ? 'Must not contain a URL.' : undefined;
}
