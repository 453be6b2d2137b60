package conformance

import "encoding/json"

// A Gate is a case of gate.json.
type Gate struct {
	Case
	Properties map[string]string `json:"properties"`
	Expect     struct {
		Gated   bool   `json:"gated"`
		Decoded bool   `json:"body_decoded"`
		Handler bool   `json:"handler_called"`
		OnError any    `json:"on_error_envelope"`
		Unknown bool   `json:"on_unknown_urn_called"`
		With    string `json:"with_dlq"`
		Without string `json:"without_dlq"`
	} `json:"expect"`
}

// A Routing is a case of routing.json.
type Routing struct {
	Case
	Properties map[string]string `json:"properties"`
	Expect     struct {
		Verdict  string `json:"verdict"`
		RouteURN string `json:"route_urn"`
		Handler  *bool  `json:"handler_called"`
		Mismatch *struct {
			Property string `json:"property_urn"`
			Body     string `json:"body_urn"`
		} `json:"mismatch_hook"`
	} `json:"expect"`
	Python json.RawMessage `json:"python"`
}

// An Attempts is a case of attempts.json.
type Attempts struct {
	Case
	Properties map[string]string `json:"properties"`
	Literal    *string           `json:"body_attempts_literal"` // the member in the body, nil if it has none
	Redelivery uint32            `json:"redelivery_count"`
	Expect     struct {
		Reconciled int64 `json:"reconciled"`
		Counted    int64 `json:"counted"`
	} `json:"expect"`
	Python json.RawMessage `json:"python"`
}

// A MaxAttempts is a case of max_attempts.json: deliveries, or whether a consumer can be built.
type MaxAttempts struct {
	Case
	MaxAttempts  int        `json:"max_attempts"`
	Subscription string     `json:"subscription_type"`
	RetryMode    string     `json:"retry_mode"`
	RetrySource  string     `json:"retry_source"`
	Deliveries   []Delivery `json:"deliveries"`
	Expect       *struct {
		BuildOK bool `json:"build_ok"`
	} `json:"expect"`
}

// A Delivery is one of a [MaxAttempts] case.
type Delivery struct {
	Property   string `json:"bq_attempts"`
	Body       *int64 `json:"body_attempts"`
	Redelivery uint32 `json:"redelivery_count"`
	Expect     struct {
		Reconciled  int64  `json:"reconciled"`
		Counted     int64  `json:"counted"`
		Action      string `json:"action"`
		DeadLetter  int64  `json:"dead_letter_attempts"`
		Republished *struct {
			Property string `json:"bq-attempts"`
			Body     int64  `json:"body_attempts"`
		} `json:"republished"`
	} `json:"expect"`
}

// A Verdict is a case of envelope_verdict.json. What Python says is the identity verdict (IDV-1).
type Verdict struct {
	Case
	Expect struct {
		Verdict  string  `json:"verdict"`
		URN      *string `json:"body_urn"`
		Attempts *int64  `json:"body_attempts"`
	} `json:"expect"`
	Python struct {
		Verdict string          `json:"identity_verdict"`
		URN     string          `json:"urn"`
		Accepts json.RawMessage `json:"accepts"`
		Cause   json.RawMessage `json:"cause"`
		Without json.RawMessage `json:"identity_verdict_without_identity_rule"`
	} `json:"python"`
}

// A Projection is a case of property_projection.json.
type Projection struct {
	Case
	Expect struct {
		Properties map[string]string `json:"properties"`
	} `json:"expect"`
	Python json.RawMessage `json:"python"`
}

// A PoisonRecord is a case of poison_record.json.
type PoisonRecord struct {
	Case
	Block struct {
		Reason        string `json:"reason"`
		Error         string `json:"error"`
		Exception     string `json:"exception"`
		FailedAt      int64  `json:"failed_at"`
		OriginalQueue string `json:"original_queue"`
		Attempts      int64  `json:"attempts"`
		Lang          string `json:"lang"`
	} `json:"dead_letter_block"`
	Expect struct {
		Mode   string `json:"mode"`
		Text   string `json:"record"`
		Record []byte `json:"record_base64"`
	} `json:"expect"`
	Python json.RawMessage `json:"python"`
}
