package format

import "net/netip"

// IPv4 accepts four decimal numbers without leading zeros, separated by dots.
func IPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

// IPv6 accepts every form of RFC 4291, without a zone.
func IPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}
