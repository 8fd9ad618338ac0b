import type { Config } from '../../config.ts';
import { mailLimits } from '../../core/mail-forwarding/forward.ts';
import { ipHostPattern } from '../../core/mail-forwarding/ip-host.ts';
import type { SnippetPart } from './snippet.ts';

/** Values for the configuration of a mail host. */
type MxFacts = Pick<Config, 'mailHosts' | 'mxHost' | 'mxPort' | 'mxPolicyPort'> &
  Partial<Pick<Config, 'mxCertificateFile' | 'mxSocketDir'>> & {
    readonly mailHost: string;
    readonly mailDomain: string;
  };

const queueFolder = /^\/var\/spool\/postfix\//;

/** Spam scores at which mail is refused or marked. A catch-all refuses earlier, because it also receives guessed addresses. */
const spamScores = { own: 12, catchAll: 8, marked: 6 } as const;

/** Configuration for Postfix 3.7 or newer and rspamd 3.4 or newer, and the DNS records of the mail host. */
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

/** Address for queries of Postfix: a port, or a socket relative to the queue directory, because its processes run in a chroot. */
function placeOf({ mxSocketDir, mxHost, mxPort, mxPolicyPort }: MxFacts, what: 'maps' | 'policy'): string {
  if (mxSocketDir === undefined) return `inet:${mxHost}:${what === 'maps' ? mxPort : mxPolicyPort}`;
  return `unix:${mxSocketDir.replace(queueFolder, '')}/${what}`;
}

function mainCf(facts: MxFacts): string {
  const { mailHost, mailDomain } = facts;
  // Patterns on the mail domain avoid queries about most recipients, and about senders that are already rewritten.
  const own = mailDomain.replaceAll('.', '\\.');
  const policy = (away: string) =>
    `check_policy_service { ${placeOf(facts, 'policy')}, timeout=2s, try_limit=1, default_action=${away} }`;
  return `myhostname = ${mailHost}
# Routes come from namehold mx. While it is unavailable, mail is deferred (451), and nothing is lost.
namehold = socketmap:${placeOf(facts, 'maps')}
# Nothing is delivered on this machine: mail to its own names or IP addresses is refused at RCPT and never bounces
mydestination =
relay_domains =
local_transport = error:5.1.1 There are no mailboxes here
virtual_alias_domains = $namehold:domain
virtual_alias_maps = $namehold:route
virtual_alias_recursion_limit = ${2 * mailLimits.steps}
virtual_alias_expansion_limit = 50
# One copy for each target, even if several recipients of a message have the same target
enable_original_recipient = no
# namehold mx handles sub-addresses (info+tag) and catch-alls itself
recipient_delimiter =
# The envelope sender is rewritten once to an address of ${mailDomain} (SRS); bounces go to the original sender
sender_canonical_maps = pipemap:{ regexp:{ {if !/@${own}$$/}, {/^(.+)$$/ $$1}, {endif} }, $namehold:srs_out }
sender_canonical_classes = envelope_sender
recipient_canonical_maps = pipemap:{ regexp:{ { /^(srs[01][=+-].*@${own})$$/ $$1 } }, $namehold:srs_in }
recipient_canonical_classes = envelope_recipient
smtpd_restriction_classes = namehold_returns
namehold_returns = check_sender_access regexp:{ { !/^<>$$/ 550 5.7.1 This address accepts only delivery reports } }
# The policy service checks limits and whether the domain is hosted here, because an smtpd process may have outdated answers of the maps.
# While it is unavailable, mail flows without limits, and the map alone decides about addresses
smtpd_reject_unlisted_recipient = no
smtpd_relay_restrictions = check_recipient_access regexp:/etc/postfix/namehold-returns,
  ${policy('reject_unlisted_recipient')},
  permit_mynetworks, reject_unauth_destination
smtpd_recipient_restrictions =
smtpd_end_of_data_restrictions = ${policy('DUNNO')}
# Loop detection: each pass adds a header and increments the existing ones; the fourth pass is refused
smtpd_data_restrictions = reject_unauth_pipelining, check_client_access static:{PREPEND X-Namehold-Hop: 0}
header_checks = regexp:/etc/postfix/namehold-hops
mime_header_checks =
nested_header_checks =
hopcount_limit = 25
# A copy of each delivery report goes to namehold mx report, which detects failing targets
notify_classes = bounce, resource, software
bounce_notice_recipient = reports@namehold.invalid
2bounce_notice_recipient = reports@namehold.invalid
transport_maps = inline:{ { namehold.invalid = namehold-report: } }
smtpd_recipient_limit = 50
message_size_limit = 26214400
# Long lines are not broken. The default (after 998 characters) would break the DKIM signature of the author
smtp_line_length_limit = 0
smtpd_helo_required = yes
disable_vrfy_command = yes
smtpd_forbid_bare_newline = normalize
enable_long_queue_ids = yes
# Incoming: a certificate for ${mailHost}, key and chain in one file${facts.mxCertificateFile === undefined ? '' : ', written by namehold mx'}. Outgoing: DANE if the receiver has it, otherwise opportunistic TLS
smtpd_tls_chain_files = ${facts.mxCertificateFile ?? `/etc/postfix/${mailHost}.pem`}
smtpd_tls_security_level = may
smtp_dns_support_level = dnssec
smtp_tls_security_level = dane
# rspamd checks SPF, DKIM and DMARC, refuses spam and adds ARC. While it is unavailable, mail is deferred
smtpd_milters = inet:127.0.0.1:11332
milter_default_action = tempfail
`;
}

const returns = ({ mailDomain }: MxFacts) => `/@${ipHostPattern}/  550 5.1.2 No mail is taken for an IP address
/^srs[01][=+-].*@${mailDomain.replaceAll('.', '\\.')}$/  namehold_returns
`;

/** Postfix cannot count headers, so each pass increments the number in every existing header. */
const hops = `/^X-Namehold-Hop: 0$/  REPLACE X-Namehold-Hop: 1
/^X-Namehold-Hop: 1$/  REPLACE X-Namehold-Hop: 2
/^X-Namehold-Hop: 2$/  REPLACE X-Namehold-Hop: 3
/^X-Namehold-Hop: 3$/  REJECT 5.4.6 Mail forwarding loop: this host has forwarded the message three times
`;

const masterCf = `# as installed by the package; these lines are required
smtp      inet  n       -       y       -       -       smtpd
smtp      unix  -       -       y       -       -       smtp
# delivery reports; /usr/local/bin/namehold-report sets the settings of the service and runs: namehold mx report || exit 75
namehold-report unix - n n - 1 pipe flags= user=namehold argv=/usr/local/bin/namehold-report
`;

/** namehold mx returns the spam setting of each address; while it is unavailable, the defaults apply. The result of each mail is reported to it. */
const rspamdLua = ({ mxHost, mxPort }: MxFacts) => `local tcp = require 'rspamd_tcp'
local ucl = require 'ucl'
-- replaces the reject score of actions.conf; null: never reject
local scores = { mark = ucl.null, catch_all = ${spamScores.catchAll} }

local function query(task, key, callback)
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
    query(task, 'spam ' .. table.concat(recipients, ' '), function(err, reply)
      local setting = not err and tostring(reply):match(':OK ([a-z_]+)')
      if setting and scores[setting] then
        task:set_settings({ actions = { reject = scores[setting] } })
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
    local result = 'taken'
    if action == 'reject' then
      -- by a rule (DMARC, a virus), or by the spam score
      result = task:has_pre_result() and 'refused' or 'spam'
    elseif action == 'soft reject' then
      result = 'deferred'
    end
    query(task, 'judged ' .. (task:get_queue_id() or '') .. ' ' .. result, function() end)
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
    // The target would refuse a DMARC failure too, and count it against the reputation of the mail host.
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
    // Forwarded mail passes DMARC by the DKIM signature of the author, so the message is not changed and not signed again.
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
}: MxFacts) => `${mxSocketDir === undefined ? '' : `# folder for the sockets of namehold mx, before its start: writable by namehold, readable by Postfix only\ninstall -d -o namehold -g postfix -m 2750 ${mxSocketDir}\n`}# run once on one mail host, and copy the key to the others
mkdir -p /var/lib/rspamd/arc
rspamadm dkim_keygen -d ${mailDomain} -s arc -b 2048 -k /var/lib/rspamd/arc/${mailDomain}.arc.key
chown -R _rspamd:_rspamd /var/lib/rspamd/arc
systemctl restart rspamd postfix
`;

function records({ mailDomain, mailHosts }: MxFacts): string {
  return `${mailHosts.map((host, at) => `${mailDomain}. MX ${10 * (at + 1)} ${host}.`).join('\n')}
${mailDomain}. TXT "v=spf1 mx -all"
_dmarc.${mailDomain}. TXT "v=DMARC1; p=reject"
arc._domainkey.${mailDomain}. TXT (output of dkim_keygen)
; for each of ${mailHosts.join(', ')}: A, AAAA and matching PTR records
`;
}
