package format

import "unicode/utf8"

// IDNEmail accepts what [Email] does, with characters outside ASCII.
func IDNEmail(s string) bool { return utf8.ValidString(s) && Email(ascii(s)) }

// IDNHostname accepts what [Hostname] does, with characters outside ASCII. Unlike RFC 5892, it lets any that can be
// printed stand anywhere: which ones a registry takes, and in which context, changes with each version of Unicode.
func IDNHostname(s string) bool { return utf8.ValidString(s) && Hostname(ascii(s)) }
