#!/usr/bin/env perl
# A bot for `nana bot LINK --exec 'perl examples/bot.pl'`: a line of JSON comes, a line goes.
use strict;
use warnings;
use JSON::PP;    # comes with Perl

$| = 1;          # write each line at once
while ( my $line = <STDIN> ) {
    my $view = decode_json $line;
    my %seen;    # by source: the number that it showed last
    for my $attempt ( @{ $view->{history} } ) {
        $seen{ $_->{source} } = $_->{number} for @{ $attempt->{cards} };
    }
    my @open  = @{ $view->{attempt}{cards} };
    my @legal = @{ $view->{legal} };
    my @good = @open ? grep { ( $seen{$_} // 0 ) == $open[0]{number} } @legal : ();
    my @from = @good ? @good : @legal;
    print encode_json( { source => $from[ rand @from ] } ), "\n";
}
