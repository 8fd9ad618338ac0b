import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../core/app-context.ts';
import type { ConfirmableChange } from '../core/confirmation/answer-change.ts';
import {
  answerConfirmation,
  type Confirmable,
  type ConfirmableAddress,
  type Confirmed,
  readConfirmation,
} from '../core/confirmation/confirm.ts';
import type { ConfirmableTarget } from '../core/mail-forwarding/confirm.ts';
import { escapeHtml } from '../core/notices/compose.ts';
import { domainText } from '../core/notices/name-text.ts';
import { plainAddress } from './authenticate.ts';
import { bodyLimits } from './body.ts';

const addressMessages = {
  en: {
    title: 'Confirm your email address',
    lead: '{brand} asks you to confirm that this is your email address:',
    names: 'You are the registrant of these domains:',
    button: 'Confirm email address',
    done: 'Thank you. Your email address is confirmed.',
  },
  id: {
    title: 'Konfirmasi alamat email Anda',
    lead: '{brand} meminta Anda mengonfirmasi bahwa ini alamat email Anda:',
    names: 'Anda adalah pemilik domain berikut:',
    button: 'Konfirmasi alamat email',
    done: 'Terima kasih. Alamat email Anda telah dikonfirmasi.',
  },
};

function page(language: string, title: string, body: string): string {
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>body{font:18px/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.2rem}</style><main><h1>${title}</h1>${body}</main></html>`;
}

/** The same page for every invalid link, so that it reveals nothing. */
const nothing = page(
  'en',
  'This link is not valid',
  '<p>This link has already been used, has expired, or is incomplete. If you still need to confirm, please request a new email.</p><p lang="id">Tautan ini tidak berlaku: sudah digunakan, kedaluwarsa, atau tidak lengkap. Jika Anda masih perlu mengonfirmasi, silakan minta email baru.</p>',
);

const changeMessages = {
  en: {
    title: 'Confirm the change of registrant',
    lead: '{brand} asks you to confirm a change of registrant (the legal owner) for these domains:',
    more: 'and {n} more',
    former: 'Current registrant',
    present: 'New registrant',
    lock: 'After the change, the domains cannot be transferred to another registrar for {n} days. This lock protects you against theft.',
    waive: 'Do not apply this lock.',
    yes: 'Confirm change',
    no: 'Reject',
    done: 'Thank you. You confirmed the change. It is made when all parties have confirmed it.',
    refused: 'You rejected the change. The registrant stays the same.',
  },
  id: {
    title: 'Konfirmasi penggantian pemilik domain',
    lead: '{brand} meminta konfirmasi Anda untuk mengganti pemilik domain berikut:',
    more: 'dan {n} lainnya',
    former: 'Pemilik domain saat ini',
    present: 'Pemilik domain baru',
    lock: 'Setelah perubahan, domain tidak dapat ditransfer ke registrar lain selama {n} hari. Kunci ini melindungi Anda dari pencurian.',
    waive: 'Jangan terapkan kunci ini.',
    yes: 'Konfirmasi perubahan',
    no: 'Tolak',
    done: 'Terima kasih. Anda mengonfirmasi perubahan ini. Perubahan dilakukan setelah semua pihak mengonfirmasi.',
    refused: 'Anda menolak perubahan ini. Pemilik domain tidak berubah.',
  },
};

const targetMessages = {
  en: {
    title: 'Email forwarding',
    lead: '{brand} asks you to confirm forwarding of email for the addresses below to',
    yes: 'Confirm forwarding',
    no: 'Reject',
    stop: 'Stop forwarding',
    done: 'Thank you. Email is now forwarded to you.',
    names: 'Email for these addresses is forwarded to',
    stopLater: 'You can stop the forwarding with the same link.',
    idle: 'Thank you. No address is currently forwarded to you.',
    refused: 'Email is not forwarded to you from these domains.',
  },
  id: {
    title: 'Penerusan email',
    lead: '{brand} meminta konfirmasi Anda untuk meneruskan email untuk alamat di bawah ini ke',
    yes: 'Konfirmasi penerusan',
    no: 'Tolak',
    stop: 'Hentikan penerusan',
    done: 'Terima kasih. Email sekarang diteruskan kepada Anda.',
    names: 'Email untuk alamat berikut diteruskan ke',
    stopLater: 'Anda dapat menghentikan penerusan dengan tautan yang sama.',
    idle: 'Terima kasih. Saat ini tidak ada alamat yang diteruskan kepada Anda.',
    refused: 'Email dari domain ini tidak diteruskan kepada Anda.',
  },
};

const textList = (texts: readonly string[]) => texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('');

const namesList = (names: readonly string[]) =>
  names.map((name) => `<li>${escapeHtml(domainText(name))}</li>`).join('');

/** The page lists what is confirmed, before and after. */
function addressText({ language, brand, address, names }: ConfirmableAddress): string {
  const said = addressMessages[language];
  return `<p>${escapeHtml(said.lead.replace('{brand}', () => brand))} <strong>${escapeHtml(address)}</strong>.</p><p>${said.names}</p><ul>${namesList(names)}</ul>`;
}

function changeText({ language, brand, names, more, former, present }: ConfirmableChange): string {
  const said = changeMessages[language];
  const rest = more > 0 ? `<li>${said.more.replace('{n}', String(more))}</li>` : '';
  return `<p>${escapeHtml(said.lead.replace('{brand}', () => brand))}</p><ul>${namesList(names)}${rest}</ul><p>${said.former}: <strong>${escapeHtml(former)}</strong><br>${said.present}: <strong>${escapeHtml(present)}</strong></p>`;
}

function targetText({ language, brand, address, names }: ConfirmableTarget): string {
  const said = targetMessages[language];
  return `<p>${escapeHtml(said.lead.replace('{brand}', () => brand))} <strong>${escapeHtml(address)}</strong>.</p><ul>${textList(names)}</ul>`;
}

/** What is forwarded now. */
function forwardedText({ language, address, names }: ConfirmableTarget): string {
  const said = targetMessages[language];
  if (names.length === 0) return '';
  return `<p>${said.names} <strong>${escapeHtml(address)}</strong>:</p><ul>${textList(names)}</ul><p>${said.stopLater}</p>`;
}

/** The prior registrant can decline the lock (ICANN Transfer Policy II.C.2). */
function lockChoice({ language, lock }: ConfirmableChange): string {
  if (!lock) return '';
  const said = changeMessages[language];
  const checked = lock.isWaived ? ' checked' : '';
  return `<p>${said.lock.replace('{n}', String(lock.days))}<br><label><input type="checkbox" name="no_lock" value="1"${checked}> ${said.waive}</label></p>`;
}

const button = (value: 'yes' | 'no', text: string) =>
  `<button type="submit" name="answer" value="${value}">${text}</button>`;

function targetForm(shown: ConfirmableTarget): string {
  const said = targetMessages[shown.language];
  const yes = shown.mayAgree ? button('yes', said.yes) : '';
  const no = shown.mayStop ? button('no', shown.mayAgree ? said.no : said.stop) : '';
  // Opened again: what is forwarded now, instead of the request.
  const text = (shown.mayAgree ? '' : forwardedText(shown)) || targetText(shown);
  return page(shown.language, said.title, `${text}<form method="post"><p>${yes} ${no}</p></form>`);
}

/** A form without action posts to its own URL, so the token is in no attribute and no script is needed. */
function confirmationForm(shown: Confirmable): string {
  if (shown.kind === 'address') {
    const said = addressMessages[shown.language];
    const form = `<form method="post"><button type="submit">${said.button}</button></form>`;
    return page(shown.language, said.title, `${addressText(shown)}${form}`);
  }
  if (shown.kind === 'mail_target') return targetForm(shown);
  const said = changeMessages[shown.language];
  const form = `<form method="post">${lockChoice(shown)}<p>${button('yes', said.yes)} ${button('no', said.no)}</p></form>`;
  return page(shown.language, said.title, `${changeText(shown)}${form}`);
}

function thanks({ shown, isConfirmed }: Confirmed): string {
  if (shown.kind === 'address') return page(shown.language, addressMessages[shown.language].done, addressText(shown));
  if (shown.kind === 'mail_target') {
    const messages = targetMessages[shown.language];
    const agreed = shown.names.length > 0 ? messages.done : messages.idle;
    return page(shown.language, isConfirmed ? agreed : messages.refused, isConfirmed ? forwardedText(shown) : '');
  }
  const said = changeMessages[shown.language];
  return page(shown.language, isConfirmed ? said.done : said.refused, changeText(shown));
}

/** A change of registrant is approved or rejected explicitly. A post without either has no effect. */
function answerIn(body: unknown) {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const isConfirmed = fields.answer === 'yes' ? true : fields.answer === 'no' ? false : undefined;
  return { isConfirmed, isLockWaived: fields.no_lock === '1' };
}

const headers = {
  'Cache-Control': 'no-store',
  // The secret URL of the page is the proof.
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};

type Budget = (request: FastifyRequest) => Promise<void>;

/** Public and without an account: access to the mail is the proof. GET shows and POST confirms, so mail scanners confirm nothing. */
export function installConfirmPage(fastify: FastifyInstance, ctx: AppContext, budget: Budget): void {
  const answer = (reply: FastifyReply, html: string | undefined) =>
    reply
      .code(html ? 200 : 404)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(html ?? nothing);
  const options = {
    config: { routePath: '/confirm/{token}' },
    bodyLimit: bodyLimits.anonymousBytes,
    onRequest: (request: FastifyRequest) => budget(request),
  };
  fastify.get<{ Params: { token: string } }>('/confirm/:token', options, async (request, reply) => {
    const shown = await readConfirmation(ctx, request.params.token);
    return answer(reply, shown && confirmationForm(shown));
  });
  fastify.post<{ Params: { token: string } }>('/confirm/:token', options, async (request, reply) => {
    const said = answerIn(request.body);
    const confirmed = await answerConfirmation(ctx, request.params.token, said, plainAddress(request.ip));
    return answer(reply, confirmed && thanks(confirmed));
  });
}
