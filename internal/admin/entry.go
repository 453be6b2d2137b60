package admin

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/rest"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"
)

// uuidHeader names the message that an entry is a chunk of. Only entries of chunked messages have it.
const uuidHeader = "X-Pulsar-Uuid"

// Chunks returns the positions of all entries of a message that is stored in chunks, by the positions of its first and
// its last one. Entries of other messages may lie between them. The topic is one partition, or not partitioned.
func (a *API) Chunks(ctx context.Context, name string, first, last Position) ([]Position, error) {
	if first.Ledger != last.Ledger {
		return nil, fmt.Errorf("the chunks of a message on %s are in two ledgers, %d and %d", name, first.Ledger,
			last.Ledger)
	}
	var chunks []Position
	message := ""
	for entry := first.Entry; entry <= last.Entry; entry++ {
		of, err := a.chunkOf(ctx, name, Position{first.Ledger, entry})
		switch {
		case err != nil:
			return nil, err
		case entry == first.Entry && of == "":
			return nil, fmt.Errorf("the broker does not tell the chunks of the message at %d:%d of %s", first.Ledger,
				entry, name)
		case entry == first.Entry:
			message = of
		}
		if of == message {
			chunks = append(chunks, Position{first.Ledger, entry})
		}
	}
	return chunks, nil
}

// chunkOf returns the id of the message that an entry is a chunk of, or "". The admin package does not hand out the
// headers that say so.
func (a *API) chunkOf(ctx context.Context, name string, p Position) (string, error) {
	t, err := utils.GetTopicName(name)
	if err != nil {
		return "", err
	}
	at := fmt.Sprintf("%s/admin/v2/%s/ledger/%d/entry/%d", strings.TrimSuffix(a.url, "/"), t.GetRestPath(),
		p.Ledger, p.Entry)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return "", err
	}
	response, err := a.transport.RoundTrip(request)
	if err != nil {
		return "", a.fail("look at an entry of", name, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		reason, _ := io.ReadAll(io.LimitReader(response.Body, maxReason))
		return "", a.fail("look at an entry of", name, rest.Error{Code: response.StatusCode, Reason: string(reason)})
	}
	return response.Header.Get(uuidHeader), nil
}
