import type { Config } from '../../config.ts';
import { mailLimits } from '../../core/mail-forwarding/forward.ts';
import type { SnippetPart } from './snippet.ts';

/** What the configuration of a mail host is made from. */
export type MxFacts = Pick<Config, 'mailHosts' | 'mxHost' | 'mxPort' | 'mxPolicyPort'> &
  Partial<Pick<Config, 'mxCertificateFile' | 'mxSocketDir'>> & {
    /** The one it is for. */
    readonly mailHost: string;
    readonly mailDomain: string;
  };

const queueFolder = /^\/var\/spool\/postfix\//;

/** At which mail is refused, and from which on it is marked. Guessed addresses arrive at a catch-all too. */
const spamScores = { own: 12, catchAll: 8, marked: 6 } as const;

/** Postfix 3.7 or newer, rspamd 3.4 or newer, and the records that lead to them. */
export function mxSnippet(facts: MxFacts): SnippetPart[] {
  return [
    { file: '/etc/postfix/main.cf', text: mainCf(facts) },
    { file: '/etc/postfix/namehold-returns', text: returns(facts) },
    { file: '/etc/postfix/namehold-hops', text: hops },
    { file: '/etc/postfix/master.cf', text: masterCf },
    ...rspamd(facts),
    { file: 'commands', text: commands(facts) },
    { file: 'DNS records', text: records(facts) },
  ];
}

/** Where Postfix asks: at a socket, which its chrooted processes find below its queue directory, or at a port. */
function placeOf({ mxSocketDir, mxHost, mxPort, mxPolicyPort }: MxFacts, what: 'maps' | 'policy'): string {
  if (mxSocketDir === undefined) return `inet:${mxHost}:${what === 'maps' ? mxPort : mxPolicyPort}`;
  return `unix:${mxSocketDir.replace(queueFolder, '')}/${what}`;
}

function mainCf(facts: MxFacts): string {
  const { mailHost, mailDomain } = facts;
  // Most recipients are none of these, and senders are no more once they were rewritten: they are not asked about.
  const own = mailDomain.replaceAll('.', '\\.');
  const policy = (away: string) =>
    `check_policy_service { ${placeOf(facts, 'policy')}, timeout=2s, try_limit=1, default_action=${away} }`;
  return `myhostname = ${mailHost}
# Where mail goes: asked of namehold mx. While it is away, mail is put off (451), and nothing is lost.
namehold = socketmap:${placeOf(facts, 'maps')}
# Nothing is delivered on this machine: mail to its own names or IP addresses is refused at RCPT and never bounces
mydestination =
relay_domains =
local_transport = error:5.1.1 There are no mailboxes here
virtual_alias_domains = $namehold:domain
virtual_alias_maps = $namehold:route
virtual_alias_recursion_limit = ${2 * mailLimits.steps}
virtual_alias_expansion_limit = 50
# One copy for each target, however many addresses of a message lead to it
enable_original_recipient = no
# namehold mx itself knows what info+tag is, and what a catch-all is
recipient_delimiter =
# The sender is written in the name of ${mailDomain} (SRS), once; what comes back goes to the author
sender_canonical_maps = pipemap:{ regexp:{ {if !/@${own}$$/}, {/^(.+)$$/ $$1}, {endif} }, $namehold:srs_out }
sender_canonical_classes = envelope_sender
recipient_canonical_maps = pipemap:{ regexp:{ { /^(srs[01][=+-].*@${own})$$/ $$1 } }, $namehold:srs_in }
recipient_canonical_classes = envelope_recipient
smtpd_restriction_classes = namehold_returns
namehold_returns = check_sender_access regexp:{ { !/^<>$$/ 550 5.7.1 This address takes nothing but reports of undelivered mail } }
# Words, limits and counts, and whether the name is ours: what an smtpd remembers of that may be old. While it is away, mail flows without
# them, and the map is asked which addresses there are
smtpd_reject_unlisted_recipient = no
smtpd_relay_restrictions = check_recipient_access regexp:/etc/postfix/namehold-returns,
  ${policy('reject_unlisted_recipient')},
  permit_mynetworks, reject_unauth_destination
smtpd_recipient_restrictions =
smtpd_end_of_data_restrictions = ${policy('DUNNO')}
# Every pass writes a mark and counts those that are there: the fourth pass is a loop
smtpd_data_restrictions = reject_unauth_pipelining, check_client_access static:{PREPEND X-Namehold-Hop: 0}
header_checks = regexp:/etc/postfix/namehold-hops
mime_header_checks =
nested_header_checks =
hopcount_limit = 25
# A copy of each report of undelivered mail: namehold mx report finds out which targets fail
notify_classes = bounce, resource, software
bounce_notice_recipient = reports@namehold.invalid
2bounce_notice_recipient = reports@namehold.invalid
transport_maps = inline:{ { namehold.invalid = namehold-report: } }
smtpd_recipient_limit = 50
message_size_limit = 26214400
# Long lines stay as they are: to break them, as Postfix does by default after 998 characters, would break the author's DKIM signature
smtp_line_length_limit = 0
smtpd_helo_required = yes
disable_vrfy_command = yes
smtpd_forbid_bare_newline = normalize
enable_long_queue_ids = yes
# In: a certificate for ${mailHost}, key and chain in one file${facts.mxCertificateFile === undefined ? '' : ', which namehold mx writes'}. Out: DANE where the other side has it, else whatever TLS it has
smtpd_tls_chain_files = ${facts.mxCertificateFile ?? `/etc/postfix/${mailHost}.pem`}
smtpd_tls_security_level = may
smtp_dns_support_level = dnssec
smtp_tls_security_level = dane
# rspamd checks SPF, DKIM and DMARC, refuses spam and seals (ARC). While it is away, mail is put off
smtpd_milters = inet:127.0.0.1:11332
milter_default_action = tempfail
`;
}

const returns = ({ mailDomain }: MxFacts) => `/@\\[/  550 5.1.2 No mail is taken for an IP address
/^srs[01][=+-].*@${mailDomain.replaceAll('.', '\\.')}$/  namehold_returns
`;

/** Postfix cannot count headers; so each pass moves every mark on by one. */
const hops = `/^X-Namehold-Hop: 0$/  REPLACE X-Namehold-Hop: 1
/^X-Namehold-Hop: 1$/  REPLACE X-Namehold-Hop: 2
/^X-Namehold-Hop: 2$/  REPLACE X-Namehold-Hop: 3
/^X-Namehold-Hop: 3$/  REJECT 5.4.6 This mail has been here three times: its forwards lead in a circle
`;

const masterCf = `# as the package has it; these are needed
smtp      inet  n       -       y       -       -       smtpd
smtp      unix  -       -       y       -       -       smtp
# reports of undelivered mail; /usr/local/bin/namehold-report sets the service's settings and runs: namehold mx report || exit 75
namehold-report unix - n n - 1 pipe flags= user=namehold argv=/usr/local/bin/namehold-report
`;

/** Every address has its own way with spam; namehold mx tells it, and while that is away all are treated alike. In the end it is told what became of the mail. */
const rspamdLua = ({ mxHost, mxPort }: MxFacts) => `local tcp = require 'rspamd_tcp'
local ucl = require 'ucl'
-- in place of the score of actions.conf at which mail is refused; null: at none
local scores = { mark = ucl.null, catch_all = ${spamScores.catchAll} }

local function ask(task, key, callback)
  tcp.request({
    task = task,
    host = '${mxHost}',
    port = ${mxPort},
    timeout = 2.0,
    data = #key .. ':' .. key .. ',',
    stop_pattern = ',',
    callback = callback,
  })
end

rspamd_config:register_symbol({
  name = 'NAMEHOLD_SPAM',
  type = 'prefilter',
  priority = 10,
  flags = 'empty,nostat',
  augmentations = { 'timeout=2' },
  callback = function(task)
    local recipients = {}
    for _, recipient in ipairs(task:get_recipients('smtp') or {}) do
      recipients[#recipients + 1] = recipient.addr
    end
    ask(task, 'spam ' .. table.concat(recipients, ' '), function(err, said)
      local way = not err and tostring(said):match(':OK ([a-z_]+)')
      if way and scores[way] then
        task:set_settings({ actions = { reject = scores[way] } })
      end
    end)
  end,
})

-- DMARC checks one author alone
rspamd_config:register_symbol({
  name = 'NAMEHOLD_AUTHORS',
  type = 'normal',
  score = 0.0,
  callback = function(task)
    if #(task:get_header_full('From') or {}) > 1 then
      return true
    end
    local domain
    for _, author in ipairs(task:get_from('mime') or {}) do
      local own = tostring(author.domain or ''):lower()
      if domain and own ~= domain then
        return true
      end
      domain = own
    end
    return false
  end,
})

-- refused mail is not counted as forwarded
rspamd_config:register_symbol({
  name = 'NAMEHOLD_JUDGED',
  type = 'idempotent',
  priority = 10,
  flags = 'empty,nostat,explicit_disable,ignore_passthrough',
  augmentations = { 'timeout=2' },
  callback = function(task)
    local action = task:get_metric_action()
    local judged = 'taken'
    if action == 'reject' then
      -- by a rule (DMARC, a virus), or by all that it is in sum
      judged = task:has_pre_result() and 'refused' or 'spam'
    elseif action == 'soft reject' then
      judged = 'deferred'
    end
    ask(task, 'judged ' .. (task:get_queue_id() or '') .. ' ' .. judged, function() end)
  end,
})
`;

function rspamd(facts: MxFacts): SnippetPart[] {
  const { mailDomain } = facts;
  const local = (name: string, text: string) => ({ file: `/etc/rspamd/local.d/${name}`, text });
  return [
    local(
      'worker-proxy.inc',
      `bind_socket = "127.0.0.1:11332";
milter = yes;
timeout = 60s;
upstream "local" {
  default = yes;
  self_scan = yes;
}
`,
    ),
    local('worker-normal.inc', 'enabled = false;\n'),
    local(
      'actions.conf',
      `reject = ${spamScores.own};
add_header = ${spamScores.marked};
greylist = null;
rewrite_subject = null;
`,
    ),
    local('rspamd.lua', rspamdLua(facts)),
    // What a sender's domain forbids would be refused at the target all the same, and count against us there.
    local(
      'force_actions.conf',
      `rules {
  NAMEHOLD_AUTHORS {
    action = "reject";
    expression = "NAMEHOLD_AUTHORS";
    message = "This message has more than one From header, or authors in several domains";
  }
  NAMEHOLD_DMARC {
    action = "reject";
    expression = "DMARC_POLICY_REJECT";
    message = "This message fails DMARC, and the domain of its author tells receivers to reject such messages";
  }
}
`,
    ),
    // The author's signature is what carries the mail through, so nothing of it is touched, and nothing signed in its name.
    local('dkim_signing.conf', 'enabled = false;\n'),
    local(
      'arc.conf',
      `sign_inbound = true;
sign_local = false;
sign_authenticated = false;
allow_envfrom_empty = true;
allow_hdrfrom_mismatch = true;
allow_username_mismatch = true;
use_domain_sign_inbound = "${mailDomain}";
use_domain = "${mailDomain}";
use_esld = false;
selector = "arc";
path = "/var/lib/rspamd/arc/$domain.$selector.key";
`,
    ),
    local('milter_headers.conf', 'use = ["authentication-results", "spam-header"];\nskip_local = false;\n'),
  ];
}

const commands = ({
  mailDomain,
  mxSocketDir,
}: MxFacts) => `${mxSocketDir === undefined ? '' : `# for the sockets of namehold mx, before it starts: it writes there, Postfix reads, nobody else\ninstall -d -o namehold -g postfix -m 2750 ${mxSocketDir}\n`}# once on one mail host; copy the key to the others
mkdir -p /var/lib/rspamd/arc
rspamadm dkim_keygen -d ${mailDomain} -s arc -b 2048 -k /var/lib/rspamd/arc/${mailDomain}.arc.key
chown -R _rspamd:_rspamd /var/lib/rspamd/arc
systemctl restart rspamd postfix
`;

function records({ mailDomain, mailHosts }: MxFacts): string {
  return `${mailHosts.map((host, at) => `${mailDomain}. MX ${10 * (at + 1)} ${host}.`).join('\n')}
${mailDomain}. TXT "v=spf1 mx -all"
_dmarc.${mailDomain}. TXT "v=DMARC1; p=reject"
arc._domainkey.${mailDomain}. TXT (what dkim_keygen printed)
; and for each of ${mailHosts.join(', ')}: A, AAAA, and PTR records that lead back to the name
`;
}
