#!/usr/bin/perl
# An independent client: Net::EPP of Debian's libnet-epp-perl at the endpoint of an upstream like CentralNic Reseller.
# Arguments: a file with host, port, login and certificates, and a label for new names. The last line is "all done".
use strict;
use warnings;
use JSON::PP;
use Net::EPP::Simple;
use Net::EPP::Frame::Command::Create::Domain;
use Net::EPP::Frame::Command::Info::Domain;
use Net::EPP::Frame::Command::Renew::Domain;
use Net::EPP::Frame::Command::Update::Domain;

my ($file, $label) = @ARGV;
open(my $in, '<', $file) or die "$file: $!";
my $state = decode_json(do { local $/; <$in> });
my $keysys = 'http://www.key-systems.net/epp/keysys-1.0';
my $secret = 'Perl-Secret-2468';

my $epp = Net::EPP::Simple->new(
	host => $state->{host}, port => $state->{port}, user => $state->{client_id}, pass => $state->{password},
	key => $state->{key_file}, cert => $state->{cert_file}, verify => 1, ca_file => $state->{ca_file},
	timeout => 20, load_config => 0,
);
die "login: $Net::EPP::Simple::Error\n" unless $epp;

sub step {
	my ($what, $fine) = @_;
	die "$what: $Net::EPP::Simple::Code $Net::EPP::Simple::Message\n" unless $fine;
	print "$what\n";
}

# The element of the extension, with its fields in the given order.
sub with_fields {
	my ($frame, $verb, @fields) = @_;
	my $extension = $frame->createElement('extension');
	my $element = $frame->createElementNS($keysys, "keysys:$verb");
	my $domain = $frame->createElementNS($keysys, 'keysys:domain');
	while (my ($name, $value) = splice(@fields, 0, 2)) {
		my $field = $frame->createElementNS($keysys, "keysys:$name");
		$field->appendText($value);
		$domain->appendChild($field);
	}
	$element->appendChild($domain);
	$extension->appendChild($element);
	my $id = $frame->getNode('clTRID');
	$id->parentNode->insertBefore($extension, $id);
	return $frame;
}

sub code { return $epp->request(@_)->code }

sub update {
	my ($name, @fields) = @_;
	my $frame = Net::EPP::Frame::Command::Update::Domain->new;
	$frame->setDomain($name);
	# Empty parts that it creates are not allowed (RFC 5731 3.2.5).
	for my $part (qw(add rem chg)) { my $node = $frame->getNode("domain:$part"); $node->parentNode->removeChild($node) if $node }
	return code(with_fields($frame, 'update', @fields));
}

sub field {
	my ($name, $field) = @_;
	my $frame = Net::EPP::Frame::Command::Info::Domain->new;
	$frame->setDomain($name);
	my $node = $epp->request($frame)->getElementsByTagNameNS($keysys, $field)->shift;
	return $node ? $node->textContent : '';
}

step('contact', $epp->create_contact({
	id => 'perl-handle',
	postalInfo => { int => {
		name => 'Pearl Example', org => 'Example Inc',
		addr => { street => ['1 Camel Road'], city => 'Oxford', sp => 'Oxon', pc => 'OX1 1AA', cc => 'GB' },
	} },
	voice => '+44.1865123456', fax => '', email => 'pearl@example.org', authInfo => $secret,
}));
# Net::EPP::Simple returns no id, and the server assigned another one.
step('own id is unknown', !$epp->contact_info('perl-handle') && $Net::EPP::Simple::Code == 2303);
my $handle = $state->{contact};

sub create {
	my ($name, @fields) = @_;
	my $frame = Net::EPP::Frame::Command::Create::Domain->new;
	$frame->setDomain($name);
	$frame->setPeriod(1);
	$frame->setRegistrant($handle);
	$frame->setContacts({ admin => $handle, tech => $handle });
	$frame->setAuthInfo($secret);
	return code(with_fields($frame, 'create', @fields));
}

my ($generic, $country) = ("$label.org", "$label.nl");
step('another order of fields: 2001', create($generic, transferlock => 0, renewalmode => 'AUTOEXPIRE') == 2001);
step('create with a renewal mode', create($generic, renewalmode => 'AUTOEXPIRE') == 1000);
step('mode in info', field($generic, 'renewalmode') eq 'AUTOEXPIRE');
step('date to renew by in info', field($generic, 'renDate') =~ /^\d{4}-\d\d-\d\dT/);
step('update of two fields', update($generic, transferlock => 1, 'whois-privacy' => 1) == 1000);
step('privacy in info', field($generic, 'whois-privacy') eq '1');
step('unknown field: 2306', update($generic, 'no-such-field' => 1) == 2306);
step('create without a mode', create($country, transferlock => 0) == 1000);
step('mode of the account', field($country, 'renewalmode') eq 'DEFAULT');
my $renew = Net::EPP::Frame::Command::Renew::Domain->new;
$renew->setDomain($country);
$renew->setCurExpDate(substr($epp->domain_info($country)->{exDate}, 0, 10));
$renew->setPeriod(1);
step('no explicit renewal: 2102', code($renew) == 2102);
step('renewal by mode', update($country, renewalmode => 'RENEWONCETHENAUTOEXPIRE') == 1000);
step('ordered renewal in info', field($country, 'renewalmode') eq 'RENEWONCETHENAUTOEXPIRE');
print "all done\n";
