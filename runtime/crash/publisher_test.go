package crash

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// publish is the main function of a publisher process. It publishes the tasks whose numbers it reads, and reports "=N"
// when task N is confirmed and "?N" when it is unknown whether it was stored.
func publish(client pulsar.Client, j job) error {
	if variants[j.Variant].batched {
		return publishBatches(client, j)
	}
	producers := bq.NewProducers(client)
	defer producers.Close(context.Background())
	publisher := bq.NewPublisher(producers, tasks(j.Queue))
	foreign, err := client.CreateProducer(pulsar.ProducerOptions{Topic: j.Queue.Topic, DisableBatching: true})
	if err != nil {
		return err
	}
	defer foreign.Close()
	out := os.NewFile(reports, "reports")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		n, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			return err
		}
		if m := fateOf(n).message(n); m != nil {
			_, err = foreign.Send(context.Background(), m)
		} else {
			properties := bq.WithProperties(map[string]string{idProperty: lines.Text()})
			_, err = publisher.Publish(context.Background(), task{n}, properties)
		}
		sign := "="
		if err != nil {
			sign = "?"
			fmt.Fprintf(os.Stderr, "task %d: %v\n", n, err)
		}
		if _, err := fmt.Fprintf(out, "%s%d\n", sign, n); err != nil {
			return err
		}
	}
	return nil
}

// publishBatches is publish for a variant whose messages come in batches.
func publishBatches(client pulsar.Client, j job) error {
	options := pulsar.ProducerOptions{Topic: j.Queue.Topic, BatchingMaxPublishDelay: 20 * time.Millisecond}
	if variants[j.Variant].subscription == pulsar.KeyShared {
		options.BatcherBuilderType = pulsar.KeyBasedBatchBuilder
	}
	p, err := client.CreateProducer(options)
	if err != nil {
		return err
	}
	defer p.Close()
	out := os.NewFile(reports, "reports")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		n, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			return err
		}
		m := fateOf(n).message(n)
		if m == nil {
			if m, err = envelopeOf(j.Queue, task{n}); err != nil {
				return err
			}
		}
		p.SendAsync(context.Background(), m, func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
			sign := "="
			if err != nil {
				sign = "?"
				fmt.Fprintf(os.Stderr, "task %d: %v\n", n, err)
			}
			_, _ = fmt.Fprintf(out, "%s%d\n", sign, n)
		})
	}
	return p.FlushWithCtx(context.Background())
}

// envelopeOf returns the message of a task.
func envelopeOf(q bq.Queue, k task) (*pulsar.ProducerMessage, error) {
	d := tasks(q)
	header, err := envelope.NewHeader(taskURN, "", q.Name, time.Now())
	if err != nil {
		return nil, err
	}
	body, err := envelope.Append(nil, header, func(dst []byte) ([]byte, error) { return d.Codec.Append(dst, &k) })
	if err != nil {
		return nil, err
	}
	m := &pulsar.ProducerMessage{Payload: body, Properties: header.Properties(), Key: d.Key(&k)}
	m.Properties[idProperty] = fmt.Sprint(k.N)
	return m, nil
}
