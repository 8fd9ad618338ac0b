import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { freePort } from '../../../../test/support/ports.ts';
import { linesOf, PostfixCopy } from '../support/postfix.ts';

/** It delivers to mailboxes in a folder, and reports what it cannot deliver. */
export class Postfix {
  readonly port: number;
  readonly #copy: PostfixCopy;

  constructor(port: number, mailboxes: readonly string[]) {
    this.port = port;
    this.#copy = new PostfixCopy(port);
    const { uid, gid } = this.#copy;
    writeFileSync(this.#copy.at('etc', 'mailboxes'), mailboxes.map((box) => `${box} ${box}/\n`).join(''));
    this.#copy.start(
      linesOf({
        myhostname: 'mx.test.example',
        mynetworks: '127.0.0.0/8',
        virtual_mailbox_domains: [...new Set(mailboxes.map((box) => box.split('@')[1]))].join(' '),
        virtual_mailbox_base: this.#copy.at('mail'),
        virtual_mailbox_maps: `texthash:${this.#copy.at('etc', 'mailboxes')}`,
        virtual_uid_maps: `static:${uid}`,
        virtual_gid_maps: `static:${gid}`,
        recipient_delimiter: '+',
        // An unknown recipient is found at delivery, as behind most relays: the report comes back by mail.
        smtpd_reject_unlisted_recipient: 'no',
        default_transport: 'error:nowhere else',
        notify_classes: '',
      }),
    );
  }

  static async start(mailboxes: readonly string[]): Promise<Postfix> {
    return new Postfix(await freePort(), mailboxes);
  }

  /** Mails in a mailbox, as stored. */
  mails(mailbox: string): string[] {
    const folder = this.#copy.at('mail', mailbox, 'new');
    try {
      return readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
    } catch {
      return [];
    }
  }

  log(): string {
    return this.#copy.log();
  }

  stop(): void {
    this.#copy.stop();
  }
}
