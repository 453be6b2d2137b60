package crash

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// publish is the main function of a publisher process. It publishes the tasks whose numbers it reads, and reports "=N"
// when task N is confirmed and "?N" when it is unknown whether it was stored.
func publish(client pulsar.Client, j job) error {
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
