package pagename

import (
	"strings"
	"testing"
)

func TestOrdinaryNamesStayReadableAndOthersGetAHash(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{URN("urn:babel:orders:created"), "urn-babel-orders-created"},
		{URN("urn:babel:order-events:parcel.sent"), "urn-babel-order--events-parcel.sent"},
		{URN("urn:babel:orders:Created"), "urn-urn-babel-orders-created~"},
		{URN("urn:a:b-:c"), "urn-urn-a-b-c~"},
		{URN("urn:a:b:-c"), "urn-urn-a-b-c~"},
		{URN("../../etc/passwd"), "urn-etc-passwd~"},
		{URN("👍"), "urn-~"},
		{Queue("orders"), "queue-orders"},
		{Queue("Orders"), "queue-orders~"},
		{Queue("con"), "queue-con"},
		{Type("Money", ""), "type-money"},
		{Type("OrderLine", ""), "type-order-line"},
		{Type("money", ""), "type-money~"},
		{Type("URL", ""), "type-url~"},
		{Type("Money", "common.yaml"), "type-money~"},
		{Service("billing"), "service-billing"},
		{Service("<script>"), "service-script~"},
	} {
		got, hash, hashed := strings.Cut(tc.got, "~")
		want, _, wantHash := strings.Cut(tc.want, "~")
		if got != want || hashed != wantHash || hashed && len(hash) != 12 {
			t.Errorf("got %s, want %s", tc.got, tc.want)
		}
	}
	if URN("urn:a:b-:c") == URN("urn:a:b:-c") {
		t.Error("two URNs share a page")
	}
	if Type("Money", "a.yaml") == Type("Money", "b.yaml") {
		t.Error("two types share a page")
	}
}
