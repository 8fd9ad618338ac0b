#!/usr/bin/perl
# What Net::EPP of Debian's libnet-epp-perl does in the same time: one session, one question after another, each answer as a hash.
# Arguments: port, milliseconds. Prints commands a second and microseconds of processor time for each.
use strict;
use warnings;
use Net::EPP::Simple;
use Time::HiRes qw(time);

my ($port, $round_ms) = @ARGV;
# Without `reconnect` it sends a hello before each command, which would halve its rate.
my $epp = Net::EPP::Simple->new(
	host => '127.0.0.1', port => $port, user => 'ClientX', pass => 'secret-1', timeout => 20, load_config => 0, reconnect => 0,
);
die "login: $Net::EPP::Simple::Error\n" unless $epp;

sub send_for {
	my ($seconds) = @_;
	my $count = 0;
	my $until = time() + $seconds;
	while (time() < $until) {
		my $info = $epp->domain_info('example.com');
		die "info: $Net::EPP::Simple::Error\n" unless $info && $info->{clID} eq 'ClientX';
		$count++;
	}
	return $count;
}

send_for(0.5);
my @before = times;
my $count = send_for($round_ms / 1000);
my @after = times;
printf("%.0f %.0f\n", $count / ($round_ms / 1000), ($after[0] + $after[1] - $before[0] - $before[1]) * 1e6 / $count);
$epp->logout;
