package standalone

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOptionsCheck(t *testing.T) {
	for name, tc := range map[string]struct {
		in   Options
		want string // empty: accepted
	}{
		"zero value":       {},
		"ports":            {in: Options{BrokerPort: 6650, HTTPPort: 8080}},
		"negative port":    {in: Options{BrokerPort: -1}, want: "port -1: must be between 0 and 65535"},
		"port too high":    {in: Options{HTTPPort: 65536}, want: "port 65536: must be between 0 and 65535"},
		"same port twice":  {in: Options{BrokerPort: 9, HTTPPort: 9}, want: "port 9: BrokerPort and HTTPPort must differ"},
		"negative timeout": {in: Options{StartTimeout: -time.Second}, want: "StartTimeout -1s: must not be negative"},
		"bad setting": {
			in:   Options{Config: map[string]string{"webServicePort": "1"}},
			want: "setting webServicePort: decided by the package, use the ports of Options",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := tc.in.check(); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
