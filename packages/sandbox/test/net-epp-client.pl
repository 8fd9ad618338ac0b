#!/usr/bin/perl
# An independent client: Net::EPP of Debian's libnet-epp-perl sends every kind of command.
# Arguments: the state file of the sandbox, and a label for new names. Prints one line per step; the last is "all done".
use strict;
use warnings;
use JSON::PP;
use Net::EPP::Simple;
use Net::EPP::Frame::Command::Poll::Req;
use Net::EPP::Frame::Command::Poll::Ack;

my ($file, $label) = @ARGV;
open(my $in, '<', $file) or die "$file: $!";
my $state = decode_json(do { local $/; <$in> });
my $name = "$label.org";
my $handle = "pl$$";
my $secret = 'Perl-Secret-2468-xyz';

sub enter {
	my ($account) = @_;
	my $epp = Net::EPP::Simple->new(
		host => $state->{host}, port => $state->{port}, user => $account->{client_id}, pass => $account->{password},
		key => $account->{key_file}, cert => $account->{cert_file}, verify => 1, ca_file => $state->{ca_file},
		timeout => 20, load_config => 0,
	);
	die "login of $account->{client_id}: $Net::EPP::Simple::Error\n" unless $epp;
	return $epp;
}

sub step {
	my ($what, $fine) = @_;
	die "$what: $Net::EPP::Simple::Code $Net::EPP::Simple::Message\n" unless $fine;
	print "$what: $Net::EPP::Simple::Code\n";
}

sub poll {
	my ($epp) = @_;
	my $answer = $epp->request(Net::EPP::Frame::Command::Poll::Req->new);
	my $queue = $answer->getElementsByTagName('msgQ')->shift;
	return ($answer->code, undef) unless $answer->code == 1301;
	my $ack = Net::EPP::Frame::Command::Poll::Ack->new;
	$ack->setMsgID($queue->getAttribute('id'));
	step('poll ack', $epp->request($ack)->code == 1000);
	return (1301, ($answer->getElementsByLocalName('trStatus')->shift || return (1301, ''))->textContent);
}

my $epp = enter($state->{accounts}[0]);
step('login', 1);
step('check', $epp->check_domain($name) == 1);
step('contact create', $epp->create_contact({
	id => $handle,
	postalInfo => { int => {
		name => 'Pearl Example', org => 'Example Inc',
		addr => { street => ['1 Camel Road'], city => 'Oxford', sp => 'Oxon', pc => 'OX1 1AA', cc => 'GB' },
	} },
	voice => '+44.1865123456', fax => '', email => 'pearl@example.org', authInfo => $secret,
}));
step('contact info', $epp->contact_info($handle)->{email} eq 'pearl@example.org');
step('domain create', $epp->create_domain({
	name => $name, period => 1, registrant => $handle, contacts => { admin => $handle, tech => $handle },
	ns => ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'], authInfo => $secret,
}));
step('check again', $epp->check_domain($name) == 0);
my $info = $epp->domain_info($name);
step('info', $info && $info->{clID} eq 'namehold' && $info->{registrant} eq $handle);
step('renew', $epp->renew_domain({ name => $name, cur_exp_date => substr($info->{exDate}, 0, 10), period => 2 }));
step('update', $epp->update_domain({ name => $name, add => { status => ['clientHold'] } }));
$info = $epp->domain_info($name);
step('info after update', grep { $_ eq 'clientHold' } @{$info->{status}});
step('update back', $epp->update_domain({ name => $name, rem => { status => ['clientHold'] } }));
my $host = "ns1.$name";
step('host create', $epp->create_host({ name => $host, addrs => [{ ip => '192.0.2.7', version => 'v4' }] }));
step('host info', $epp->host_info($host)->{clID} eq 'namehold');

my $other = enter($state->{accounts}[1]);
step('other login', 1);
step('wrong secret', !$other->domain_transfer_request($name, 'Wrong-Secret-13579', 1) && $Net::EPP::Simple::Code == 2202);
my $transfer = $other->domain_transfer_request($name, $secret, 1);
step('transfer request', $transfer && $transfer->{trStatus} eq 'pending');
my ($code, $status) = poll($epp);
step('poll', $code == 1301 && $status eq 'pending');
step('transfer query', $other->domain_transfer_query($name)->{trStatus} eq 'pending');
step('transfer approve', $epp->domain_transfer_approve($name));
($code, $status) = poll($other);
step('other poll', $code == 1301 && $status eq 'clientApproved');
step('other info', $other->domain_info($name)->{clID} eq 'rival');
step('delete refused', !$epp->delete_domain($name) && $Net::EPP::Simple::Code == 2201);
step('host delete', $other->delete_host($host));
step('delete', $other->delete_domain($name));
($code) = poll($epp);
step('poll empty', $code == 1300);
step('logout', $epp->logout && $other->logout);
print "all done\n";
