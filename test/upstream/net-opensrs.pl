#!/usr/bin/perl
# An independent client: Net::OpenSRS of Debian's libnet-opensrs-perl. It reads calls from standard input, as a JSON array of
# [method, arguments...], and writes what each of them returned, with the client's last response.
use strict;
use warnings;
use JSON::PP;
use Net::OpenSRS;

my ( $url, $username, $key, $password ) = @ENV{qw(OPENSRS_URL OPENSRS_USERNAME OPENSRS_KEY OPENSRS_PASSWORD)};
my $srs = Net::OpenSRS->new();
$srs->{config}{test}{host} = $url;
$srs->environment('test');
$srs->set_key($key);
$srs->set_manage_auth( $username, $password );

# Texts stay the bytes that they are: the client sends them as they are.
my $calls = JSON::PP->new->decode( do { local $/; <STDIN> } );
my @results;
for my $call (@$calls) {
    my ( $method, @arguments ) = @$call;
    my $value = $srs->$method(@arguments);
    push @results, { value => $value, response => $srs->last_response() };
}
print JSON::PP->new->encode( \@results );
