package read

import (
	"context"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/reader"
)

// read hands out the messages of a partition from the start on. It returns nil at the end, unless it follows.
func (c Config) read(ctx context.Context, partition string, handOut func(pulsar.Message)) error {
	config := reader.Config{
		Client: c.Client, Topic: partition, Start: c.Start, Timeout: c.Timeout, Options: c.Options,
	}
	var end *reader.End
	if !c.Follow {
		var err error
		if end, err = reader.FindEnd(ctx, config); err != nil || end == nil {
			return err
		}
	}
	r, err := reader.Open(ctx, config)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		msg, err := c.next(ctx, r)
		if err != nil {
			return err
		}
		if handOut(msg); end != nil && end.IsReached(msg) {
			return nil
		}
	}
}

// next returns the next message. If it is known that there is one, it must come in time.
func (c Config) next(ctx context.Context, r *reader.Reader) (pulsar.Message, error) {
	if !c.Follow {
		var cancel context.CancelFunc
		ctx, cancel = reader.WithTimeout(ctx, c.Timeout)
		defer cancel()
	}
	return r.Next(ctx)
}
