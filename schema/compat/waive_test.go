package compat

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
)

const beforeWaivers = `bqgen: 1
package: p
queues: {q: {}}
urns:
  urn:babel:a:b:
    queue: q
    data:
      type: object
      properties:
        kept: {type: string, enum: [a, b c, d]}
        gone: {type: string}
        left over: {type: string}
        number: {type: integer}
  urn:babel:a:c: {queue: q, data: {type: object}}
  urn:babel:a:d: {queue: q, data: {type: object}}
`

const afterWaivers = `bqgen: 1
package: p
queues: {q: {}}
# bqgen:ignore urn-removed of=urn:babel:a:c Nobody has sent it since May.
urns:
  urn:babel:a:b:
    queue: q
    data:
      type: object
      # bqgen:ignore property-removed of=gone until=2026-12-31 The readers are being changed.
      # bqgen:ignore property-removed of="left over" So is this.
      properties:
        # bqgen:ignore enum-value-removed of="b c" Never used.
        # bqgen:ignore enum-value-removed
        kept: {type: string, enum: [a]}
        number: {type: integer, maximum: 9} # bqgen:ignore maximum-lowered until=2026-06-30 Late.
        added: {type: string} # bqgen:ignore property-added It is safe.
        other: {type: string} # bqgen:ignore missing-summary Of another command.
`

func waived(changes []*Change) []string {
	var all []string
	for _, c := range changes {
		if c.Safe() {
			continue
		}
		text := fmt.Sprintf("%d %s %v", c.Pos.Line, c.Rule, c.Severity)
		if c.Waived != nil {
			text += ": " + c.Waived.Reason
		}
		all = append(all, text)
	}
	return all
}

func lines(findings schema.Diagnostics) []string {
	var all []string
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%d %s %v: %s (%s)", f.Pos.Line, f.Rule, f.Severity, f.Message, f.Hint))
	}
	return all
}

func TestWaiversAcceptWhatTheyName(t *testing.T) {
	old, new := parseCase(t, beforeWaivers), parseCase(t, afterWaivers)
	changes := Compare(old, new, Options{})
	findings := Waive(changes, new, time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC))
	want := []string{
		"5 urn-removed note: Nobody has sent it since May.",
		"5 urn-removed error",
		"12 property-removed note: The readers are being changed.",
		"12 property-removed note: So is this.",
		"15 enum-value-removed note: Never used.",
		"15 enum-value-removed error",
		"16 maximum-lowered error",
	}
	if diff := cmp.Diff(want, waived(changes)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	want = []string{
		`14 ignore-form warning: the comment that ignores enum-value-removed does not say what was removed ` +
			`(write # bqgen:ignore enum-value-removed of=d and the reason)`,
		"16 ignore-expired warning: the comment that ignores maximum-lowered expired on 2026-06-30 " +
			"(fix what it ignores, or set a later day)",
		"17 unneeded-ignore warning: there is no finding of property-added here to ignore (remove the comment)",
	}
	if diff := cmp.Diff(want, lines(findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestWaiversExpire(t *testing.T) {
	old, new := parseCase(t, beforeWaivers), parseCase(t, afterWaivers)
	changes := Compare(old, new, Options{})
	findings := Waive(changes, new, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	if diff := cmp.Diff("12 property-removed warning", waived(changes)[2]); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if findings[0].Rule != "ignore-expired" || findings[0].Pos.Line != 10 {
		t.Errorf("findings %v", findings)
	}
}

// A waiver that nothing needs any more is a warning.
func TestWaiversAreNeeded(t *testing.T) {
	c := parseCase(t, afterWaivers)
	changes := Compare(c, c, Options{})
	findings := Waive(changes, c, time.Time{})
	if len(findings) != 7 {
		t.Errorf("%d findings: %v", len(findings), findings)
	}
	for _, f := range findings {
		if f.Rule != "unneeded-ignore" || f.Severity != schema.Warning {
			t.Errorf("%v", f)
		}
	}
}
